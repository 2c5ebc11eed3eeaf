#include "calibration/log_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "calibration/window_caps.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// What a card's own gain may be off by where no meter corrected it (Yang et al., arXiv 2312.02741, section 5: within 5 %).
constexpr double kSensorError = 0.05;
/// What a meter may be off by (SPEC Power and Performance Benchmark Methodology: an analyzer's uncertainty is to be 1 % or better).
constexpr double kMeteredError = 0.01;
constexpr std::size_t kLeastBatches = 3;

/// "no batch", "1 batch", "2 batches".
std::string counted(std::size_t n, const char* one, const char* many) {
  return n == 0 ? fmt::format("no {}", one) : fmt::format("{} {}", n, n == 1 ? one : many);
}

[[noreturn]] void no_power(const LogFitRequest& request) {
  throw UserError({request.log->source.file, 0, 0}, "no GPU of the log has power readings",
                  "log power.draw or the energy counter: `joulecast calibrate inspect` shows what is there");
}

traces::PowerKind chosen_kind(const LogFitRequest& request, std::vector<std::string>& notes) {
  for (const traces::GpuSeries& gpu : request.log->gpus) {
    const traces::PowerChannel* channel = request.kind ? gpu.channel(*request.kind) : gpu.best_channel();
    if (channel == nullptr || channel->missing >= gpu.samples()) continue;
    notes.push_back(fmt::format("watts are column {} ({})", channel->column, traces::name(channel->kind)));
    return channel->kind;
  }
  no_power(request);
}

/// The sensor of the GPU whose series shows most changes of value.
SensorLearning learn(const LogFitRequest& request, traces::PowerKind kind) {
  std::vector<std::int64_t> marks;
  for (const traces::PhaseMark& mark : request.log->marks) marks.push_back(mark.time_ns);
  std::optional<SensorLearning> best;
  for (const traces::GpuSeries& gpu : request.log->gpus) {
    const traces::PowerChannel* channel = gpu.channel(kind);
    if (channel == nullptr || channel->missing >= gpu.samples()) continue;
    auto learnt = learn_sensor(StepSignal(gpu.time_ns, channel->watts), gpu.time_ns, channel->watts, marks, request.sensor);
    if (!best || learnt.steps > best->steps) best = std::move(learnt);
  }
  return *std::move(best);
}

void check_counters(const LogFitRequest& request, LogFit& fit) {
  for (const traces::GpuSeries& gpu : request.log->gpus) {
    const traces::PowerChannel* channel = gpu.channel(fit.kind);
    if (channel == nullptr) continue;
    const std::optional<CounterFacts> facts = counter_facts(gpu, channel);
    if (!facts || facts->counter_joules <= 0 || !(facts->power_joules > 0)) continue;
    fit.counters.push_back({gpu.label(), *facts});
    if (facts->disagree()) {
      fit.warnings.push_back(
          fmt::format("GPU {}: the energy counter says {:.1f} J, power over time {:.1f} J ({:+.1f} %): phases are taken from power", gpu.label(),
                      facts->counter_joules, facts->power_joules, 100 * facts->difference()));
    }
  }
  fit.by_counter = !fit.counters.empty() &&
                   std::none_of(fit.counters.begin(), fit.counters.end(), [](const CounterCheck& check) { return check.facts.disagree(); });
  if (fit.by_counter) fit.notes.emplace_back("the energy counter and power over time agree: a phase's watts are the counter's");
}

double watts_of(const LogFit& fit, const Phase& phase) {
  return fit.by_counter && !std::isnan(phase.counter_watts) ? phase.counter_watts : phase.watts;
}

std::optional<FloorFit> floor_of(const LogFit& fit, PhaseState state, double sensor_error) {
  FloorFit floor;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Phase& phase : fit.phases.phases) {
    if (phase.facts.state != state) continue;
    const double watts = watts_of(fit, phase);
    floor.watts += watts * phase.seconds();
    floor.seconds += phase.seconds();
    ++floor.phases;
    least = std::min(least, watts);
    most = std::max(most, watts);
  }
  if (floor.phases == 0) return std::nullopt;
  floor.watts /= floor.seconds;
  floor.spread = most - least;
  floor.error = std::hypot(sensor_error, floor.spread / 2 / floor.watts);
  return floor;
}

