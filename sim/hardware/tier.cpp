#include "hardware/tier.hpp"

#include <fmt/format.h>

namespace joulecast::hardware {

Tier tier(const GpuProfile& gpu) {
  const auto modelled = [](FigureKind kind) { return provenance(kind) == Provenance::modelled; };
  if (modelled(gpu.gemm.compute_efficiency.kind)) return Tier::datasheet;
  return modelled(gpu.watts.gemm_base.kind) ? Tier::watts_modelled : Tier::calibrated;
}

std::string warning(const GpuProfile& gpu) {
  const double error = 100 * gpu.bottom_up_error.value;
  switch (tier(gpu)) {
    case Tier::calibrated:
      return "";
    case Tier::watts_modelled:
      return fmt::format("{}: times are measured, watts by class of work are scaled from another GPU: joules a token +-{:.0f} %", gpu.name, error);
    case Tier::datasheet:
      return fmt::format(
          "{} IS A DATASHEET PROFILE: no operation of it was measured, times and watts are scaled from another GPU: joules a token +-{:.0f} %",
          gpu.name, error);
  }
  JOULECAST_BUG("no such tier");
}

}  // namespace joulecast::hardware
