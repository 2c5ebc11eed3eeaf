#pragma once

#include <array>
#include <string>

#include "calibration/nvml/library.hpp"
#include "calibration/record/reading.hpp"

namespace joulecast::calibration::nvml {

/// One GPU, read through an open library. What it can tell is found out once, with three tries each: a single "not supported" while it is polled fast
/// is no answer about the GPU, only a sample that is missing.
class Gpu {
 public:
  /// `index` as NVML counts; `library` outlives this.
  Gpu(const Library& library, unsigned index);

  /// "" where it can be read, else why not: permission, a lost GPU.
  const std::string& refusal() const { return refusal_; }
  const RecordedGpu& facts() const { return facts_; }

  /// Reads everything but the time. Limit, temperature and memory change slowly: without `slow` they are those of the last slow reading. False once
  /// the GPU is lost; `refusal` then says so.
  bool read(Reading& reading, bool slow);

 private:
  void find_power_source();
  bool lost(int code);
  void read_fields(Reading& reading);
  template <class Number>
  std::optional<Number> ask(int (*call)(Device, Number*));

  const Library& library_;
  Device device_ = nullptr;
  RecordedGpu facts_;
  std::string refusal_;
  bool has_field_[3] = {};  ///< energy, average, instant
  bool usage_is_instant_ = false, has_usage_ = false, has_energy_call_ = false;
  int lost_code_ = 0;
  Reading slow_;
};

}  // namespace joulecast::calibration::nvml
