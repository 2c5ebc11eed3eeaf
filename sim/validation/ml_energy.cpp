#include "validation/ml_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "fit/held_out.hpp"
#include "hardware/serving_points.hpp"

namespace joulecast::validation {
namespace {

constexpr double kIntervalShare = 0.8;
constexpr const char* kGpus[] = {"H100", "B200"};

std::string file_of(const Sources& sources) {
  const auto path = std::filesystem::path(sources.data) / "serving/ml-energy/llm_configs.csv";
  return sources.data.empty() || !std::filesystem::exists(path) ? "" : path.string();
}

std::vector<std::size_t> where(const study::ServingRuns& runs, const std::function<bool(const study::SteadyRun&)>& wanted) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < runs.runs().size(); ++i) {
    if (wanted(runs.runs()[i])) found.push_back(i);
  }
  return found;
}

/// Positions of each series' runs by rising batch.
std::vector<std::vector<std::size_t>> series_of(const study::ServingRuns& runs) {
  std::map<std::size_t, std::vector<std::size_t>> by_series;
  for (std::size_t i = 0; i < runs.runs().size(); ++i) by_series[runs.runs()[i].series].push_back(i);
  std::vector<std::vector<std::size_t>> series;
  for (auto& [number, members] : by_series) {
    std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return runs.runs()[a].run.batch < runs.runs()[b].run.batch; });
    series.push_back(std::move(members));
  }
  return series;
}

hardware::ServingPoint point(const study::SteadyRun& run, const serving::SteadyCost& cost) {
  const double watts = cost.total_joules() / cost.total_seconds();
  return {run.run.batch, run.run.step_seconds() / cost.total_seconds(), run.run.watts / watts};
}

using ErrorsByGpu = std::map<std::string, std::vector<double>>;

/// The 2nd, 5th, 8th .. batch of each series from the residuals of its others, everything fitted on those.
ErrorsByGpu batch_point_errors(const study::ServingRuns& runs) {
  std::vector<std::size_t> kept, held;
  std::vector<std::pair<std::size_t, hardware::ServingResidual>> asked;
  const auto series = series_of(runs);
  for (const auto& members : series) {
    for (std::size_t i = 0; i < members.size(); ++i) (i % 3 == 1 ? held : kept).push_back(members[i]);
  }
  const auto fit = calibration::fit_serving(runs.rows(kept));
  std::map<std::size_t, serving::SteadyCost> cost;
  for (const auto* which : {&kept, &held}) {
    const auto predicted = runs.predict(fit, *which);
    for (std::size_t i = 0; i < which->size(); ++i) cost[(*which)[i]] = predicted[i];
  }
  ErrorsByGpu errors;
  for (const auto& members : series) {
    std::vector<hardware::ServingPoint> points;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i % 3 != 1) points.push_back(point(runs.runs()[members[i]], cost.at(members[i])));
    }
    const hardware::ServingResidual residual(points);
    for (std::size_t i = 1; i < members.size(); i += 3) {
      const auto& run = runs.runs()[members[i]].run;
      const auto ratio = residual.at(run.batch);
      errors[run.gpu].push_back(cost.at(members[i]).joules_per_token * ratio.seconds_ratio * ratio.watts_ratio / run.joules_per_token() - 1);
    }
  }
  return errors;
}

/// The other runs of each dense series where its middle one has been measured.
ErrorsByGpu one_point_errors(const study::ServingRuns& runs, const std::vector<UnseenRun>& unseen) {
  ErrorsByGpu errors;
  for (const auto& members : series_of(runs)) {
    const UnseenRun& middle = unseen[members[members.size() / 2]];
    if (middle.run == nullptr || middle.mixture) continue;
    // One ratio of joules stands for both.
    const hardware::ServingResidual residual({{middle.run->run.batch, middle.measured / middle.predicted, 1}});
    for (const std::size_t i : members) {
      const auto& run = unseen[i];
      if (&run == &middle) continue;
      errors[run.run->run.gpu].push_back(run.predicted * residual.at(run.run->run.batch).seconds_ratio / run.measured - 1);
    }
  }
  return errors;
}

double percent(std::vector<double> errors, double share) {
  for (double& error : errors) error = 100 * std::abs(error);
  return fit::quantile(std::move(errors), share);
}

void state_intervals(std::vector<UnseenRun>& unseen) {
  for (auto& run : unseen) {
    if (run.run == nullptr) continue;
    std::vector<double> others;
    for (const auto& other : unseen) {
      if (other.run == nullptr || other.model == run.model || other.mixture != run.mixture || other.run->run.gpu != run.run->run.gpu) continue;
      others.push_back(std::abs(std::log(other.predicted / other.measured)));
    }
    run.half_width = others.empty() ? 1 : fit::quantile(std::move(others), kIntervalShare);
  }
}

Entry entry(const std::string& name, const std::string& quantity, double expected, std::string tolerance, Kind kind = Kind::measured) {
  return {"serving.mlenergy." + name, quantity, "ML.ENERGY v3", expected, "%", std::move(tolerance), kind};
}

