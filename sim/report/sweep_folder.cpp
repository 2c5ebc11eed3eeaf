#include "report/sweep_folder.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.hpp"
#include "report/html/page.hpp"
#include "report/run_folder.hpp"
#include "report/sweep_h5.hpp"
#include "report/sweep_json.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kRunFile = "run.json";
constexpr const char* kShardFile = "shard.json";

Json facts_json(const RunFacts& facts, const std::string& hash, const std::vector<scenario::Input>& inputs) {
  Json object = {{"version", facts.version},
                 {"git_hash", facts.git_hash},
                 {"compiler", facts.compiler},
                 {"sweep", hash},
                 {"threads", facts.threads},
                 {"host", facts.host},
                 {"wall_s", facts.wall_s},
                 {"cpu_s", facts.cpu_s},
                 {"peak_memory_bytes", facts.peak_memory_bytes}};
  object["inputs"] = Json::array();
  for (const scenario::Input& input : inputs) object["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  return object;
}

std::string text_of(const Json& object) { return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

void write_sweep(const fs::path& path, bool force, const study::Sweep& sweep, const SweepFiles& files) {
  RunFolder folder(path, force);
  const fs::path aside = folder.open();
  folder.write("sweep.json", sweep_json(sweep));
  folder.write("sweep.csv", sweep_csv(sweep));
  folder.write("report.txt", files.report_text);
  write_sweep_h5(sweep, aside / "results.h5");
  Json facts = facts_json(files.facts, sweep.hash, sweep.inputs);
  facts["name"] = sweep.name;
  facts["seed"] = sweep.seed;
  facts["exit_code"] = files.exit_code;
  folder.write(kRunFile, text_of(facts));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

void write_shard(const fs::path& path, bool force, const study::ListedSweep& listed, const Shard& shard, const RunFacts& facts) {
  RunFolder folder(path, force);
  folder.open();
  folder.write(kShardFile, shard_json(shard));
  Json object = facts_json(facts, listed.hash, listed.inputs);
  object["shard"] = {shard.i, shard.of};
  folder.write(kRunFile, text_of(object));
  folder.commit();
}

SweepThere sweep_there(const fs::path& folder) {
  std::ifstream file(folder / kRunFile);
  const Json facts = Json::parse(file, nullptr, false);
  SweepThere there;
  if (!facts.is_object()) return there;
  try {
    there.hash = facts.value("sweep", "");
    there.exit_code = facts.value("exit_code", 0);
    there.build = {facts.value("version", ""), facts.value("git_hash", "")};
    if (facts.contains("shard")) {
      there.shard = facts.at("shard").at(0).get<std::size_t>();
      there.of = facts.at("shard").at(1).get<std::size_t>();
    }
  } catch (const Json::exception&) {
    return {};
  }
  return there;
}

Shard read_shard(const fs::path& folder) {
  std::ifstream file(folder / kShardFile, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  auto shard = shard_of(text.str());
  if (!shard) {
    const bool sweep = fs::exists(folder / "sweep.json");
    throw UserError(Place{folder.string()}, sweep ? "holds a whole sweep, not a shard of one" : "holds no shard of a sweep",
                    "name the folders that `joulecast sweep --shard i/n` wrote");
  }
  return *std::move(shard);
}

}  // namespace joulecast::report
