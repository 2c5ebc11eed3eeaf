// Any bytes are a table of power limits, kernels or passes, or a UserError. The first byte chooses the reader.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "traces/power/kernel_table.hpp"
#include "traces/power/power_limits.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace joulecast;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] % 3 == 0) {
      for (const auto& job : traces::read_power_limits(traces::TextLines(text, "fuzz")).jobs) {
        JOULECAST_CHECK(!job.rows.empty(), "a job without rows");
        for (const auto& row : job.rows) JOULECAST_CHECK((row.power * row.time).si() >= 0 && row.limit.si() > 0, "a row of nothing");
      }
    } else if (data[0] % 3 == 1) {
      for (const auto& row : traces::read_kernel_table(traces::TextLines(text, "fuzz"))) {
        JOULECAST_CHECK(row.repeat > 0 && row.auto_time.si() > 0 && row.best_time_change > -1, "a kernel of nothing");
      }
    } else {
      const auto table = traces::read_pass_table(traces::TextLines(text, "fuzz"));
      JOULECAST_CHECK(!table.forward.empty() && !table.backward.empty(), "a pass without rows");
    }
  } catch (const UserError& error) {
    for (const UserFault& fault : error.faults()) JOULECAST_CHECK(!fault.what.empty() && !fault.remedy.empty(), "a fault without words");
  }
  return 0;
}