std::vector<Entry> entries() {
  struct Row {
    const char *gpu, *name, *quantity, *median, *p90;
  };
  constexpr Row rows[] = {{"h100", "batch_points", "J/token, every third batch point held out", "3 %", "9 %"},
                          {"b200", "batch_points", "J/token, every third batch point held out", "5 %", "13 %"},
                          {"h100", "dense_left_out", "J/token, model left out", "7 %", "15 %"},
                          {"h100", "dense_one_point", "J/token, model left out", "5 %", "11 %"},
                          {"h100", "all_left_out", "J/token, model left out", "12 %", "37 %"},
                          {"b200", "dense_left_out", "J/token, model left out", "14 %", "28 %"},
                          {"b200", "dense_one_point", "J/token, model left out", "6 %", "13 %"},
                          {"b200", "all_left_out", "J/token, model left out", "17 %", "42 %"}};
  std::vector<Entry> all;
  for (const Row& row : rows) {
    const std::string name = std::string(row.gpu) + "." + row.name, quantity = row.quantity;
    all.push_back(entry(name + ".median", quantity, 0, row.median));
    all.push_back(entry(name + ".p90", std::string_view(row.name) == "batch_points" ? "same" : quantity, 0, row.p90));
  }
  all.push_back(entry("interval80_coverage", "share of rows of left-out models inside the stated 80 % interval; intervals from the other models", 80,
                      "10 points"));
  all.push_back(
      entry("interval80_half_width", "mean half-width of these intervals; no published figure: ours, kept", 26.97, "0.1 points", Kind::regression));
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.id < b.id; });
  return all;
}

std::map<std::string, double> figures(const study::ServingRuns& runs) {
  const auto unseen = unseen_runs(runs);
  std::map<std::string, ErrorsByGpu> errors;
  errors["batch_points"] = batch_point_errors(runs);
  errors["dense_one_point"] = one_point_errors(runs, unseen);
  double inside = 0, width = 0;
  for (const auto& run : unseen) {
    if (run.run == nullptr) continue;
    const std::string& gpu = run.run->run.gpu;
    errors["all_left_out"][gpu].push_back(run.error());
    if (!run.mixture) errors["dense_left_out"][gpu].push_back(run.error());
    inside += run.inside() ? 1 : 0;
    width += std::exp(run.half_width) - 1;
  }
  std::map<std::string, double> figures;
  for (const auto& [name, by_gpu] : errors) {
    for (const auto& [gpu, values] : by_gpu) {
      const std::string id = std::string(gpu == kGpus[0] ? "h100" : "b200") + "." + name;
      figures[id + ".median"] = percent(values, 0.5);
      figures[id + ".p90"] = percent(values, 0.9);
    }
  }
  const auto rows = static_cast<double>(std::count_if(unseen.begin(), unseen.end(), [](const auto& run) { return run.run != nullptr; }));
  figures["interval80_coverage"] = 100 * inside / rows;
  figures["interval80_half_width"] = 100 * width / rows;
  return figures;
}

study::ServingRuns published_runs(const std::string& file, const Sources& sources) {
  auto runs = traces::read_serving_runs(traces::TextLines(file));
  const auto other = [](const traces::ServingRun& run) { return run.gpu != kGpus[0] && run.gpu != kGpus[1]; };
  runs.erase(std::remove_if(runs.begin(), runs.end(), other), runs.end());
  return {runs, sources.share};
}

}  // namespace

bool UnseenRun::inside() const { return std::abs(std::log(predicted / measured)) <= half_width; }

std::vector<UnseenRun> unseen_runs(const study::ServingRuns& runs) {
  std::vector<UnseenRun> unseen(runs.runs().size());
  std::set<std::string> models;
  for (const auto& run : runs.runs()) models.insert(runs.model(run).name);
  for (const auto& model : models) {
    const auto own = where(runs, [&](const auto& run) { return runs.model(run).name == model; });
    const auto others = where(runs, [&](const auto& run) { return runs.model(run).name != model; });
    if (others.empty()) continue;
    const auto fit = calibration::fit_serving(runs.rows(others));
    const bool known = std::all_of(own.begin(), own.end(), [&](std::size_t i) { return fit.knows(runs.gpu(runs.runs()[i]).name); });
    if (!known) continue;
    const auto predicted = runs.predict(fit, own);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const study::SteadyRun& run = runs.runs()[own[i]];
      const auto point_of = point(run, predicted[i]);
      unseen[own[i]] = {&run,
                        model,
                        runs.model(run).experts.has_value(),
                        run.run.joules_per_token(),
                        predicted[i].joules_per_token,
                        1 / point_of.seconds_ratio - 1,
                        1 / point_of.watts_ratio - 1,
                        0};
    }
  }
  state_intervals(unseen);
  return unseen;
}

Comparison ml_energy() {
  return {entries(), [](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const std::string file = file_of(sources);
            if (file.empty()) return std::nullopt;
            const auto found = figures(published_runs(file, sources));
            std::vector<Ours> ours;
            for (const Entry& each : entries()) {
              const auto figure = found.find(each.id.substr(std::string_view("serving.mlenergy.").size()));
              if (figure == found.end()) return std::nullopt;  // a table without one of the GPUs, or without dense models
              ours.push_back({figure->second});
            }
            return ours;
          }};
}

std::string ml_energy_table(const Sources& sources) {
  const std::string file = file_of(sources);
  if (file.empty()) return "";
  const auto runs = published_runs(file, sources);
  const auto unseen = unseen_runs(runs);
  std::string text = "Runs of ml-energy v3 predicted by fits without their model, % off: batch, seconds of a step, watts = joules a token\n";
  for (const auto& members : series_of(runs)) {
    if (unseen[members.front()].run == nullptr) continue;
    const auto& first = unseen[members.front()].run->run;
    text += fmt::format("{} {} x{} {}\n ", first.gpu, first.model, first.gpus, first.task);
    for (const std::size_t i : members) {
      const auto& run = unseen[i];
      text +=
          fmt::format(" {:.0f}: {:+.0f} {:+.0f} = {:+.0f},", run.run->run.batch, 100 * run.seconds_error, 100 * run.watts_error, 100 * run.error());
    }
    text.back() = '\n';
  }
  for (const auto& left_out : runs.left_out()) text += "left out: " + left_out + "\n";
  return text;
}

}  // namespace joulecast::validation
