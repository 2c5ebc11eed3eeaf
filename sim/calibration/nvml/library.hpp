#pragma once

#include <memory>
#include <string>

#include "calibration/nvml/abi.hpp"

namespace joulecast::calibration::nvml {

/// The functions of an open library; null where it has no such symbol.
struct Functions {
  int (*init)();
  int (*shutdown)();
  const char* (*error_string)(int);
  int (*driver_version)(char*, unsigned);
  int (*nvml_version)(char*, unsigned);
  int (*device_count)(unsigned*);
  int (*handle_by_index)(unsigned, Device*);
  int (*name)(Device, char*, unsigned);
  int (*uuid)(Device, char*, unsigned);
  int (*architecture)(Device, unsigned*);
  int (*power_usage)(Device, unsigned*);
  int (*total_energy)(Device, unsigned long long*);
  int (*enforced_power_limit)(Device, unsigned*);
  int (*default_power_limit)(Device, unsigned*);
  int (*field_values)(Device, int, FieldValue*);
  int (*clock)(Device, int, unsigned*);
  int (*utilization)(Device, Utilization*);
  int (*temperature)(Device, int, unsigned*);
  int (*clock_reasons)(Device, unsigned long long*);
  int (*memory)(Device, Memory*);
};

/// NVML, loaded while the program runs: joulecast builds and starts where there is no GPU. Open while it lives.
class Library {
 public:
  /// Loads `path`, or where that is "" libnvidia-ml.so.1 from where drivers put it, and starts it. Throws UserError where there is none, where it
  /// lacks a function without which nothing can be recorded, or where it does not start, each with what to do.
  static std::unique_ptr<Library> open(const std::string& path);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const Functions& functions() const { return functions_; }
  /// "GPU is lost (15)".
  std::string text_of(int code) const;
  std::string driver_version() const;  ///< "590.48.01", or "" where it is not told
  std::string nvml_version() const;
  unsigned device_count() const;

 private:
  Library(void* handle, const Functions& functions) : handle_(handle), functions_(functions) {}
  void* handle_;
  Functions functions_;
  bool started_ = false;
};

}  // namespace joulecast::calibration::nvml
