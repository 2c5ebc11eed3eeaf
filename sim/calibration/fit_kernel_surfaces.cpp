#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "calibration/kernel_surfaces.hpp"
#include "fit/levenberg_marquardt.hpp"

namespace joulecast::calibration {
namespace {

using traces::KernelRow;
using traces::PassRow;

/// Residuals are divided by what each figure is trusted to; what was read off a plot at slow clocks counts less.
struct Trust {
  double best_time = 0.01, best_energy = 0.02, least_energy = 0.03, most_energy = 0.1, least_time = 0.01, most_time = 0.1;
  double pass_time = 0.007, pass_energy = 0.013;
  double slow = 0.3;  ///< weight of a pass's row at a memory or core clock below half the highest
};

class Problem {
 public:
  Problem(const std::vector<KernelRow>& kernels, const traces::PassTable& passes, Hertz least_memory) : kernels_(kernels), passes_(passes) {
    std::vector<double> megahertz;
    for (const auto* pass : {&passes.forward, &passes.backward}) {
      for (const PassRow& row : *pass) {
        if (row.clocks.memory) slowest_megahertz_ = std::min(slowest_megahertz_, row.clocks.memory->si() / 1e6);
        if (row.clocks.memory && *row.clocks.memory >= least_memory) megahertz.push_back(row.clocks.memory->si() / 1e6);
        if (row.clocks.core) core_ghz_.push_back(row.clocks.core->si() / 1e9);
      }
    }
    for (auto* values : {&megahertz, &core_ghz_}) {
      std::sort(values->begin(), values->end());
      values->erase(std::unique(values->begin(), values->end()), values->end());
    }
    if (core_ghz_.empty()) throw UserError({}, "the pass table has no core clock", "it needs rows at fixed core clocks beside auto");
    core_ghz_.push_back(core_ghz_.back());  // auto: up to the highest
    for (const double clock : megahertz) memories_.push_back(traces::ClockPair{Hertz(clock * 1e6), {}});
    memories_.emplace_back();
    for (const KernelRow& kernel : kernels) {
      energy_ += kernel.repeat * kernel.auto_energy.si();
      best_.push_back(place(kernel.best));
    }
    name_parameters();
  }

  const std::vector<fit::Parameter>& parameters() const { return parameters_; }
  const std::vector<double>& core_ghz() const { return core_ghz_; }

  KernelSurfaces surfaces(std::span<const double> x) const {
    KernelSurfaces::Common common{x[0], x[1], x[2], 1 + std::exp(x[3])};
    std::size_t at = kCommon;
    std::vector<MemorySetting> memories;
    for (const traces::ClockPair& clocks : memories_) {
      MemorySetting memory{clocks, x[at], 1, x[at + 1], 1};
      at += 2;
      if (clocks.memory) {
        memory.stretch = x[at];
        memory.limit = x[at + 1];
        at += 2;
      }
      memories.push_back(memory);
    }
    std::vector<KernelForm> forms;
    for (std::size_t k = 0; k < kernels_.size(); ++k, at += kOfKernel) forms.push_back({share(x[at]), share(x[at + 1]), x[at + 2]});
    return {kernels_, std::move(memories), std::move(forms), common};
  }

  std::size_t rows() const {
    std::size_t count = parameters_.size() + 6 * kernels_.size();
    for (const auto* pass : {&passes_.forward, &passes_.backward}) count += 2 * pass->size();
    return count;
  }

  void residuals(std::span<const double> x, std::span<double> out) const {
    const KernelSurfaces surfaces = this->surfaces(x);
    const Table table = tabulate(surfaces);
    std::size_t at = 0;
    for (std::size_t k = 0; k < kernels_.size(); ++k) add_kernel(surfaces, table, k, x[4], out, at);
    add_pass(table, passes_.forward, true, out, at);
    add_pass(table, passes_.backward, false, out, at);
    for (std::size_t i = 0; i < parameters_.size(); ++i) out[at++] = (x[i] - parameters_[i].start) / prior_[i];
  }

