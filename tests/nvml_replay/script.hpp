#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace joulecast::nvml_replay {

/// What a GPU shows at one instant of a recording, in the units that NVML answers in.
struct Shown {
  double at_s = 0;
  std::optional<double> average_mw, instant_mw, energy_mj, sm_mhz, memory_mhz, utilization_percent, temperature_c, limit_mw, memory_bytes;
  std::uint64_t reasons = 0;
};

/// An answer that a function gives instead of its own, for one GPU or all, while the time since init lies in [from, until).
struct Fault {
  std::string function;  ///< "init", "handle", "fields", "field:186", "clock", ...
  int gpu = -1;          ///< -1: all
  int code = 0;
  double from_s = 0, until_s = 1e300;
};

/// What the library plays, read from the file that JOULECAST_NVML_REPLAY names. A line each:
///
///   driver 590.48.01 | architecture 9 | name NVIDIA H100 80GB HBM3 | gpus 8
///   square 100 600 2                  power in W, low and high, and the period in s: half of it high
///   recording FILE                    the rows of a joulecast recording in place of the square wave, over and over
///   fault FUNCTION GPU|* CODE [FROM_S [UNTIL_S]]
struct Script {
  std::string driver = "590.48.01", name = "NVIDIA H100 80GB HBM3";
  unsigned architecture = 9, gpus = 1;
  double low_w = 100, high_w = 600, period_s = 2;
  std::map<int, std::vector<Shown>> recorded;  ///< by GPU, rising times from 0
  std::vector<Fault> faults;

  /// Square wave or recording, at a time since init.
  Shown shown(int gpu, double at_s) const;
  int code(const std::string& function, int gpu, double at_s) const;
};

/// The script of the environment; a plain one where the variable is unset.
Script read_script();

}  // namespace joulecast::nvml_replay
