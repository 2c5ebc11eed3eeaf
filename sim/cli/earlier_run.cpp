#include "cli/earlier_run.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "base/hash.hpp"
#include "cli/build_info.hpp"
#include "cli/commands.hpp"
#include "cli/file_text.hpp"
#include "scenario/load.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json json_of(const fs::path& path) { return json::parse(file_text(path), nullptr, false); }

}  // namespace

bool holds_run_of(const fs::path& folder, const scenario::Scenario& scenario, int uncertainty) {
  const json summary = json_of(folder / "summary.json");
  const json drawn = summary.is_object() ? summary.value("uncertainty", json::object()) : json::object();
  if (drawn.value("draws", 0) != uncertainty) return false;
  if (file_text(folder / "scenario.resolved.toml") != scenario::resolved_toml(scenario)) return false;
  const json run = json_of(folder / "run.json");
  std::map<std::string, std::string> then;
  if (run.is_object() && run.contains("inputs")) {
    for (const json& input : run["inputs"]) then[input.value("path", "")] = input.value("sha256", "");
  }
  for (const std::string& path : scenario.inputs) {
    const auto found = then.find(path);
    if (found == then.end() || found->second != sha256_of_file(path)) return false;
  }
  return true;
}

std::string hash_with_draws(const std::string& hash, int uncertainty) {
  return uncertainty == 0 ? hash : sha256(fmt::format("{} uncertainty {}", hash, uncertainty)).substr(0, hash.size());
}

bool missed_required_slo(const scenario::Traffic& traffic, std::optional<double> attainment, Console& console, std::string_view arm) {
  if (!traffic.slo || !traffic.slo->required || !attainment || *attainment >= traffic.slo->attainment.value) return false;
  const std::string where = arm.empty() ? "" : fmt::format("arm \"{}\": ", arm);
  console.message(fmt::format("{}traffic \"{}\": {:.1f} % of the requests were within the SLO; {:.4g} % are required, {:.1f} points more", where,
                              traffic.name, 100 * *attainment, 100 * traffic.slo->attainment.value,
                              100 * (traffic.slo->attainment.value - *attainment)));
  return true;
}

int show_earlier_run(const fs::path& folder, const scenario::Scenario& scenario, const RunArguments& arguments, Console& console) {
  const std::string summary_text = file_text(folder / "summary.json");
  if (arguments.json) {
    console.print(summary_text);
  } else {
    console.print(file_text(folder / "report.txt"));
  }
  console.flush();
  console.message(fmt::format("already there: {} (the same input gives the same results; --force runs it again)", folder.string()));
  const json run = json_of(folder / "run.json");
  const BuildInfo build = build_info();
  if (run.is_object() && run.value("git_hash", "") != build.commit) {
    console.note(fmt::format("another build made it, joulecast {} ({}); this is {} ({})", run.value("version", "?"), run.value("git_hash", "?"),
                             build.version, build.commit));
  }
  const json summary = json::parse(summary_text, nullptr, false);
  int code = kDone;
  for (const scenario::Traffic& traffic : scenario.traffics) {
    const json attainment = summary.is_object() ? summary.value(json::json_pointer("/traffic/" + traffic.name + "/slo_attainment"), json()) : json();
    if (missed_required_slo(traffic, attainment.is_number() ? std::optional<double>(attainment.get<double>()) : std::nullopt, console))
      code = kNotHeld;
  }
  return code;
}

}  // namespace joulecast::cli
