#pragma once

#include <optional>

#include "training/replay.hpp"

namespace joulecast::policy {

/// A plan carried out with real clock changes.
struct Charged {
  training::Replay replay;
  training::Plan achieved;   ///< the points that operations really ran at
  std::int64_t changes = 0;  ///< clock changes asked for in one iteration, the one back to its start included
  std::int64_t late = 0;     ///< operations that began before the clock of their plan had come
};

struct ChargeOptions {
  FixedTime latency;                 ///< from the request of a clock to its effect
  std::optional<Watts> stage_limit;  ///< power cap over the GPUs of a stage; none: no cap acts
  std::optional<FixedTime> until;    ///< a straggler, as in `replay`
};

/// What a plan costs when a clock change takes time. A stage asks for an operation's clock when the operation before it has ended, if it differs from
/// the one last asked for, and waiting until its start counts; the first operation's is asked for when the iteration begins, at which the last one's
/// of the iteration before is in effect. An operation runs, from its beginning to its end, at the clock asked for last of those whose latency has
/// passed when it starts. A cap makes it slower still: the highest clock not above that at which the mean watts are within the cap. Operations whose
/// kind has one point have no clock. Where a kind is not profiled at the clock in effect the nearest one stands for it. Latency 0 and no cap:
/// `replay` of the plan to the bit.
Charged charge_switches(const training::Iteration& iteration, const training::Plan& plan, const ChargeOptions& options);

}  // namespace joulecast::policy
