#include "calibration/sensor_learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/change_points.hpp"
#include "fit/held_out.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastPlateau = 2, kMostRise = 3;  // s
/// A rise of so many updates and more is a window; a shorter one may be the update that the step fell into.
constexpr double kTold = 2.5;
constexpr std::size_t kMostSteps = 24;

double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }
std::int64_t nanoseconds(double s) { return std::llround(s * 1e9); }

/// The signal at equal distances: what change points need of a log whose rows come irregularly. A long log's beginning shows its sensor as well as all
/// of it.
std::vector<double> resampled(const StepSignal& shown, std::int64_t step_ns) {
  constexpr std::size_t kMostValues = 20'000;
  std::vector<double> values;
  for (std::int64_t t = shown.begin_ns(); t <= shown.last_ns() && values.size() < kMostValues; t += step_ns) values.push_back(shown.at(t));
  return values;
}

/// The sum of squares of the best ramp of this width, and when it begins.
std::pair<double, std::int64_t> ramp(std::span<const double> shares, std::int64_t first_ns, std::int64_t step_ns, double width, double settle) {
  double best = std::numeric_limits<double>::infinity();
  std::int64_t begin = first_ns;
  const double length = seconds(step_ns) * static_cast<double>(shares.size());
  for (double at = 0; at + width <= length; at += 0.01) {
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      // A value shown at t was taken up to one update before: in the middle, half of one.
      const double t = seconds(step_ns) * static_cast<double>(i) - at - settle;
      const double expected = width > 0 ? std::clamp(t / width, 0.0, 1.0) : (t >= 0 ? 1 : 0);
      sum += (shares[i] - expected) * (shares[i] - expected);
    }
    if (sum < best) {
      best = sum;
      begin = first_ns + nanoseconds(at);
    }
  }
  return {best, begin};
}

SeenStep fit_step(const StepSignal& shown, std::int64_t from_ns, std::int64_t to_ns, double low, double high, double update) {
  const std::int64_t step_ns = std::max<std::int64_t>(10'000'000, nanoseconds(update / 4));
  std::vector<double> shares;
  for (std::int64_t t = from_ns; t <= to_ns; t += step_ns) shares.push_back((shown.at(t) - low) / (high - low));
  SeenStep step{from_ns, 0, low, high};
  double best = std::numeric_limits<double>::infinity();
  for (double width = 0; width <= 1.6; width += 0.02) {
    const auto [sum, begin] = ramp(shares, from_ns, step_ns, width, update / 2);
    if (sum < best) {
      best = sum;
      step.begin_ns = begin;
      step.window = width;
    }
  }
  return step;
}

double median(std::vector<double> values) { return fit::quantile(std::move(values), 0.5); }

/// Steps whose beginning lies near a mark, by how much later.
std::vector<double> lags(const std::vector<SeenStep>& steps, std::span<const std::int64_t> marks_ns) {
  std::vector<double> all;
  for (const SeenStep& step : steps) {
    double nearest = kNaN;
    for (const std::int64_t mark : marks_ns) {
      const double later = seconds(step.begin_ns - mark);
      if (std::abs(later) <= 2 && (std::isnan(nearest) || std::abs(later) < std::abs(nearest))) nearest = later;
    }
    if (!std::isnan(nearest)) all.push_back(nearest);
  }
  return all;
}

}  // namespace

UpdatePeriod learn_update_period(std::span<const std::int64_t> time_ns, std::span<const double> watts) {
  UpdatePeriod result;
  std::vector<double> gaps, polls;
  std::int64_t changed = 0;
  double before = kNaN;
  for (std::size_t i = 0; i < watts.size(); ++i) {
    if (i > 0) polls.push_back(seconds(time_ns[i] - time_ns[i - 1]));
    if (std::isnan(watts[i])) continue;
    if (!std::isnan(before) && watts[i] != before) {
      if (result.changes > 0) gaps.push_back(seconds(time_ns[i] - changed));
      ++result.changes;
      changed = time_ns[i];
    }
    before = watts[i];
  }
  result.polls = polls.empty() ? kNaN : median(std::move(polls));
  constexpr std::size_t kLeastChanges = 8;
  if (result.changes < kLeastChanges) {
    result.seconds = kNaN;
    return result;
  }
  const double quarter = fit::quantile(gaps, 0.25);
  std::erase_if(gaps, [&](double gap) { return gap > 1.5 * quarter; });
  result.seconds = median(std::move(gaps));
  return result;
}

