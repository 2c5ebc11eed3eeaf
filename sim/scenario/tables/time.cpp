#include "scenario/tables/time.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<TimeTable> time_record() {
  Record<TimeTable> record("time");
  record.place(&TimeTable::place)
      .optional("duration", &TimeTable::duration, "a trace's length, else \"1 h\"", Bounds::between(1e-6, 9.0e8),
                "simulated time in which requests arrive")
      .optional("warmup", &TimeTable::warmup, "\"0 s\"", Bounds::between(0, 9.0e8), "left out of latency and power statistics, never of energy")
      .optional("at_end", &TimeTable::at_end, "\"drain\" for a trace, else \"cut\"", Bounds::any(),
                "\"cut\": the run ends with the duration; \"drain\": it goes on, beyond it if need be, until every request is done")
      .optional("bin", &TimeTable::bin, "\"1 s\"", Bounds::between(1e-3, 86400), "width of the bins of power over time")
      .optional("start", &TimeTable::start, "", Bounds::any(),
                "the date and time at which the run begins, needed by series with dates; without an offset it is in the site's timezone");
  return record;
}

}  // namespace joulecast::scenario
