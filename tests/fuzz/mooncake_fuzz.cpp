#include "trace_replay.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  joulecast::traces::TraceOptions options;
  options.format = "mooncake";
  joulecast::fuzz::replay({reinterpret_cast<const char*>(data), size}, options);
  return 0;
}
