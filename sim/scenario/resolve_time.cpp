#include <algorithm>

#include "scenario/resolver.hpp"

namespace joulecast::scenario {

void Resolver::time() {
  const TimeTable& table = file_.time;
  const bool replays =
      std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.trace && !t.trace->repeat; });
  const bool counted = std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.num_requests.has_value(); });
  scenario_.at_end = replays || counted ? AtEnd::drain : AtEnd::cut;
  if (table.at_end) {
    if (*table.at_end != "cut" && *table.at_end != "drain") {
      diagnostics_.error(table.place, "at_end = \"" + *table.at_end + "\" is not known", "write \"cut\" or \"drain\"");
    }
    scenario_.at_end = *table.at_end == "cut" ? AtEnd::cut : AtEnd::drain;
  }
  scenario_.duration = table.duration;
  if (!table.duration && !replays && !counted) scenario_.duration = Seconds(3600);
  if (!scenario_.duration && scenario_.at_end == AtEnd::cut) {
    diagnostics_.error(table.place, "at_end = \"cut\" needs a duration here", "add duration = \"1 h\" to [time], or write at_end = \"drain\"");
  }
  scenario_.warmup = table.warmup;
  scenario_.bin = table.bin;
  if (scenario_.duration && scenario_.duration->si() / table.bin.si() > 5e7) {
    diagnostics_.error(table.place, "more than 50 million bins", "choose a wider bin or a shorter duration");
  }
  if (scenario_.duration && table.warmup >= *scenario_.duration) {
    diagnostics_.error(table.place, "the warmup is as long as the run", "make it shorter than the duration");
  }
}

}  // namespace joulecast::scenario
