#include "report/sweep_folder.hpp"

#include <fstream>
#include <sstream>

#include "base/error.hpp"
#include "report/facts_json.hpp"
#include "report/html/page.hpp"
#include "report/run_folder.hpp"
#include "report/sweep_h5.hpp"
#include "report/sweep_json.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

constexpr const char* kShardFile = "shard.json";

}  // namespace

void write_sweep(const fs::path& path, bool force, const study::Sweep& sweep, const SweepFiles& files) {
  RunFolder folder(path, force);
  const fs::path aside = folder.open();
  folder.write("sweep.json", sweep_json(sweep));
  folder.write("sweep.csv", sweep_csv(sweep));
  folder.write("report.txt", files.report_text);
  write_sweep_h5(sweep, aside / "results.h5");
  auto facts = study_facts(files.facts, "sweep", sweep.hash, sweep.inputs);
  facts["name"] = sweep.name;
  facts["seed"] = sweep.seed;
  facts["exit_code"] = files.exit_code;
  folder.write(kFactsFile, facts_text(facts));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

void write_shard(const fs::path& path, bool force, const study::ListedSweep& listed, const Shard& shard, const RunFacts& facts) {
  RunFolder folder(path, force);
  folder.open();
  folder.write(kShardFile, shard_json(shard));
  auto object = study_facts(facts, "sweep", listed.hash, listed.inputs);
  object["shard"] = {shard.i, shard.of};
  folder.write(kFactsFile, facts_text(object));
  folder.commit();
}

SweepThere sweep_there(const fs::path& folder) {
  const EarlierFacts facts(folder);
  const auto shard = facts.numbers("shard");
  if (facts.has("shard") && shard.size() != 2) return {};
  SweepThere there;
  there.hash = facts.text("sweep");
  there.exit_code = facts.number("exit_code");
  there.build = {facts.text("version"), facts.text("git_hash")};
  if (shard.size() == 2) {
    there.shard = shard[0];
    there.of = shard[1];
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
