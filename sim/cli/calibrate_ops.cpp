#include "calibration/calibrate_ops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/share.hpp"
#include "config/node.hpp"
#include "hardware/profiles.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using calibration::OpsResult;
using Json = nlohmann::ordered_json;
using report::Ink;

hardware::GpuProfile gpu_called(const std::string& name) {
  config::Diagnostics diagnostics;
  // A path on the command line is relative to where the caller stands.
  const Place here{"", 0, 0};
  auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder(share_folder()), "GPU", name, here), diagnostics);
  diagnostics.throw_if_failed();
  return gpu;
}

Json interval(const fit::Covariance& covariance, std::size_t i, double value, double unit) {
  const auto range = covariance.interval(i, value / unit, 0.8);
  return std::isfinite(range.low) ? Json::array({range.low * unit, range.high * unit}) : Json();
}

Json errors(const fit::RelativeErrors& e) { return {{"median", e.median}, {"mean", e.mean}, {"p80", e.p80}, {"worst", e.worst}}; }

Json sources(const std::vector<calibration::TableSource>& all) {
  Json out = Json::array();
  for (const auto& source : all) {
    Json dropped = Json::object();
    for (const auto& [reason, count] : source.dropped) dropped[reason] = count;
    out.push_back({{"file", source.path}, {"sha256", source.sha256}, {"used", source.used}, {"dropped", dropped}});
  }
  return out;
}

std::string json_text(const OpsResult& result) {
  Json out = {{"schema", 1}};
  if (result.gemm) {
    const auto& g = *result.gemm;
    out["gemm"] = {{"launch_s", g.launch},
                   {"compute_efficiency", g.compute_efficiency},
                   {"memory_efficiency", g.memory_efficiency},
                   {"sharpness", g.sharpness},
                   {"interval80",
                    {{"launch_s", interval(g.covariance, 0, g.launch, 1e-6)},
                     {"compute_efficiency", interval(g.covariance, 1, g.compute_efficiency, 1)},
                     {"memory_efficiency", interval(g.covariance, 2, g.memory_efficiency, 1)},
                     {"sharpness", interval(g.covariance, 3, g.sharpness, 1)}}},
                   {"rows", g.rows},
                   {"held_out_error", errors(g.held_out)},
                   {"sources", sources(result.gemm_sources)}};
  }
  out["collectives"] = Json::array();
  for (std::size_t i = 0; i < result.collectives.size(); ++i) {
    const auto& c = result.collectives[i];
    out["collectives"].push_back({{"collective", std::string(name(c.collective))},
                                  {"gpus", c.gpus},
                                  {"alpha_s", c.alpha},
                                  {"root_s_per_sqrt_byte", c.root},
                                  {"beta_bytes_per_s", c.beta},
                                  {"rows", c.rows},
                                  {"least_bytes", c.least_bytes},
                                  {"most_bytes", c.most_bytes},
                                  {"held_out_error", errors(c.held_out)},
                                  {"sources", sources(result.collective_sources[i])}});
  }
  out["notes"] = result.notes;
  out["profile"] = result.profile;
  return out.dump(2) + "\n";
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// The fits for people.
std::string summary(const OpsResult& result, const report::Style& style) {
  report::Table table;
  table.row({report::words("fit", Ink::heading),
             report::words("figures", Ink::heading),
             {"rows", Ink::heading},
             {"held out: median", Ink::heading},
             {"p80", Ink::heading}});
  if (result.gemm) {
    const auto& g = *result.gemm;
    table.row({report::words("GEMM"),
               report::words(fmt::format("launch {}, compute {:.3f}, memory {:.3f}, sharpness {:.2f}", si(g.launch, "s"), g.compute_efficiency,
                                         g.memory_efficiency, g.sharpness)),
               {fmt::format("{}", g.rows)},
               {percent(g.held_out.median)},
               {percent(g.held_out.p80)}});
  }
  for (const auto& c : result.collectives) {
    table.row({report::words(fmt::format("{} of {}", name(c.collective), c.gpus)),
               report::words(fmt::format("alpha {}, root {:.2f} ns/sqrt(B), beta {}", si(c.alpha, "s"), c.root * 1e9, si(c.beta, "B/s"))),
               {fmt::format("{}", c.rows)},
               {percent(c.held_out.median)},
               {percent(c.held_out.p80)}});
  }
  return table.text(style);
}

}  // namespace

int calibrate_ops(const CalibrateOpsArguments& arguments, Console& console) {
  if (arguments.gpu_name.empty()) throw UserError({}, "the GPU has no name", "give --gpu-name \"H100 SXM\"");
  calibration::OpsRequest request;
  request.name = arguments.gpu_name;
  request.base = gpu_called(arguments.base.empty() ? arguments.gpu_name : arguments.base);
  request.gemm = arguments.gemm;
  request.collectives = arguments.nccl;
  request.collectives.insert(request.collectives.end(), arguments.allreduce.begin(), arguments.allreduce.end());
  if (!arguments.like.empty()) request.like = gpu_called(arguments.like);
  if (request.gemm.empty() && request.collectives.empty() && !request.like) {
    throw UserError({}, "nothing to fit", "give tables with --gemm, --nccl, --allreduce, or another GPU with --like");
  }
  const OpsResult result = calibration::calibrate_ops(request);
  for (const std::string& note : result.notes) console.note(note);
  if (!arguments.out.empty()) {
    std::ofstream file(arguments.out);
    file << result.profile;
    file.close();
    if (!file) throw UserError(Place{arguments.out, 0, 0}, "can't write the profile there", "give a file in a folder that exists: --out FILE");
  }
  if (arguments.json) {
    console.print(json_text(result));
  } else if (arguments.out.empty()) {
    console.print(result.profile);
  } else {
    console.print(summary(result, console.style()));
  }
  return kDone;
}

}  // namespace joulecast::cli