  /// Puts each kernel to the form on a grid that its own figures fit best with the rest of `x`: they have several local optima (bound by the core at
  /// a low clock, or by memory at a high one), between which a search along slopes does not find.
  void choose_forms(std::vector<double>& x) const {
    const std::size_t first = parameters_.size() - kOfKernel * kernels_.size();
    std::vector<double> least(kernels_.size()), own(6);
    const auto cost = [&](const KernelSurfaces& surfaces, const Table& table, std::size_t k, std::span<const double> at) {
      std::size_t end = 0;
      add_kernel(surfaces, table, k, at[4], own, end);
      double sum = 0;
      for (const double residual : own) sum += residual * residual;
      return sum;
    };
    const KernelSurfaces before = surfaces(x);
    const Table table = tabulate(before);
    for (std::size_t k = 0; k < kernels_.size(); ++k) least[k] = cost(before, table, k, x);
    std::vector<double> chosen = x, tried = x;
    for (double transfer = -4; transfer <= 5; transfer += 1) {
      for (const double traffic : {-2.0, 0.0, 3.0}) {
        for (double clock = 0.7; clock <= 1; clock += 0.05) {
          const double form[kOfKernel] = {transfer, traffic, clock * core_ghz_.back()};
          for (std::size_t i = first; i < tried.size(); ++i) tried[i] = form[(i - first) % kOfKernel];
          const KernelSurfaces all = surfaces(tried);
          const Table tabulated = tabulate(all);
          for (std::size_t k = 0; k < kernels_.size(); ++k) {
            const double sum = cost(all, tabulated, k, tried);
            if (sum >= least[k]) continue;
            least[k] = sum;
            std::copy_n(form, kOfKernel, chosen.begin() + static_cast<std::ptrdiff_t>(first + kOfKernel * k));
          }
        }
      }
    }
    x = chosen;
  }

  SurfaceErrors errors(const KernelSurfaces& surfaces) const {
    const Table table = tabulate(surfaces);
    SurfaceErrors errors;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      if (!best_[k]) continue;
      const double share = kernels_[k].repeat * kernels_[k].auto_energy.si() / energy_;
      const Relative at = table[k][*best_[k]];
      errors.best_time += share * std::abs(at.time - 1 - kernels_[k].best_time_change);
      errors.best_energy += share * std::abs(at.energy - 1 - kernels_[k].best_energy_change);
    }
    double count = 0;
    for (const bool forward : {true, false}) {
      for (const PassRow& row : forward ? passes_.forward : passes_.backward) {
        const auto pair = place(row.clocks);
        if (!pair) continue;
        const Relative sum = pass_sum(table, forward, *pair);
        errors.pass_time += std::abs(std::log(sum.time / (1 + row.time_change)));
        errors.pass_energy += std::abs(std::log(sum.energy / (1 + row.energy_change)));
        ++count;
      }
    }
    errors.pass_time /= count;
    errors.pass_energy /= count;
    return errors;
  }

 private:
  static constexpr std::size_t kCommon = 5, kOfKernel = 3;
  /// A share in 0 .. 1 from any number.
  static double share(double x) { return 1 / (1 + std::exp(-x)); }

  /// Time and energy relative to auto.
  struct Relative {
    double time = 0, energy = 0;
  };
  using Table = std::vector<std::vector<Relative>>;  ///< by kernel and pair (memory by memory)

  void add_parameter(std::string name, double start, double least, double most, double prior) {
    parameters_.push_back({std::move(name), start, least, most});
    prior_.push_back(prior);
  }

