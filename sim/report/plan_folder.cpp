#include "report/plan_folder.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "report/html/page.hpp"
#include "report/plan_json.hpp"
#include "report/run_folder.hpp"
#include "scenario/load.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRunFile = "run.json";

std::string facts_json(const study::Plan& plan, const PlanFiles& files) {
  Json object = {{"version", files.facts.version},
                 {"git_hash", files.facts.git_hash},
                 {"compiler", files.facts.compiler},
                 {"name", plan.name},
                 {"seed", plan.seed},
                 {"plan", files.hash},
                 {"exit_code", files.exit_code}};
  object["threads"] = files.facts.threads;
  object["host"] = files.facts.host;
  object["wall_s"] = files.facts.wall_s;
  object["cpu_s"] = files.facts.cpu_s;
  object["peak_memory_bytes"] = files.facts.peak_memory_bytes;
  object["inputs"] = Json::array();
  for (const scenario::Input& input : plan.inputs) object["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json facts_of(const fs::path& folder) {
  std::ifstream file(folder / kRunFile);
  return Json::parse(file, nullptr, false);
}

}  // namespace

void write_plan(const fs::path& path, bool force, const study::Plan& plan, const PlanFiles& files) {
  RunFolder folder(path, force);
  const fs::path aside = folder.open();
  folder.write("plan.json", plan_json(plan));
  folder.write("plan.csv", plan_csv(plan));
  folder.write("report.txt", files.report_text);
  std::error_code error;
  fs::create_directories(aside / "plans", error);
  for (const study::PlannedFleet& each : plan.fleets) {
    if (!each.holds()) continue;
    folder.write("plans/" + each.candidate.name + ".toml",
                 scenario::resolved_toml(scenario::with_nodes(*each.candidate.scenario, each.figures->nodes)));
  }
  folder.write(kRunFile, facts_json(plan, files));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

std::string hash_of_plan(const fs::path& folder) {
  const Json facts = facts_of(folder);
  return facts.is_object() ? facts.value("plan", "") : "";
}

int exit_code_of_plan(const fs::path& folder) {
  const Json facts = facts_of(folder);
  return facts.is_object() ? facts.value("exit_code", 0) : 0;
}

}  // namespace joulecast::report
