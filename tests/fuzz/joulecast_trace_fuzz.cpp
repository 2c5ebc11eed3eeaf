#include <sstream>

#include "trace_replay.hpp"
#include "traces/requests/write.hpp"

// What is read as our own format is also written. Written once, blocks are numbered as they stood in the file; from the second time on, as they come.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace joulecast;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  traces::TraceOptions options;
  options.format = "joulecast";
  fuzz::replay(text, options);
  const auto written = [&](std::string_view from) {
    std::ostringstream out;
    traces::write_requests(*traces::open_trace_text(from, options), out);
    return out.str();
  };
  try {
    const std::string twice = written(written(text));
    if (written(twice) != twice) std::abort();
  } catch (const UserError&) {
  }
  return 0;
}
