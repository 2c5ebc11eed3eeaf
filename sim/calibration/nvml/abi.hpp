#pragma once

#include <cstdint>

/// The part of NVIDIA's management library that a recording needs, declared here since no header of it is in Debian: C linkage, x86-64 layouts,
/// ids that have kept their meaning since they appeared. Every function returns a `Return` as an int.
namespace joulecast::calibration::nvml {

/// A GPU's handle, valid between nvmlInit_v2 and nvmlShutdown.
using Device = void*;

enum Return : int {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kDriverNotLoaded = 9,
  kFunctionNotFound = 13,  ///< also what a symbol that the library lacks counts as
  kGpuIsLost = 15,
  kResetRequired = 16,
  kLibraryMismatch = 18,  ///< the library is older than the kernel's module, as in a container
  kUnknown = 999,
};

/// Fields of nvmlDeviceGetFieldValues; ids up to 198 never moved.
enum Field : std::uint32_t {
  kEnergy = 83,         ///< mJ since the driver was loaded; Volta and later
  kPowerAverage = 185,  ///< mW over the last second; Ampere and later but GA100, driver 535 and later
  kPowerInstant = 186,  ///< mW, driver 535 and later
};

enum ValueType : std::int32_t {
  kDouble = 0,
  kUnsignedInt = 1,
  kUnsignedLong = 2,
  kUnsignedLongLong = 3,
  kSignedLongLong = 4,
  kSignedInt = 5,
  kUnsignedShort = 6
};

union Value {
  double d;
  std::uint32_t ui;
  std::uint64_t ul;
  std::int64_t sll;
  std::int32_t si;
  std::uint16_t us;
};

struct FieldValue {
  std::uint32_t field;
  std::uint32_t scope;  ///< 0: the GPU
  std::int64_t timestamp_us;
  std::int64_t latency_us;
  std::int32_t type;    ///< a ValueType
  std::int32_t status;  ///< a Return, of this field alone
  Value value;
};
static_assert(sizeof(FieldValue) == 40);

struct Memory {
  std::uint64_t total, free, used;  ///< bytes
};
static_assert(sizeof(Memory) == 24);

struct Utilization {
  std::uint32_t gpu, memory;  ///< percent of time
};

enum ClockType : int { kSmClock = 1, kMemoryClock = 2 };

/// What nvmlDeviceGetArchitecture answers.
enum Architecture : std::uint32_t { kVolta = 5, kTuring = 6, kAmpere = 7, kAda = 8, kHopper = 9, kBlackwell = 10, kArchitectureUnknown = 0xffffffff };

}  // namespace joulecast::calibration::nvml
