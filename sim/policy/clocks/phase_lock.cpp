#include "policy/clocks/phase_lock.hpp"

#include <algorithm>

namespace joulecast::policy {
namespace {

class PhaseLock final : public control::ClockController {
 public:
  explicit PhaseLock(control::ClockSetting locks) : locks_(locks) {}
  control::ClockSetting first() const override { return locks_; }

 private:
  control::ClockSetting locks_;
};

/// The clock of least joules within the slowdown; `given` where nothing was profiled.
template <class Seconds, class Joules>
Hertz least_joules(const control::ClockFacts& facts, Hertz given, double max_slowdown, Seconds seconds, Joules joules) {
  const auto points = facts.belief.between(Hertz(0), given);
  if (points.empty()) return given;
  const double allowed = (1 + max_slowdown) * seconds(points.back());
  const control::ClockPoint* best = &points.back();
  for (const control::ClockPoint& point : points) {
    if (seconds(point) <= allowed && joules(point) < joules(*best)) best = &point;
  }
  return best->clock;
}

}  // namespace

config::Record<PhaseLockParameters> phase_lock_record() {
  using P = PhaseLockParameters;
  using config::Bounds;
  config::Record<P> record("phase_lock");
  record.optional("prefill", &P::prefill, "chosen", Bounds::positive(), "lock of steps with prompt chunks")
      .optional("decode", &P::decode, "chosen", Bounds::positive(), "lock of pure decode steps")
      .optional("max_slowdown", &P::max_slowdown, "0.05", Bounds::between(0, 10), "a step may take so much longer, for a lock that is chosen")
      .optional("batch", &P::batch, "32", Bounds::between(1, 65536), "sequences of the decode step for which a lock is chosen")
      .optional("context", &P::context, "1024", Bounds::between(1, 1e7), "tokens of context of each of them")
      .optional("prompt", &P::prompt, "2048", Bounds::between(1, 1e7), "tokens of the prompt for which a lock is chosen");
  return record;
}

std::unique_ptr<control::ClockController> make_phase_lock(const PhaseLockParameters& parameters, const control::ClockFacts& facts) {
  const auto n = static_cast<double>(parameters.batch), context = n * static_cast<double>(parameters.context);
  const auto tokens = static_cast<double>(parameters.prompt);
  using Point = control::ClockPoint;
  control::ClockSetting locks;
  locks.prefill = parameters.prefill.value_or(Hertz(0));
  if (!parameters.prefill) {
    locks.prefill = least_joules(
        facts, facts.given.prefill, parameters.max_slowdown, [&](const Point& point) { return point.prompt_s(tokens); },
        [&](const Point& point) { return point.prompt_j(tokens); });
  }
  locks.decode = parameters.decode.value_or(Hertz(0));
  if (!parameters.decode) {
    locks.decode = least_joules(
        facts, facts.given.decode, parameters.max_slowdown, [&](const Point& point) { return point.decode_s(n, context); },
        [&](const Point& point) { return point.decode_j(n, context); });
  }
  return std::make_unique<PhaseLock>(locks);
}

}  // namespace joulecast::policy
