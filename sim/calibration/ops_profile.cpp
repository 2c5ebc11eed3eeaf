#include "calibration/ops_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/format.hpp"
#include "config/node.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kLeastError = 0.01;
/// What carrying efficiencies over from another GPU adds to their error: H100's and A100's differ by 3-15 %.
constexpr double kScaledError = 0.15;

std::string figure(const std::string& key, const std::string& value, const std::string& source, const std::string& kind, double error) {
  return fmt::format("{} = {{ value = {}, source = {}, kind = \"{}\", error = \"{:.0f} %\" }}\n", key, value, config::quoted(source), kind,
                     100 * std::max(error, kLeastError));
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string gemm_table(const GemmFit& fit, const std::vector<TableSource>& sources) {
  const std::string source = fmt::format("joulecast calibrate ops: {} rows of {}; held out: {} median, {} p80", fit.rows, text_of(sources),
                                         percent(fit.held_out.median), percent(fit.held_out.p80));
  const double error = fit.held_out.p80;
  std::string text = "\n[gemm]\n";
  text += figure("launch", fmt::format("\"{:.3g} us\"", fit.launch * 1e6), source, "calibrated", error);
  text += figure("compute_efficiency", fmt::format("{:.3f}", fit.compute_efficiency), source, "calibrated", error);
  text += figure("memory_efficiency", fmt::format("{:.3f}", fit.memory_efficiency), source, "calibrated", error);
  text += figure("sharpness", fmt::format("{:.2f}", fit.sharpness), source, "calibrated", error);
  return text;
}

std::string scaled_gemm(const hardware::GpuProfile& like) {
  const std::string source = like.name + "'s: no GEMM table of this GPU was given";
  const auto error = [](const auto& f) { return f.error.value_or(0) + kScaledError; };
  std::string text = "\n[gemm]\n";
  text += figure("launch", fmt::format("\"{:.3g} us\"", like.gemm.launch.value.si() * 1e6), source, "modelled", error(like.gemm.launch));
  text += figure("compute_efficiency", fmt::format("{:.3f}", like.gemm.compute_efficiency.value), source, "modelled",
                 error(like.gemm.compute_efficiency));
  text +=
      figure("memory_efficiency", fmt::format("{:.3f}", like.gemm.memory_efficiency.value), source, "modelled", error(like.gemm.memory_efficiency));
  text += figure("sharpness", fmt::format("{:.2f}", like.gemm.sharpness.value), source, "modelled", error(like.gemm.sharpness));
  return text;
}

std::string collective_table(const CollectiveFit& fit, const std::vector<TableSource>& sources) {
  const std::string table = fit.collective == hardware::Collective::all_reduce ? fmt::format("all_reduce.{}", fit.gpus)
                                                                               : fmt::format("collectives.{}.{}", name(fit.collective), fit.gpus);
  const std::string source =
      fmt::format("joulecast calibrate ops: {} sizes {} .. {} of {}; held out: {} median, {} p80", fit.rows, si(fit.least_bytes, "B"),
                  si(fit.most_bytes, "B"), text_of(sources), percent(fit.held_out.median), percent(fit.held_out.p80));
  const double error = fit.held_out.p80;
  std::string text = fmt::format("\n[{}]\n", table);
  text += figure("alpha", fmt::format("\"{:.3g} us\"", fit.alpha * 1e6), source, "calibrated", error);
  text += figure("root", fit.root == 0 ? "0.0" : fmt::format("{:.3e}", fit.root), source, "calibrated", error);
  text += figure("beta", fmt::format("\"{:.4g} GB/s\"", fit.beta * 1e-9), source, "calibrated", error);
  return text;
}

}  // namespace

std::string ops_profile(const OpsRequest& request, const OpsResult& result) {
  std::string text =
      fmt::format("# {}: figures fitted by `joulecast calibrate ops`; every other one is that of {}.\n", request.name, request.base.name);
  for (const std::string& note : result.notes) text += "# " + note + "\n";
  text += fmt::format("\nextends = {}\nname = {}\naliases = []\n",
                      config::quoted(std::filesystem::absolute(request.base.file).lexically_normal().string()), config::quoted(request.name));
  if (result.gemm) text += gemm_table(*result.gemm, result.gemm_sources);
  if (!result.gemm && request.like) text += scaled_gemm(*request.like);
  for (std::size_t i = 0; i < result.collectives.size(); ++i) text += collective_table(result.collectives[i], result.collective_sources[i]);
  return text;
}

}  // namespace joulecast::calibration
