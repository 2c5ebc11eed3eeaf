#include "calibration/serving_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "config/node.hpp"

namespace joulecast::calibration {
namespace {

constexpr double kLeastError = 0.05, kUnknownError = 0.5;

/// Figures of one table with their common source and error.
class Lines {
 public:
  Lines(std::string& text, const std::string& table, std::string source, double error) : text_(text), source_(std::move(source)), error_(error) {
    text_ += fmt::format("\n[{}]\n", table);
  }
  void add(const char* key, double value, const char* unit) {
    text_ += fmt::format("{} = {{ value = \"{:.4g} {}\", source = {}, kind = \"calibrated\", error = \"{:.0f} %\" }}\n", key, value, unit,
                         config::quoted(source_), 100 * error_);
  }

 private:
  std::string& text_;
  std::string source_;
  double error_;
};

double stated(const UnseenErrors& errors, double fit::RelativeErrors::*figure, fit::RelativeErrors UnseenErrors::*kind) {
  return errors.rows == 0 ? kUnknownError : std::max(errors.*kind.*figure, kLeastError);
}

std::string error_line(const char* key, const UnseenErrors& errors, const std::string& source) {
  if (errors.rows == 0) return "";
  return fmt::format(
      "{} = {{ value = \"{:.0f} %\", source = {}, kind = \"measured\" }}\n", key, 100 * std::max(errors.joules.p80, kLeastError),
      config::quoted(fmt::format("{}: p80 of |error| of J/token over {} rows, each model predicted by a fit without it; median {:.1f} %", source,
                                 errors.rows, 100 * errors.joules.median)));
}

}  // namespace

std::string serving_profile(const ServingProfile& request) {
  const GpuServingFit& gpu = request.fit.of(request.name);
  const MixtureFit& mixture = request.fit.mixture;
  const std::string source = "joulecast calibrate serving: " + request.source;
  const double seconds = stated(request.dense, &fit::RelativeErrors::p80, &UnseenErrors::seconds);
  const double watts = stated(request.dense, &fit::RelativeErrors::p80, &UnseenErrors::watts);

  std::string text =
      fmt::format("# {}: figures fitted by `joulecast calibrate serving`; every other one is that of {}.\n", request.name, request.base->name);
  text += fmt::format("\nextends = {}\nname = {}\naliases = []\n",
                      config::quoted(std::filesystem::absolute(request.base->file).lexically_normal().string()), config::quoted(request.name));
  text += error_line("bottom_up_error", request.dense, source);
  text += error_line("mixture_error", request.mixtures, source);

  Lines classes(text, "class_watts", source, watts);
  classes.add("gemm_base", gpu.gemm_base, "W");
  classes.add("gemm_slope", gpu.gemm_slope, "W");
  classes.add("attention", gpu.attention, "W");
  classes.add("collective", gpu.collective, "W");
  classes.add("elementwise", gpu.elementwise, "W");
  classes.add("host", gpu.host, "W");

  Lines host(text, "host_cost", source, seconds);
  host.add("step", 1e3 * gpu.step, "ms");
  host.add("sequence", 1e6 * gpu.sequence, "us");
  host.add("layer", 1e6 * gpu.layer, "us");

  if (gpu.shared_rows) {
    Lines shared(text, "host_contention", source + "; runs on one GPU of a node", seconds);
    shared.add("root", 1e3 * gpu.root, "ms");
    shared.add("long_outputs", 1e3 * gpu.long_outputs, "ms");
  }
  if (request.mixtures.rows > 0) {
    Lines experts(text, "mixture_cost", source, stated(request.mixtures, &fit::RelativeErrors::p80, &UnseenErrors::seconds));
    experts.add("layer", 1e6 * mixture.layer, "us");
    experts.add("top1_layer", 1e6 * mixture.top1_layer, "us");
    experts.add("quantized_layer", 1e6 * mixture.quantized_layer, "us");
    experts.add("visit", 1e9 * mixture.visit, "ns");
  }
  return text;
}

}  // namespace joulecast::calibration
