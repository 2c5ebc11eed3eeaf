#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "calibration/serving_profile.hpp"
#include "calibration/table_source.hpp"
#include "cli/commands.hpp"
#include "cli/share.hpp"
#include "hardware/profiles.hpp"
#include "report/table.hpp"
#include "validation/ml_energy.hpp"

namespace joulecast::cli {
namespace {

using report::Ink;

/// Errors of the GPU's unseen rows; none where fewer than two models could be told apart.
calibration::UnseenErrors unseen_errors(const study::ServingRuns& runs, const std::vector<validation::UnseenRun>& unseen, const std::string& gpu,
                                        bool mixture) {
  calibration::UnseenErrors errors;
  std::vector<double> joules, seconds, watts, one;
  for (const auto& run : unseen) {
    if (run.run == nullptr || runs.gpu(*run.run).name != gpu || run.mixture != mixture) continue;
    joules.push_back(1 + run.error());
    seconds.push_back(1 + run.seconds_error);
    watts.push_back(1 + run.watts_error);
    one.push_back(1);
  }
  errors.rows = one.size();
  if (one.empty()) return errors;
  errors.joules = fit::relative_errors(joules, one);
  errors.seconds = fit::relative_errors(seconds, one);
  errors.watts = fit::relative_errors(watts, one);
  return errors;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string summary(const calibration::ServingProfile& profile, const report::Style& style) {
  report::Table table;
  table.row({report::words("models left out", Ink::heading),
             {"rows", Ink::heading},
             {"J/token: median", Ink::heading},
             {"p80", Ink::heading},
             {"seconds: p80", Ink::heading},
             {"watts: p80", Ink::heading}});
  for (const auto& [name, errors] : {std::pair{"dense", &profile.dense}, {"mixtures", &profile.mixtures}}) {
    if (errors->rows == 0) continue;
    table.row({report::words(name),
               {fmt::format("{}", errors->rows)},
               {percent(errors->joules.median)},
               {percent(errors->joules.p80)},
               {percent(errors->seconds.p80)},
               {percent(errors->watts.p80)}});
  }
  return table.text(style);
}

nlohmann::ordered_json json_of(const fit::RelativeErrors& e) { return {{"median", e.median}, {"mean", e.mean}, {"p80", e.p80}, {"worst", e.worst}}; }

std::string json_text(const calibration::ServingProfile& profile, const std::string& text) {
  nlohmann::ordered_json out = {{"schema", 1}, {"profile", text}};
  out["models_left_out"] = nlohmann::ordered_json::object();
  for (const auto& [name, errors] : {std::pair{"dense", &profile.dense}, {"mixtures", &profile.mixtures}}) {
    if (errors->rows == 0) continue;
    out["models_left_out"][name] = {{"rows", errors->rows},
                                    {"joules_per_token", json_of(errors->joules)},
                                    {"seconds", json_of(errors->seconds)},
                                    {"watts", json_of(errors->watts)}};
  }
  return out.dump(2) + "\n";
}

}  // namespace

int calibrate_serving(const CalibrateServingArguments& arguments, Console& console) {
  if (arguments.runs.empty()) throw UserError({}, "no serving runs", "give a table with --runs FILE");
  if (arguments.gpu.empty()) throw UserError({}, "no GPU", "give --gpu \"H100 SXM\": the profile whose figures are fitted");
  std::vector<traces::ServingRun> read;
  std::vector<calibration::TableSource> sources;
  for (const std::string& path : arguments.runs) {
    auto more = traces::read_serving_runs(traces::TextLines(path));
    sources.push_back(calibration::table_source(path));
    sources.back().used = more.size();
    read.insert(read.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  const study::ServingRuns runs(read, share_folder());
  for (const std::string& each : runs.left_out()) console.note("left out: " + each);
  if (runs.runs().empty()) {
    throw UserError(Place{arguments.runs.front(), 0, 0}, "no run can be described",
                    "name a shipped model and GPU, and give prompt_tokens or a task that is known (lm-arena-chat, gpqa)");
  }

  config::Diagnostics diagnostics;
  const auto base = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder(share_folder()), "GPU", arguments.gpu, Place{}), diagnostics);
  diagnostics.throw_if_failed();
  std::vector<std::size_t> all(runs.runs().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto unseen = validation::unseen_runs(runs);
  calibration::ServingProfile profile{base.name,
                                      &base,
                                      text_of(sources),
                                      calibration::fit_serving(runs.rows(all)),
                                      unseen_errors(runs, unseen, base.name, false),
                                      unseen_errors(runs, unseen, base.name, true)};
  const std::string text = calibration::serving_profile(profile);
  if (!arguments.out.empty()) {
    std::ofstream file(arguments.out);
    file << text;
    file.close();
    if (!file) throw UserError(Place{arguments.out, 0, 0}, "can't write the profile there", "give a file in a folder that exists: --out FILE");
  }
  if (arguments.json) {
    console.print(json_text(profile, text));
  } else if (arguments.out.empty()) {
    console.print(text);
  } else {
    console.print(summary(profile, console.style()));
  }
  return kDone;
}

}  // namespace joulecast::cli
