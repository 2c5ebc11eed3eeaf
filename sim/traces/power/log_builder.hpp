#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/power/log.hpp"
#include "traces/power/measured_cell.hpp"

namespace joulecast::traces {

/// What a reader can find for one GPU at one time. The first four are watts.
enum class LogQuantity : std::uint8_t {
  draw,
  average,
  instant,
  meter,
  energy,
  sm_clock,
  memory_clock,
  utilization,
  memory_utilization,
  temperature,
  limit,
  memory_used,
  performance_state,
  throttle
};
inline constexpr std::size_t kLogQuantities = 14;
/// The bits of a mask that a double holds exactly.
inline constexpr std::uint64_t kExactBits = (std::uint64_t{1} << 53) - 1;

Dimension dimension(LogQuantity quantity);
/// The unit of a column that carries none.
std::string_view usual_unit(LogQuantity quantity);

/// One sample of one GPU; NaN for what is missing.
struct LogSample {
  std::int64_t time_ns = 0;
  std::array<double, kLogQuantities> values;
  LogSample() { values.fill(missing()); }
  static double missing();
  double& operator[](LogQuantity quantity) { return values[static_cast<std::size_t>(quantity)]; }
  double operator[](LogQuantity quantity) const { return values[static_cast<std::size_t>(quantity)]; }
};

/// Gathers samples in the order of the log and makes a `PowerLog` of them: rows in order of time a GPU, 0 W as a missing sample, quantities that
/// never read left out, GPUs without power named. All readers end here, so these rules stand once.
class LogBuilder {
 public:
  /// Says that the log has a column for a quantity.
  void column(LogQuantity quantity, const std::string& header);
  /// The number of the GPU with this UUID, or with this index where there is no UUID; a new one where there is none yet.
  std::size_t gpu(const std::string& index, const std::string& uuid, const std::string& model);
  void add(std::size_t gpu, const LogSample& sample);
  std::size_t gpus() const { return gpus_.size(); }

  /// Fills `log.gpus` and `log.absent`, notes and warnings, and checks units. UserError: no samples; no GPU alive.
  void finish(PowerLog& log);

 private:
  struct Gpu {
    std::string index, uuid, model;
    std::vector<LogSample> samples;
  };

  void order(Gpu& gpu, PowerLog& log) const;
  GpuSeries series(const Gpu& gpu, PowerLog& log) const;
  std::vector<double> values(const Gpu& gpu, LogQuantity quantity) const;

  std::array<std::string, kLogQuantities> headers_;
  std::vector<Gpu> gpus_;
  std::size_t last_ = 0;
};

}  // namespace joulecast::traces