/// The mean over phases (GPUs, repeats) of what they show at one setting.
struct Setting {
  double watts = 0, step_seconds = 0, clock = 0;
  std::size_t phases = 0, timed = 0;
};

template <class Key>
std::map<double, Setting, std::greater<>> by_setting(const LogFit& fit, const std::vector<const Phase*>& phases, Key key) {
  std::map<double, Setting, std::greater<>> all;
  for (const Phase* phase : phases) {
    Setting& s = all[key(*phase)];
    s.watts += watts_of(fit, *phase);
    s.clock += phase->clock_hertz;
    ++s.phases;
    if (phase->facts.step_seconds > 0) {
      s.step_seconds += phase->facts.step_seconds;
      ++s.timed;
    }
  }
  for (auto& [at, s] : all) {
    s.watts /= static_cast<double>(s.phases);
    s.clock /= static_cast<double>(s.phases);
    s.step_seconds = s.timed > 0 ? s.step_seconds / static_cast<double>(s.timed) : kNaN;
  }
  return all;
}

/// Active phases of one kind of work, grouped by name and batch; the group with most distinct settings.
template <class Key>
std::vector<const Phase*> largest_group(const LogFit& fit, Key key) {
  std::map<std::pair<std::string, double>, std::vector<const Phase*>> groups;
  for (const Phase& phase : fit.phases.phases) {
    if (phase.facts.state == PhaseState::active && key(phase) > 0) groups[{phase.facts.work, phase.facts.batch}].push_back(&phase);
  }
  std::vector<const Phase*> best;
  std::size_t most = 0;
  for (const auto& [name, phases] : groups) {
    std::map<double, int> settings;
    for (const Phase* phase : phases) ++settings[key(*phase)];
    if (settings.size() > most) {
      most = settings.size();
      best = phases;
    }
  }
  return best;
}

void fit_clock(const LogFitRequest& request, LogFit& fit) {
  const auto locked = [](const Phase& phase) {
    if (phase.facts.cap_watts > 0) return 0.0;
    return phase.facts.clock_hertz > 0 ? phase.facts.clock_hertz : std::round(phase.clock_hertz / 15e6) * 15e6;
  };
  const std::vector<const Phase*> group = largest_group(fit, locked);
  for (const auto& [clock, s] : by_setting(fit, group, locked)) {
    const double seconds = s.step_seconds - request.host_step_seconds;
    fit.clock_points.push_back({Hertz(s.clock > 0 ? s.clock : clock), seconds > 0 ? seconds : kNaN, s.watts});
  }
  if (fit.clock_points.size() < 2) {
    fit.refused.push_back(
        {"power and time against the clock", counted(fit.clock_points.size(), "locked clock of the same work", "locked clocks of the same work"),
         "`nvidia-smi -lgc F,F` at six clocks or more, a minute each, with marks clock=MHZ (`joulecast record --plan clock-sweep`)"});
    return;
  }
  Hertz top = request.base.clocks.highest.value;
  for (const ClockPoint& point : fit.clock_points) top = std::max(top, point.clock);
  const ClockShape kept{request.base.clock.sharpness.value, request.base.power.knee.value, request.base.power.voltage_ratio.value};
  ClockCurve curve = fit_clock_curve(fit.clock_points, top, kept);
  fit.clock_quality = clock_curve_quality(curve, fit.clock_points, kept);
  fit.clock = std::move(curve);
  if (request.log->marks.empty()) {
    fit.warnings.emplace_back(
        "no marks say what ran: the clock curve takes all phases with work for the same work; look at points.csv before using it");
  }
  fit.refused.insert(fit.refused.end(), fit.clock->refused.begin(), fit.clock->refused.end());
  if (!fit.clock->time) {
    fit.refused.push_back(
        {"time against the clock", "the log holds no step times", "give a log of the load beside it (--load), or step_s= in the marks"});
  }
}

void take_cap_points(LogFit& fit) {
  const auto cap = [](const Phase& phase) { return phase.facts.cap_watts; };
  for (const auto& [limit, s] : by_setting(fit, largest_group(fit, cap), cap)) {
    if (!std::isnan(s.step_seconds)) fit.cap_points.push_back({Watts(limit), s.step_seconds});
  }
}

