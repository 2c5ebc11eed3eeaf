// Any bytes are a stage profile or a UserError; what is read is whole: every pass of every stage at the same falling clocks, all above 0.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "traces/power/stage_profile.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace joulecast;
  try {
    const auto profile = traces::read_stage_profile(traces::TextLines(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz"));
    std::size_t rows = 0;
    const std::size_t clocks = profile.stages.front().forward.size();
    for (const auto& stage : profile.stages) {
      for (const auto* pass : {&stage.forward, &stage.backward}) {
        JOULECAST_CHECK(pass->size() == clocks && clocks > 0, "a pass without a clock that others have");
        for (std::size_t i = 0; i < pass->size(); ++i) {
          const auto& row = (*pass)[i];
          JOULECAST_CHECK(row.time.si() > 0 && row.energy.si() > 0 && row.clock.si() > 0, "a row of nothing");
          JOULECAST_CHECK(i == 0 || row.clock < (*pass)[i - 1].clock, "clocks that do not fall");
        }
        rows += pass->size();
      }
    }
    JOULECAST_CHECK(rows == static_cast<std::size_t>(profile.rows), "rows lost");
  } catch (const UserError& error) {
    for (const UserFault& fault : error.faults()) JOULECAST_CHECK(!fault.what.empty() && !fault.remedy.empty(), "a fault without words");
  }
  return 0;
}
