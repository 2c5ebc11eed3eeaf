#include "report/plan_folder.hpp"

#include "report/facts_json.hpp"
#include "report/html/page.hpp"
#include "report/plan_json.hpp"
#include "report/run_folder.hpp"
#include "scenario/load.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

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
  auto facts = study_facts(files.facts, "plan", files.hash, plan.inputs);
  facts["name"] = plan.name;
  facts["seed"] = plan.seed;
  facts["exit_code"] = files.exit_code;
  folder.write(kFactsFile, facts_text(facts));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

std::string hash_of_plan(const fs::path& folder) { return EarlierFacts(folder).text("plan"); }

int exit_code_of_plan(const fs::path& folder) { return EarlierFacts(folder).number("exit_code"); }

}  // namespace joulecast::report
