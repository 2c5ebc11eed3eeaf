#include "trace_replay.hpp"

// The first byte chooses the unit of time.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr const char* kUnits[] = {"s", "ms", "us", "ns", "datetime"};
  joulecast::traces::TraceOptions options;
  options.format = "csv";
  options.columns = joulecast::traces::TraceColumns{"at", "in", "out"};
  options.time_unit = kUnits[data[0] % 5];
  joulecast::fuzz::replay({reinterpret_cast<const char*>(data) + 1, size - 1}, options);
  return 0;
}