void fit_cap(LogFit& fit) {
  if (fit.cap_points.size() < 2) {
    fit.refused.push_back({"time against the power limit",
                           counted(fit.cap_points.size(), "power limit with a step time", "power limits with a step time"),
                           "the same work under four limits or more, with marks cap=WATTS and step times (`joulecast record --plan cap-sweep`)"});
    return;
  }
  fit.cap = fit_cap_curve(fit.cap_points);
  fit.refused.insert(fit.refused.end(), fit.cap->refused.begin(), fit.cap->refused.end());
}

/// Finds how the load's times lie on the power's.
void place_load(const LogFitRequest& request, LogFit& fit) {
  if (!request.load) return;
  if (request.load_offset) {
    fit.load_offset = LoadOffset{*request.load_offset, kNaN};
    fit.notes.push_back(fmt::format("the load's times were moved by {:+.2f} s, as stated", *request.load_offset));
  } else {
    for (const traces::GpuSeries& gpu : request.log->gpus) {
      const traces::PowerChannel* channel = gpu.channel(fit.kind);
      if (channel == nullptr || channel->missing >= gpu.samples()) continue;
      fit.load_offset = find_load_offset(*request.load, StepSignal(gpu.time_ns, channel->watts));
      break;
    }
    constexpr double kTogether = 0.3;
    if (fit.load_offset->correlation < kTogether) {
      fit.warnings.push_back(fmt::format("running sequences and watts {}: the load's times are taken as they are; state --load-offset",
                                         fit.load_offset->correlation < -1
                                             ? std::string("are too short or too steady together to be aligned")
                                             : fmt::format("don't move together (correlation {:.2f})", fit.load_offset->correlation)));
      fit.load_offset = LoadOffset{0, kNaN};
    }
    // What the sensor adds to the delay is no fault of the clocks.
    if (!std::isnan(fit.load_offset->correlation)) fit.load_offset->seconds -= fit.sensor.model.centre();
    fit.notes.push_back(std::isnan(fit.load_offset->correlation)
                            ? std::string("the load's times are taken as they are")
                            : fmt::format("the load's times were moved by {:+.2f} s, where running sequences and watts correlate best ({:.3f})",
                                          fit.load_offset->seconds, fit.load_offset->correlation));
  }
}

/// Cuts by the log's marks; without any by the load beside it; without that by the mean.
void cut(const LogFitRequest& request, LogFit& fit) {
  place_load(request, fit);
  if (request.load && request.log->marks.empty()) {
    traces::PowerLog marked = *request.log;
    marked.marks = marks_of_load(*request.load, fit.load_offset->seconds);
    fit.phases = find_phases(marked, fit.kind, fit.sensor.model);
    if (!marked.marks.empty()) fit.notes.emplace_back("the marks are those at which the load's running sequences change");
  } else {
    fit.phases = find_phases(*request.log, fit.kind, fit.sensor.model);
  }
  if (request.load) add_load(fit.phases.phases, *request.load, fit.load_offset->seconds);
  fit.notes.insert(fit.notes.end(), fit.phases.notes.begin(), fit.phases.notes.end());
}

/// Phases with a batch that are of one work and one lock: unlocked, else of the highest lock, but where that has fewer than three batches and another
/// has them.
std::vector<const Phase*> batch_phases(LogFit& fit) {
  std::map<std::pair<std::string, double>, std::vector<const Phase*>> groups;
  std::set<std::string> works;
  for (const Phase& phase : fit.phases.phases) {
    if (phase.facts.state != PhaseState::active || phase.batch <= 0 || phase.facts.cap_watts > 0) continue;
    groups[{phase.facts.work, phase.facts.clock_hertz}].push_back(&phase);
    works.insert(phase.facts.work);
  }
  std::vector<const Phase*> best;
  std::tuple<std::size_t, double, std::size_t> most;
  for (const auto& [of, phases] : groups) {
    std::set<double> batches;
    for (const Phase* phase : phases) batches.insert(phase->batch);
    const double lock = of.second > 0 ? of.second : std::numeric_limits<double>::infinity();
    const std::tuple worth(std::min(batches.size(), kLeastBatches), lock, batches.size());
    if (!best.empty() && worth <= most) continue;
    most = worth;
    best = phases;
    fit.batch_lock = Hertz(of.second);
  }
  if (works.size() > 1) {
    fit.notes.push_back(
        fmt::format("step time and watts against batch are those of work \"{}\": the log has {} works", best.front()->facts.work, works.size()));
  }
  return best;
}