  void name_parameters() {
    add_parameter("traffic watts", 100, 0, 200, 50);
    add_parameter("knee GHz", 1.4, 0.8, 1.8, 0.3);
    add_parameter("active share", 0.5, 0, 0.95, 0.5);
    add_parameter("log(sharpness - 1)", 1, -1, 3, 1);
    const double fastest = memories_.size() > 1 ? memories_[memories_.size() - 2].memory->si() : 1;
    const double slowest = std::max(1.0, fastest / (slowest_megahertz_ * 1e6));
    add_parameter("stretch at the slowest memory", slowest, 0.5 * slowest, 2 * slowest, 0.3 * slowest);
    for (const traces::ClockPair& clocks : memories_) {
      const std::string name = clocks.memory ? std::to_string(static_cast<int>(clocks.memory->si() / 1e6)) : "auto";
      const double ratio = clocks.memory ? fastest / clocks.memory->si() : 1;
      add_parameter("static watts " + name, 80 / std::cbrt(ratio), 10, 150, 30);
      add_parameter("voltage slope " + name, 0.6, 0, 4, 0.5);
      if (!clocks.memory) continue;
      add_parameter("stretch " + name, ratio, 0.9 * std::sqrt(ratio), 2 * ratio, 0.3 * ratio);
      add_parameter("limit " + name, 0.95, 0.7, 1.1, 0.1);
    }
    for (const KernelRow& kernel : kernels_) {
      // A kernel whose best pair has a core clock far below the highest without being slower waits for memory.
      const bool waits = kernel.best.core && kernel.best_time_change < 0.05;
      const std::string id = std::to_string(kernel.id);
      add_parameter("transfer of kernel " + id, waits ? 2 : -1, -6, 5, 3);
      add_parameter("traffic of kernel " + id, waits ? 2 : 0, -6, 5, 2);
      add_parameter("auto GHz of kernel " + id, 0.88 * core_ghz_.back(), 0.7 * core_ghz_.back(), core_ghz_.back(), 0.1);
    }
  }

  /// The number of a pair; nothing for one that is left out.
  std::optional<std::size_t> place(const traces::ClockPair& pair) const {
    std::size_t memory = 0, core = core_ghz_.size() - 1;
    while (memory < memories_.size() && memories_[memory].memory != pair.memory) ++memory;
    if (memory == memories_.size()) return std::nullopt;
    if (pair.core) {
      const auto found = std::find_if(core_ghz_.begin(), core_ghz_.end(), [&](double ghz) { return ghz * 1e9 == pair.core->si(); });
      if (found == core_ghz_.end()) return std::nullopt;
      core = static_cast<std::size_t>(found - core_ghz_.begin());
    }
    return memory * core_ghz_.size() + core;
  }

  Table tabulate(const KernelSurfaces& surfaces) const {
    Table table(kernels_.size());
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      for (std::size_t m = 0; m < memories_.size(); ++m) {
        for (const double ghz : core_ghz_) {
          const KernelSurfaces::Point point = surfaces.at(k, m, ghz);
          table[k].push_back({point.seconds / kernels_[k].auto_time.si(), point.joules / kernels_[k].auto_energy.si()});
        }
      }
    }
    return table;
  }

  void add_kernel(const KernelSurfaces& surfaces, const Table& table, std::size_t k, double slowest_stretch, std::span<double> out,
                  std::size_t& at) const {
    const KernelRow& kernel = kernels_[k];
    // Weight by the share of energy, within limits; a kernel of microseconds is left to its pass.
    const double share = kernel.repeat * kernel.auto_energy.si() / energy_ * static_cast<double>(kernels_.size());
    const double weight = share < 1e-3 ? 0 : std::sqrt(std::max(share, 0.3));
    Relative least{1e30, 1e30};
    for (const Relative& point : table[k]) {
      least.time = std::min(least.time, point.time);
      least.energy = std::min(least.energy, point.energy);
    }
    const Relative best = best_[k] ? table[k][*best_[k]] : Relative{1 + kernel.best_time_change, 1 + kernel.best_energy_change};
    const double slowest = table[k][(memories_.size() - 1) * core_ghz_.size()].energy;
    out[at++] = weight * (best.time - 1 - kernel.best_time_change) / trust_.best_time;
    out[at++] = weight * (best.energy - 1 - kernel.best_energy_change) / trust_.best_energy;
    out[at++] = weight * (least.energy * (kernel.auto_energy / kernel.least_energy) - 1) / trust_.least_energy;
    out[at++] = weight * std::log(slowest * (kernel.auto_energy / kernel.most_energy)) / trust_.most_energy;
    out[at++] =
        weight * std::log(surfaces.relative_time(k, slowest_stretch, core_ghz_.front()) * (kernel.auto_time / kernel.most_time)) / trust_.most_time;
    out[at++] = weight * (least.time - kernel.least_time / kernel.auto_time) / trust_.least_time;
  }