std::vector<SeenStep> seen_steps(const StepSignal& shown, double update_period) {
  const std::int64_t step_ns = nanoseconds(std::max(update_period, 0.05));
  const std::vector<double> values = resampled(shown, step_ns);
  std::vector<MeanSegment> plateaus;
  for (const MeanSegment& segment : change_points(values, 1, 2, 5)) {
    if (static_cast<double>(segment.size()) * seconds(step_ns) >= kLeastPlateau) plateaus.push_back(segment);
  }
  std::vector<SeenStep> steps;
  for (std::size_t i = 1; i < plateaus.size() && steps.size() < kMostSteps; ++i) {
    const MeanSegment &low = plateaus[i - 1], &high = plateaus[i];
    const double rise = std::abs(high.mean - low.mean);
    if (static_cast<double>(high.begin - low.end) * seconds(step_ns) > kMostRise) continue;
    if (rise < 20 || rise < 0.1 * std::max(low.mean, high.mean)) continue;
    const auto at = [&](std::size_t index) { return shown.begin_ns() + static_cast<std::int64_t>(index) * step_ns; };
    steps.push_back(fit_step(shown, at(low.end) - nanoseconds(0.8), at(high.begin) + nanoseconds(1.0), low.mean, high.mean, update_period));
  }
  return steps;
}

SensorLearning learn_sensor(const StepSignal& shown, std::span<const std::int64_t> time_ns, std::span<const double> watts,
                            std::span<const std::int64_t> marks_ns, const SensorStatement& stated) {
  SensorLearning result;
  SensorModel& model = result.model;
  result.update = learn_update_period(time_ns, watts);
  const bool seen = result.update.resolved();
  model.period = stated.period.value_or(seen ? result.update.seconds : std::max(0.02, std::isnan(result.update.polls) ? 0.1 : result.update.polls));
  if (stated.period) {
    result.notes.push_back(fmt::format("update period {:.0f} ms, as stated", 1e3 * model.period));
  } else if (seen) {
    result.notes.push_back(fmt::format("update period {:.0f} ms, from {} changes of value", 1e3 * model.period, result.update.changes));
  } else {
    result.notes.push_back(fmt::format(
        "the update period does not show at a sample every {:.0f} ms: taken as that; poll five times as often to see it", 1e3 * model.period));
  }
  const std::vector<SeenStep> steps = seen_steps(shown, model.period);
  result.steps = steps.size();
  std::vector<double> windows;
  for (const SeenStep& step : steps) windows.push_back(step.window);
  const double rise = windows.empty() ? kNaN : median(windows);
  if (stated.window) {
    model.window = *stated.window;
    result.notes.push_back(fmt::format("averaging window {:.0f} ms, as stated", 1e3 * model.window));
  } else if (!std::isnan(rise) && rise > kTold * model.period) {
    model.window = rise;
    result.window_learnt = true;
    result.notes.push_back(
        fmt::format("averaging window {:.0f} ms, from the rise at {} step{}", 1e3 * rise, steps.size(), steps.size() == 1 ? "" : "s"));
  } else if (!std::isnan(rise)) {
    model.window = 0.25 * model.period;
    result.window_learnt = true;
    result.notes.push_back(fmt::format("averaging window of two updates at the most, from the rise at {} step{}; a quarter of one assumed",
                                       steps.size(), steps.size() == 1 ? "" : "s"));
  } else {
    model.window = 1;
    result.notes.emplace_back(
        "the averaging window does not show (no step between two levels of 2 s each): 1 s is assumed, so a second after each "
        "change is left out; state it with --sensor window=..");
  }
  const std::vector<double> later = lags(steps, marks_ns);
  if (stated.lag) {
    model.lag = *stated.lag;
    result.notes.push_back(fmt::format("lag {:.0f} ms, as stated", 1e3 * model.lag));
  } else if (later.size() >= 2) {
    model.lag = std::max(0.0, median(later));
    result.lag_learnt = true;
    result.notes.push_back(fmt::format("lag {:.0f} ms, from {} steps beside their marks", 1e3 * model.lag, later.size()));
  } else {
    result.notes.emplace_back("the lag does not show without two marked steps: 0 assumed");
  }
  model.gain = stated.gain.value_or(1);
  model.offset = stated.offset.value_or(0);
  result.notes.push_back(stated.gain || stated.offset ? fmt::format("gain {:.4g}, offset {:.3g} W, as {}", model.gain, model.offset,
                                                                    stated.by_meter ? "the meter shows" : "stated")
                                                      : "gain 1 and offset 0 W assumed, within 5 %: only another meter can tell");
  return result;
}