void fit_batch(LogFit& fit) {
  const std::vector<const Phase*> phases = batch_phases(fit);
  for (const auto& [batch, s] : by_setting(fit, phases, [](const Phase& phase) { return phase.batch; })) {
    fit.batch_points.push_back({batch, s.step_seconds, s.watts});
  }
  if (fit.batch_points.size() < kLeastBatches) {
    fit.refused.push_back({"step time and watts against batch", counted(fit.batch_points.size(), "batch", "batches"),
                           "three batches or more with marks batch=N and step times (`joulecast record --plan batch-sweep`)"});
    return;
  }
  fit.batch = fit_batch_curve(fit.batch_points);
  fit.refused.insert(fit.refused.end(), fit.batch->refused.begin(), fit.batch->refused.end());
}

/// A part that the log does not let be fitted is refused by itself.
template <class Fit>
void apart(LogFit& fit, const char* name, Fit part) {
  try {
    part();
  } catch (const UserError& error) {
    fit.refused.push_back({name, error.faults().front().what, error.faults().front().remedy});
  }
}

}  // namespace

namespace {

/// A log of windows alone: each named by the limit it ran under is a point of the cap curve, and nothing else is in it.
LogFit fit_windows(const LogFitRequest& request) {
  LogFit fit;
  fit.cap_points = cap_points_of_windows(*request.log);
  if (fit.cap_points.size() < 2) no_power(request);
  fit.notes.emplace_back("the log holds windows of work under power limits, no power over time: the time under a limit is all it gives");
  fit.refused.push_back(
      {"idle watts, power against clock and batch", "no power over time in the log", "`joulecast record`, or nvidia-smi's log of the same GPU"});
  apart(fit, "time against the power limit", [&] { fit_cap(fit); });
  return fit;
}

}  // namespace

LogFit fit_log(const LogFitRequest& request) {
  if (request.log->gpus.empty() && !request.log->windows.empty()) return fit_windows(request);
  LogFit fit;
  fit.kind = chosen_kind(request, fit.notes);
  fit.sensor = learn(request, fit.kind);
  if (request.load_period) {
    SensorModel worst = fit.sensor.model;
    // A window that is only assumed must not silence the warning: a steady load that keeps step with the sensor is what hides it.
    if (!fit.sensor.window_learnt && !request.sensor.window) worst.window = 0;
    if (auto locked = locked_period(worst, *request.load_period)) fit.warnings.push_back(*std::move(locked));
  }
  check_counters(request, fit);
  cut(request, fit);
  const bool metered = fit.kind == traces::PowerKind::meter || request.sensor.gain.has_value();
  const double error = metered ? kMeteredError : kSensorError;
  fit.bare_idle = floor_of(fit, PhaseState::bare_idle, error);
  fit.context_idle = floor_of(fit, PhaseState::context_idle, error);
  fit.spin_wait = floor_of(fit, PhaseState::spin_wait, error);
  const auto missing = [&](const std::optional<FloorFit>& floor, const char* name, const char* measure) {
    if (!floor) fit.refused.push_back({name, "no such phase in the log", measure});
  };
  missing(fit.bare_idle, "bare idle", "three minutes without any process on the GPU, marked bare-idle");
  missing(fit.context_idle, "context idle", "three minutes with the model loaded and no request, marked context-idle");
  missing(fit.spin_wait, "spin-wait", "a collective that waits for a peer which is held back, marked spin-wait");
  apart(fit, "power and time against the clock", [&] { fit_clock(request, fit); });
  apart(fit, "time against the power limit", [&] {
    take_cap_points(fit);
    fit_cap(fit);
  });
  apart(fit, "step time and watts against batch", [&] { fit_batch(fit); });
  fit.refused.push_back(
      {"class watts", "a board's power is the sum over classes of work", "operation tables with watts, or serving runs over batch"});
  return fit;
}

}  // namespace joulecast::calibration