  Relative pass_sum(const Table& table, bool forward, std::size_t pair) const {
    Relative sum, whole;
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      if (kernels_[k].forward != forward) continue;
      const double time = kernels_[k].repeat * kernels_[k].auto_time.si(), energy = kernels_[k].repeat * kernels_[k].auto_energy.si();
      sum.time += time * table[k][pair].time;
      sum.energy += energy * table[k][pair].energy;
      whole.time += time;
      whole.energy += energy;
    }
    return {sum.time / whole.time, sum.energy / whole.energy};
  }

  void add_pass(const Table& table, const std::vector<PassRow>& rows, bool forward, std::span<double> out, std::size_t& at) const {
    for (const PassRow& row : rows) {
      const auto pair = place(row.clocks);
      if (!pair) {
        out[at++] = 0;
        out[at++] = 0;
        continue;
      }
      double weight = 1;
      if (row.clocks.memory && *row.clocks.memory < 0.5 * *memories_[memories_.size() - 2].memory) weight *= trust_.slow;
      if (row.clocks.core && row.clocks.core->si() < 0.25e9 * core_ghz_.back()) weight *= trust_.slow;
      const Relative sum = pass_sum(table, forward, *pair);
      out[at++] = weight * std::log(sum.time / (1 + row.time_change)) / trust_.pass_time;
      out[at++] = weight * std::log(sum.energy / (1 + row.energy_change)) / trust_.pass_energy;
    }
  }

  const std::vector<KernelRow>& kernels_;
  const traces::PassTable& passes_;
  Trust trust_;
  double energy_ = 0;
  double slowest_megahertz_ = 1e9;
  std::vector<double> core_ghz_;
  std::vector<traces::ClockPair> memories_;
  std::vector<std::optional<std::size_t>> best_;
  std::vector<fit::Parameter> parameters_;
  std::vector<double> prior_;
};

}  // namespace

KernelSurfaceFit fit_kernel_surfaces(const std::vector<KernelRow>& kernels, const traces::PassTable& passes, Hertz least_memory) {
  const Problem problem(kernels, passes, least_memory);
  std::vector<fit::Parameter> parameters = problem.parameters();
  std::vector<double> x;
  for (const fit::Parameter& parameter : parameters) x.push_back(parameter.start);
  fit::NonlinearFit found;
  for (const int iterations : {15, 40}) {
    problem.choose_forms(x);
    for (std::size_t i = 0; i < x.size(); ++i) parameters[i].start = std::clamp(x[i], parameters[i].least, parameters[i].most);
    fit::SearchOptions options;
    options.iterations = iterations;
    options.tolerance = 1e-5;
    found = fit::levenberg_marquardt(
        parameters, problem.rows(), [&](std::span<const double> at, std::span<double> out) { problem.residuals(at, out); }, options);
    x = found.parameters;
  }
  KernelSurfaces surfaces = problem.surfaces(found.parameters);
  const SurfaceErrors errors = problem.errors(surfaces);
  return {std::move(surfaces), errors, problem.core_ghz(), found.converged};
}

}  // namespace joulecast::calibration
