#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "report/html/page_content.hpp"
#include "report/html/results_reader.hpp"
#include "report/html/run_tables.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 7200;
constexpr std::size_t kMostOperations = 20000;
constexpr int kSchema = 1;

/// Sums pools' series of one state; empty where no pool has it.
std::vector<double> state_watts(const ResultsReader& file, const std::vector<std::string>& pools, const std::string& state) {
  std::vector<double> sum;
  for (const std::string& pool : pools) {
    const std::vector<double> watts = file.values("/pool/" + pool + "/state/" + state);
    if (sum.size() < watts.size()) sum.resize(watts.size());
    for (std::size_t i = 0; i < watts.size(); ++i) sum[i] += watts[i];
  }
  return sum;
}

Json power(const ResultsReader& file) {
  const std::size_t bins = file.values("/bin_start").size();
  const std::size_t group = std::max<std::size_t>(1, (bins + kMostPoints - 1) / kMostPoints);
  const std::vector<std::string> pools = file.names("/pool");
  Json power = {{"bin_s", file.number("/", "bin_s").value_or(1) * static_cast<double>(group)}, {"averaged", group}};
  for (const char* boundary : {"gpu", "chassis_ac", "it", "facility"})
    power["boundary"][boundary] = packed(file.values(std::string("/power/") + boundary), group);
  for (const char* state : {"bare_idle", "context_idle", "spin_wait", "active"})
    power["state"][state] = packed(state_watts(file, pools, state), group);
  for (const char* kind : {"feed", "site"}) {
    for (const std::string& name : file.names(std::string("/") + kind)) {
      const std::string path = fmt::format("/{}/{}", kind, name);
      Json each = {{"name", name}, {"kind", kind}, {"watts", packed(file.values(path + "/it"), group)}};
      if (const auto usable = file.number(path, "usable_watts")) each["usable_watts"] = *usable;
      power["place"].push_back(std::move(each));
    }
  }
  return power;
}

Json activity(const ResultsReader& file) {
  const std::vector<double> starts = file.values("/interval_start");
  if (starts.size() < 2) return nullptr;
  Json out = {{"interval_s", starts[1] - starts[0]}, {"pool", Json::array()}, {"traffic", Json::array()}};
  for (const std::string& name : file.names("/pool")) {
    const std::string path = "/pool/" + name;
    const std::vector<double> running = file.values(path + "/running");
    if (running.empty()) continue;
    out["pool"].push_back({{"name", name},
                           {"running", packed(running)},
                           {"context_tokens", packed(file.values(path + "/context_tokens"))},
                           {"output_tokens_per_s", packed(file.values(path + "/output_tokens_per_s"))},
                           {"kv_capacity_tokens", file.number(path, "kv_capacity_tokens").value_or(0)}});
  }
  for (const std::string& name : file.names("/traffic")) {
    const std::string path = "/traffic/" + name;
    out["traffic"].push_back(
        {{"name", name}, {"arrivals_per_s", packed(file.values(path + "/arrivals_per_s"))}, {"waiting", packed(file.values(path + "/waiting"))}});
  }
  return out;
}

Json latencies(const ResultsReader& file) {
  Json out = Json::array();
  for (const std::string& name : file.names("/traffic")) {
    Json traffic = {{"name", name}};
    for (const char* kind : {"ttft_s", "tpot_s", "e2e_s"}) {
      const std::string path = "/traffic/" + name + "/" + kind;
      const std::vector<double> curve = file.values(path);
      if (curve.empty()) continue;
      traffic[kind] = {{"seconds", packed(curve)}};
      if (const auto limit = file.number(path, "slo_limit_s")) traffic[kind]["limit_s"] = *limit;
    }
    out.push_back(std::move(traffic));
  }
  return {{"share", packed(file.values("/share"))}, {"traffic", std::move(out)}};
}

Json lines(const std::string& text) {
  Json all = Json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.size(), text.find('\n', at));
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// Operations of one iteration; of the first lanes alone where there are too many to draw.
Json iteration(const ResultsReader& file, const std::string& job) {
  const std::string path = "/job/" + job + "/iteration";
  const std::vector<double> lane = file.values(path + "/lane");
  if (lane.empty()) return nullptr;
  std::vector<double> columns[5];
  constexpr const char* names[] = {"kind", "start_s", "duration_s", "clock_hz", "joules"};
  for (std::size_t c = 0; c < std::size(names); ++c) columns[c] = file.values(path + "/" + names[c]);
  const std::size_t shown = std::min(lane.size(), kMostOperations);
  Json out = {{"job", job}, {"lanes", lines(file.text(path, "lanes"))}, {"kinds", lines(file.text(path, "kinds"))}, {"operations", lane.size()}};
  out["lane"] = packed({lane.begin(), lane.begin() + static_cast<std::ptrdiff_t>(shown)});
  for (std::size_t c = 0; c < std::size(names); ++c) {
    JOULECAST_CHECK(columns[c].size() == lane.size(), fmt::format("{} of {} has another length", names[c], path));
    out[names[c]] = packed({columns[c].begin(), columns[c].begin() + static_cast<std::ptrdiff_t>(shown)});
  }
  return out;
}

}  // namespace

PageContent run_content(const fs::path& folder) {
  const Json summary = json_file(folder / "summary.json", kSchema);
  PageContent page;
  page.kind = "run";
  page.title = summary.value("name", "run");
  page.subtitle = fmt::format("{} simulated, seed {}", length_of_time(summary.value("horizon_s", 0.0)), summary.value("seed", std::uint64_t{0}));
  if (summary.contains("start")) page.subtitle += ", from " + summary.value("start", "");
  if (summary.value("partial", false)) page.warnings.emplace_back("Interrupted: these results cover only the part that was simulated.");
  if (summary.contains("traffic")) {
    for (const auto& [name, traffic] : summary["traffic"].items()) {
      if (!traffic.value("stable", true))
        page.warnings.push_back(fmt::format("{}: the queue grows through the run; the pools cannot keep up.", name));
    }
  }
  page.tables = run_tables(summary);
  page.data["summary"] = summary;
  if (Json facts = steady_facts(folder); !facts.empty()) page.data["run"] = std::move(facts);
  if (fs::exists(folder / "uncertainty.json")) page.data["uncertainty"] = json_file(folder / "uncertainty.json", 0);
  page.data["scenario"] = text_file(folder / "scenario.resolved.toml");
  page.data["report"] = text_file(folder / "report.txt");
  if (fs::exists(folder / "results.h5")) {
    try {
      const ResultsReader file(folder / "results.h5");
      page.data["power"] = power(file);
      page.data["activity"] = activity(file);
      page.data["latency"] = latencies(file);
      page.data["iteration"] = Json::array();
      for (const std::string& job : file.names("/job")) page.data["iteration"].push_back(iteration(file, job));
    } catch (const hdf5::Failed& failed) {
      throw UserError(Place{(folder / "results.h5").string()}, fmt::format("cannot be read ({} failed)", failed.call),
                      "make the results again, with --force");
    }
  }
  return page;
}

}  // namespace joulecast::report
