#pragma once

#include <cstddef>
#include <vector>

#include "traces/power/kernel_table.hpp"

namespace joulecast::calibration {

/// What a board does at one memory clock setting.
struct MemorySetting {
  traces::ClockPair clocks;  ///< its core clock is absent
  double static_watts = 0;   ///< drawn by board and memory without traffic and core activity
  double stretch = 1;        ///< time of a transfer, relative to the fastest setting
  double voltage_slope = 0;  ///< of `core`, below, a GHz
  double limit = 1;          ///< watts at which the core clock is throttled, relative to those on auto
};

/// One kernel over core and memory clocks, relative to itself on auto.
struct KernelForm {
  double transfer = 0;  ///< time of its transfers at the fastest memory, relative to its time on auto
  double traffic = 0;   ///< of the memory's bandwidth, on auto: draws watts even where it sets no time
  double auto_ghz = 0;  ///< the core clock that throttling leaves it on auto
};

/// Time and power of kernels over (memory, core) clock pairs:
///   time   t(f, m) = ((a*f_auto/f)^p + (b*stretch_m)^p)^(1/p), relative to auto, b the kernel's `transfer`, a^p + b^p = 1
///   power  P(f, m) = static_m + W*traffic/t + D*core(f, m)*(1 - share + share*(a*f_auto/(f*t))^p), W the watts of traffic at full bandwidth
///   core   f*(1 + slope_m*max(0, f - knee))^2: flat voltage below the knee
/// D is what the kernel's measured power on auto leaves. A clock setting is an upper limit: the core runs at the highest clock up to it at which P is
/// within limit_m times the kernel's power on auto; on auto itself that is f_auto.
///
/// How accurate is this? Fitted to a study of 46 kernels on an RTX 3080 Ti (arXiv 2601.08539): times of passes within 2.5 % and energies within 2.7 % (mean
/// over 110 pairs), energies of the kernels' best pairs within 1.6 points. Plans made on it save 13.2 % (each kernel in its own time; 11.5 % published) and
/// 16.3 % (all in the sum of times; 15.6 %), but too much where slower is allowed: 38.1 % at +30 % (34.3 %), and the least energy-delay product lies at +22 %
/// and -36.2 % (+10.3 %, -27.5 %) on a curve that is flat between the two (products 0.779 and 0.799). The form makes clocks near 1.5 GHz too cheap.
class KernelSurfaces {
 public:
  struct Common {
    double traffic_watts = 0;  ///< at the fastest memory's bandwidth
    double knee_ghz = 0;
    double active_share = 0;  ///< of the core's power that rests while it waits for memory
    double sharpness = 1;     ///< p
  };
  struct Point {
    double seconds = 0, joules = 0;  ///< of one call
  };

  KernelSurfaces(std::vector<traces::KernelRow> kernels, std::vector<MemorySetting> memories, std::vector<KernelForm> forms, Common common);

  const std::vector<traces::KernelRow>& kernels() const { return kernels_; }
  const std::vector<MemorySetting>& memories() const { return memories_; }
  const std::vector<KernelForm>& forms() const { return forms_; }
  const Common& common() const { return common_; }
  /// `memory`: position in `memories`; `core_ghz`: the setting, the highest for auto.
  Point at(std::size_t kernel, std::size_t memory, double core_ghz) const;
  /// t at a core clock and a stretch of transfers, whatever the limit.
  double relative_time(std::size_t kernel, double stretch, double core_ghz) const;

 private:
  struct Watts {
    double time, watts;
  };
  Watts unthrottled(std::size_t kernel, std::size_t memory, double ghz) const;
  double core(double ghz, std::size_t memory) const;

  std::vector<traces::KernelRow> kernels_;
  std::vector<MemorySetting> memories_;
  std::vector<KernelForm> forms_;
  Common common_;
  std::vector<double> compute_;  ///< by kernel: a
  std::vector<double> dynamic_;  ///< by kernel: D
};

/// How far surfaces are from what they were fitted to.
struct SurfaceErrors {
  double pass_time = 0, pass_energy = 0;  ///< mean absolute log ratio over the pass tables' pairs
  double best_time = 0, best_energy = 0;  ///< mean absolute difference of the changes at each kernel's best pair, weighted by its energy
};

struct KernelSurfaceFit {
  KernelSurfaces surfaces;
  SurfaceErrors errors;
  std::vector<double> core_ghz;  ///< core settings of the tables, rising, the last one for auto
  bool converged = false;
};

/// Surfaces fitted by least squares to what a study publishes: of each kernel its time and power on auto (held exactly), its best pair, the least and
/// the most energy and time over all pairs; of each pass its change over all pairs. Memory settings below `least_memory` are left out, but that the
/// most time is taken to be at the slowest (RTX 3080 Ti: 405 MHz is another regime, in which power does not follow the form). The last memory setting
/// is auto. Weak priors keep what the tables do not tell near its start. Throws UserError where the tables have no pair in common or no auto.
KernelSurfaceFit fit_kernel_surfaces(const std::vector<traces::KernelRow>& kernels, const traces::PassTable& passes, Hertz least_memory);

}  // namespace joulecast::calibration
