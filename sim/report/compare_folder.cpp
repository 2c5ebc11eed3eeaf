#include "report/compare_folder.hpp"

#include "base/error.hpp"
#include "report/compare_h5.hpp"
#include "report/compare_json.hpp"
#include "report/facts_json.hpp"
#include "report/html/page.hpp"
#include "report/run_folder.hpp"
#include "report/summary.hpp"
#include "scenario/load.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

void write_comparison(const fs::path& path, bool force, const study::Comparison& comparison, const CompareFiles& files) {
  RunFolder folder(path, force);
  const fs::path aside = folder.open();
  folder.write("compare.json", compare_json(comparison));
  folder.write("compare.csv", compare_csv(comparison));
  folder.write("report.txt", files.report_text);
  write_compare_h5(comparison, aside / "results.h5");
  for (const study::ComparedArm& arm : comparison.arms) {
    const std::string name = "arms/" + arm.name + "/";
    std::error_code error;
    fs::create_directories(aside / name, error);
    folder.write(name + "scenario.resolved.toml", scenario::resolved_toml(arm.scenario));
    if (!arm.result) continue;
    folder.write(name + "summary.json", summary_json(*arm.result));
    folder.write(name + "summary.csv", summary_csv(*arm.result));
  }
  auto facts = study_facts(files.facts, "comparison", files.hash, comparison.inputs);
  facts["name"] = comparison.name;
  facts["seed"] = comparison.seed;
  facts["exit_code"] = files.exit_code;
  if (comparison.partial || files.partial) facts["partial"] = true;
  folder.write(kFactsFile, facts_text(facts));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

std::string hash_of_comparison(const fs::path& folder) { return EarlierFacts(folder).text("comparison"); }

int exit_code_of_comparison(const fs::path& folder) { return EarlierFacts(folder).number("exit_code"); }

}  // namespace joulecast::report
