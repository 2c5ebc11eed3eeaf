#include "training/chunk_pass.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::training {

namespace {

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

/// Power of the smooth maximum of GPU and host time.
constexpr double kHostSharpness = 4;

double smooth_maximum(double device, double host) {
  if (host <= 0) return device;
  const double larger = std::max(device, host), smaller = std::min(device, host);
  return larger * std::pow(1 + std::pow(smaller / larger, kHostSharpness), 1 / kHostSharpness);
}

/// Class watts of one layer pass at a clock.
std::array<double, kWorks> watts_of(const hardware::GpuProfile& gpu, const hardware::ClockScaling& scaling, const LayerPass& pass) {
  double flops = 0, seconds = 0;
  for (const auto& each : pass.work) {
    if (each.work != Work::gemm) continue;
    flops += each.flops;
    seconds += each.timing.total;
  }
  std::array<double, kWorks> watts{hardware::gemm_watts(gpu, flops, seconds), gpu.watts.attention.value.si(), gpu.watts.elementwise.value.si(),
                                   gpu.watts.collective.value.si(), gpu.watts.host.value.si()};
  for (auto& each : watts) each = scaling.watts(each);
  return watts;
}

}  // namespace

/// Of one GPU.
struct OperatingPoints::Cost {
  double seconds = 0, joules = 0;
  double communication_seconds = 0, communication_joules = 0;
  double recompute_seconds = 0, recompute_joules = 0;
};

OperatingPoints::OperatingPoints(const hardware::GpuProfile& gpu, const ClockSettings& settings)
    : gpu_(gpu), cap_(settings.cap.value_or(gpu.power_limit.standard.value).si()), every_clock_(settings.every_clock) {
  const Hertz lock = settings.lock.value_or(gpu.clocks.reference.value);
  clocks_.push_back(lock);
  const auto list = gpu.clock_list();
  for (auto each = list.rbegin(); each != list.rend(); ++each) {
    if (*each < lock) clocks_.push_back(*each);
  }
  for (const auto each : clocks_) scalings_.emplace_back(gpu, each, settings.speed_factor);
}

OperatingPoints::Cost OperatingPoints::at(const hardware::ClockScaling& scaling, const std::vector<RepeatedPass>& passes) const {
  Cost cost;
  for (const auto& [pass, times] : passes) {
    const auto watts = watts_of(gpu_, scaling, pass);
    double device = 0, joules = 0, recomputed = 0, recomputed_joules = 0, communication = 0;
    for (const auto& each : pass.work) {
      const double seconds = scaling.seconds(each.timing);
      device += seconds;
      joules += seconds * watts[slot(each.work)];
      if (each.work == Work::collective) {
        communication += seconds;
      } else if (each.recompute) {
        recomputed += seconds;
        recomputed_joules += seconds * watts[slot(each.work)];
      }
    }
    const double total = smooth_maximum(device, pass.host);
    const double waiting = std::max(0.0, total - device);
    const double share = device > communication ? recomputed / (device - communication) : 0;  // of the waits, as of the work
    cost.seconds += times * total;
    cost.joules += times * (joules + waiting * watts[slot(Work::host)]);
    cost.communication_seconds += times * communication;
    cost.communication_joules += times * communication * watts[slot(Work::collective)];
    cost.recompute_seconds += times * (recomputed + share * waiting);
    cost.recompute_joules += times * (recomputed_joules + share * waiting * watts[slot(Work::host)]);
  }
  return cost;
}

std::vector<OperatingPoint> OperatingPoints::of(const std::vector<RepeatedPass>& passes, std::int64_t gpus) const {
  std::vector<OperatingPoint> points;
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    const auto cost = at(scalings_[i], passes);
    const bool breaks_cap = cost.joules > cap_ * cost.seconds;
    if (points.empty() && breaks_cap && i + 1 < clocks_.size()) continue;
    const double all = static_cast<double>(gpus);
    points.push_back({clocks_[i], FixedTime::from_units(cost.seconds), FixedEnergy::from_units(all * cost.joules),
                      FixedTime::from_units(cost.communication_seconds), FixedTime::from_units(cost.recompute_seconds),
                      FixedEnergy::from_units(all * cost.communication_joules), FixedEnergy::from_units(all * cost.recompute_joules)});
    if (!every_clock_) break;
  }
  JOULECAST_CHECK(!points.empty(), "an operation without operating points");
  return points;
}

}  // namespace joulecast::training