namespace {

/// Correlation of the reference at t with what was shown at t + shift, over the time both have; -2 where they have too little or one stands still.
double correlation(const StepSignal& reference, const StepSignal& shown, std::int64_t shift, std::int64_t step) {
  const std::int64_t begin = std::max(reference.begin_ns(), shown.begin_ns() - shift), end = std::min(reference.last_ns(), shown.last_ns() - shift);
  double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
  for (std::int64_t t = begin; t <= end; t += step) {
    const double x = reference.at(t), y = shown.at(t + shift);
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    syy += y * y;
    sxy += x * y;
  }
  const double spread = (n * sxx - sx * sx) * (n * syy - sy * sy);
  return n < 10 || spread <= 0 ? -2 : (n * sxy - sx * sy) / std::sqrt(spread);
}

Alignment best_shift(const StepSignal& reference, const StepSignal& shown, std::int64_t centre, std::int64_t most, std::int64_t step) {
  constexpr std::int64_t kMostSamples = 20'000;
  const std::int64_t length = std::min(reference.last_ns() - reference.begin_ns(), shown.last_ns() - shown.begin_ns());
  const std::int64_t sampling = std::max(step, length / kMostSamples);
  Alignment best{seconds(centre), -2};
  double most_score = -2;
  for (std::int64_t shift = centre - most; shift <= centre + most; shift += step) {
    const double found = correlation(reference, shown, shift, sampling);
    // Little overlap fits easily: a shift counts by the share of the shorter signal that it leaves. Of equally good shifts the smallest is taken, for a
    // periodic load fits itself again a period later.
    const std::int64_t begin = std::max(reference.begin_ns(), shown.begin_ns() - shift), end = std::min(reference.last_ns(), shown.last_ns() - shift);
    const double score = found <= 0 || length <= 0 ? found : found * static_cast<double>(end - begin) / static_cast<double>(length);
    const bool nearer = score > most_score - 1e-9 && std::abs(seconds(shift)) < std::abs(best.seconds);
    if (score > most_score + 1e-9 || nearer) {
      best = {seconds(shift), found};
      most_score = score;
    }
  }
  return best;
}

}  // namespace

Alignment align(const StepSignal& reference, const StepSignal& shown, double most) {
  constexpr std::int64_t kFine = 10'000'000;
  constexpr double kFineRange = 2;
  if (most <= kFineRange) return best_shift(reference, shown, 0, nanoseconds(most), kFine);
  const std::int64_t coarse_step = nanoseconds(std::max(0.1, most / 300));
  const Alignment coarse = best_shift(reference, shown, 0, nanoseconds(most), coarse_step);
  return best_shift(reference, shown, nanoseconds(coarse.seconds), 2 * coarse_step, kFine);
}

}  // namespace joulecast::calibration
