#include "calibration/load_join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "calibration/change_points.hpp"
#include "calibration/sensor_learning.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The samples of a phase, by what the load log says in them.
class Window {
 public:
  Window(const traces::EngineLoad& load, const Phase& phase, std::int64_t offset_ns) : load_(load) {
    for (std::size_t i = 0; i < load.samples(); ++i) {
      if (load.time_ns[i] + offset_ns >= phase.from_ns && load.time_ns[i] + offset_ns < phase.to_ns) rows_.push_back(i);
    }
  }

  std::vector<double> values(const std::vector<double>& column) const {
    std::vector<double> some;
    for (const std::size_t i : rows_) {
      if (!column.empty() && !std::isnan(column[i])) some.push_back(column[i]);
    }
    return some;
  }

  double mean(const std::vector<double>& column) const {
    const std::vector<double> all = values(column);
    double sum = 0;
    for (const double value : all) sum += value;
    return all.empty() ? kNaN : sum / static_cast<double>(all.size());
  }

  /// How fast a counter rises, a second.
  double rate(const std::vector<double>& counter) const {
    std::optional<std::size_t> first, last;
    for (const std::size_t i : rows_) {
      if (counter.empty() || std::isnan(counter[i])) continue;
      if (!first) first = i;
      last = i;
    }
    if (!first || *last == *first) return kNaN;
    return (counter[*last] - counter[*first]) / (static_cast<double>(load_.time_ns[*last] - load_.time_ns[*first]) * 1e-9);
  }

  double step_seconds() const {
    const double counted = rate(load_.steps);
    if (counted > 0) return 1 / counted;
    const std::vector<double> logged = values(load_.step_seconds);
    if (!logged.empty()) return fit::quantile(logged, 0.5);
    double tokens = rate(load_.generation_tokens);
    if (!(tokens > 0)) tokens = mean(load_.generation_rate);
    const double running = mean(load_.running);
    return tokens > 0 && running > 0 ? running / tokens : 0;
  }

 private:
  const traces::EngineLoad& load_;
  std::vector<std::size_t> rows_;
};

}  // namespace

LoadOffset find_load_offset(const traces::EngineLoad& load, const StepSignal& watts) {
  const bool running = std::any_of(load.running.begin(), load.running.end(), [](double r) { return !std::isnan(r); });
  if (!running) return {0, kNaN};
  // The first sequences raise the watts most, the sixty-fourth hardly.
  std::vector<double> logarithms;
  for (const double r : load.running) logarithms.push_back(std::log1p(std::max(0.0, r)));
  for (std::size_t i = 0; i < load.running.size(); ++i) {
    if (std::isnan(load.running[i])) logarithms[i] = kNaN;
  }
  const Alignment found = align(StepSignal(load.time_ns, logarithms), watts, 30);
  return {found.seconds, found.correlation};
}

std::vector<traces::PhaseMark> marks_of_load(const traces::EngineLoad& load, double offset_seconds) {
  if (std::all_of(load.running.begin(), load.running.end(), [](double r) { return std::isnan(r); })) return {};
  constexpr std::int64_t kMostValues = 20'000;
  const StepSignal running(load.time_ns, load.running);
  const std::int64_t step = std::max<std::int64_t>(1'000'000'000, (running.last_ns() - running.begin_ns()) / kMostValues);
  std::vector<double> values;
  for (std::int64_t t = running.begin_ns(); t <= running.last_ns(); t += step) values.push_back(running.mean(t, t + step));
  std::vector<traces::PhaseMark> marks;
  const auto offset = static_cast<std::int64_t>(std::llround(offset_seconds * 1e9));
  for (const MeanSegment& segment : change_points(values, 0.5, 3, 0.5)) {
    const double batch = std::round(segment.mean);
    marks.push_back({running.begin_ns() + static_cast<std::int64_t>(segment.begin) * step + offset,
                     batch >= 1 ? fmt::format("batch={:.0f}", batch) : std::string("context-idle")});
  }
  // Nothing is known of what ran behind the load's last time.
  marks.push_back({running.last_ns() + offset, "load-ends"});
  return marks;
}

void add_load(std::vector<Phase>& phases, const traces::EngineLoad& load, double offset_seconds) {
  const auto offset = static_cast<std::int64_t>(std::llround(offset_seconds * 1e9));
  for (Phase& phase : phases) {
    if (phase.facts.state != PhaseState::active) continue;
    const Window window(load, phase, offset);
    const double batch = window.mean(load.running);
    if (phase.batch == 0 && batch > 0) phase.batch = batch;
    if (phase.facts.step_seconds == 0) phase.facts.step_seconds = window.step_seconds();
  }
}

}  // namespace joulecast::calibration
