#include <algorithm>

#include "scenario/resolver.hpp"

namespace joulecast::scenario {

void Resolver::time() {
  const TimeTable& table = file_.time;
  const bool replays =
      std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.trace && !t.trace->repeat; });
  const bool counted = std::any_of(scenario_.traffics.begin(), scenario_.traffics.end(), [](const Traffic& t) { return t.num_requests.has_value(); });
  const bool jobs_alone = scenario_.traffics.empty() && !scenario_.jobs.empty();
  scenario_.at_end = replays || counted || jobs_alone ? AtEnd::drain : AtEnd::cut;
  if (table.at_end) {
    if (*table.at_end != "cut" && *table.at_end != "drain") {
      diagnostics_.error(table.place, "at_end = \"" + *table.at_end + "\" is not known", "write \"cut\" or \"drain\"");
    }
    scenario_.at_end = *table.at_end == "cut" ? AtEnd::cut : AtEnd::drain;
  }
  scenario_.duration = table.duration;
  if (!table.duration && !replays && !counted && !jobs_alone) scenario_.duration = Seconds(3600);
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
  for (Traffic& traffic : scenario_.traffics) {
    if (traffic.trace && !traffic.trace->rebase && scenario_.start) traffic.trace->run_begins_ns = scenario_.start->ns;
    if (!traffic.arrivals.daily) continue;
    if (scenario_.start) traffic.arrivals.daily->start_local_ns_of_day = scenario_.start->local_ns_of_day();
    if (!table.start) {
      diagnostics_.error(table.place, "traffic \"" + traffic.name + "\" has a daily shape, and the run has no start",
                         "add start = 2026-03-02T00:00:00+01:00, the date and time at which the run begins, to [time]");
    }
  }
}

}  // namespace joulecast::scenario
