#include "report/compare_folder.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "report/compare_h5.hpp"
#include "report/compare_json.hpp"
#include "report/html/page.hpp"
#include "report/run_folder.hpp"
#include "report/summary.hpp"
#include "scenario/load.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRunFile = "run.json";

std::string facts_json(const study::Comparison& comparison, const CompareFiles& files) {
  Json object = {{"version", files.facts.version}, {"git_hash", files.facts.git_hash}, {"compiler", files.facts.compiler}, {"name", comparison.name},
                 {"seed", comparison.seed},        {"comparison", files.hash},         {"exit_code", files.exit_code}};
  if (comparison.partial || files.partial) object["partial"] = true;
  object["threads"] = files.facts.threads;
  object["host"] = files.facts.host;
  object["wall_s"] = files.facts.wall_s;
  object["cpu_s"] = files.facts.cpu_s;
  object["peak_memory_bytes"] = files.facts.peak_memory_bytes;
  object["inputs"] = Json::array();
  for (const scenario::Input& input : comparison.inputs) object["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json facts_of(const fs::path& folder) {
  std::ifstream file(folder / kRunFile);
  return Json::parse(file, nullptr, false);
}

}  // namespace

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
  folder.write(kRunFile, facts_json(comparison, files));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

std::string hash_of_comparison(const fs::path& folder) {
  const Json facts = facts_of(folder);
  return facts.is_object() ? facts.value("comparison", "") : "";
}

int exit_code_of_comparison(const fs::path& folder) {
  const Json facts = facts_of(folder);
  return facts.is_object() ? facts.value("exit_code", 0) : 0;
}

}  // namespace joulecast::report
