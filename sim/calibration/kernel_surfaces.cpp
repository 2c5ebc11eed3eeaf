#include "calibration/kernel_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace joulecast::calibration {

KernelSurfaces::KernelSurfaces(std::vector<traces::KernelRow> kernels, std::vector<MemorySetting> memories, std::vector<KernelForm> forms,
                               Common common)
    : kernels_(std::move(kernels)), memories_(std::move(memories)), forms_(std::move(forms)), common_(common) {
  const std::size_t on_auto = memories_.size() - 1;
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    const double transfer = std::pow(forms_[k].transfer, common_.sharpness);
    compute_.push_back(std::pow(std::max(0.0, 1 - transfer), 1 / common_.sharpness));
    const double watts = kernels_[k].auto_energy / kernels_[k].auto_time / ::joulecast::Watts(1);
    const double rest = watts - memories_[on_auto].static_watts - common_.traffic_watts * forms_[k].traffic;
    const double active = 1 - common_.active_share + common_.active_share * (1 - transfer);
    dynamic_.push_back(std::max(0.0, rest) / (core(forms_[k].auto_ghz, on_auto) * active));
  }
}

double KernelSurfaces::core(double ghz, std::size_t memory) const {
  const double volts = 1 + memories_[memory].voltage_slope * std::max(0.0, ghz - common_.knee_ghz);
  return ghz * volts * volts;
}

double KernelSurfaces::relative_time(std::size_t kernel, double stretch, double core_ghz) const {
  const double p = common_.sharpness;
  return std::pow(std::pow(compute_[kernel] * forms_[kernel].auto_ghz / core_ghz, p) + std::pow(forms_[kernel].transfer * stretch, p), 1 / p);
}

KernelSurfaces::Watts KernelSurfaces::unthrottled(std::size_t kernel, std::size_t memory, double ghz) const {
  const double p = common_.sharpness;
  const double compute = std::pow(compute_[kernel] * forms_[kernel].auto_ghz / ghz, p);
  const double both = compute + std::pow(forms_[kernel].transfer * memories_[memory].stretch, p);
  const double time = std::pow(both, 1 / p);
  const double active = 1 - common_.active_share + common_.active_share * compute / both;
  const double watts =
      memories_[memory].static_watts + common_.traffic_watts * forms_[kernel].traffic / time + dynamic_[kernel] * core(ghz, memory) * active;
  return {time, watts};
}

KernelSurfaces::Point KernelSurfaces::at(std::size_t kernel, std::size_t memory, double core_ghz) const {
  const traces::KernelRow& row = kernels_[kernel];
  const double on_auto = row.auto_energy / row.auto_time / ::joulecast::Watts(1);
  double ghz = core_ghz;
  Watts now{};
  if (memory + 1 == memories_.size()) {
    ghz = std::min(ghz, forms_[kernel].auto_ghz);
    now = unthrottled(kernel, memory, ghz);
  } else {
    const double limit = memories_[memory].limit * on_auto;
    now = unthrottled(kernel, memory, ghz);
    // The watts rise with the clock: regula falsi (Illinois) from half the clock.
    double low = ghz / 2, below = unthrottled(kernel, memory, low).watts - limit, high = ghz, above = now.watts - limit;
    constexpr int kMostSteps = 60;
    constexpr double kClose = 1e-9;
    for (int i = 0, side = 0; above > kClose * limit && below < 0 && i < kMostSteps; ++i) {
      ghz = (low * above - high * below) / (above - below);
      now = unthrottled(kernel, memory, ghz);
      const double excess = now.watts - limit;
      if (std::abs(excess) <= kClose * limit) break;
      if (excess > 0) {
        high = ghz;
        above = excess;
        if (side == 1) below /= 2;
        side = 1;
      } else {
        low = ghz;
        below = excess;
        if (side == -1) above /= 2;
        side = -1;
      }
    }
  }
  const double seconds = now.time * row.auto_time.si();
  return {seconds, seconds * now.watts};
}

}  // namespace joulecast::calibration
