#include "calibration/nvml/power_meaning.hpp"

#include "calibration/nvml/abi.hpp"

namespace joulecast::calibration::nvml {

std::string_view name(PowerMeaning meaning) {
  constexpr std::string_view names[] = {"average", "instant", "unknown"};
  return names[static_cast<int>(meaning)];
}

PowerMeaning meaning_of_power_usage(std::uint32_t architecture, std::string_view gpu, std::string_view driver) {
  if (architecture == kArchitectureUnknown || architecture == 0) return PowerMeaning::unknown;
  if (architecture <= kTuring) return PowerMeaning::instant;
  const auto board = [&](std::string_view part) { return gpu.find(part) != std::string_view::npos; };
  if (architecture == kAmpere && (board("A100") || board("A30 ") || gpu.ends_with("A30") || board("A800"))) return PowerMeaning::instant;
  if (architecture <= kAda && driver.starts_with("530.")) return PowerMeaning::instant;
  return PowerMeaning::average;
}

}  // namespace joulecast::calibration::nvml
