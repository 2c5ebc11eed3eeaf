// run.json of a study: what is written is read again, and what is of another type is as if it were not there.
#include "report/facts_json.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "report/compare_folder.hpp"
#include "report/plan_folder.hpp"
#include "report/run_folder.hpp"
#include "report/sweep_folder.hpp"
#include "unit/report/sample.hpp"

using namespace joulecast;
using namespace joulecast::report;

namespace {

void put_facts(const std::filesystem::path& folder, const std::string& text) { std::ofstream(folder / kFactsFile) << text; }

}  // namespace

TEST_CASE("facts of a study are read as they were written") {
  const test::Scratch scratch;
  auto facts = study_facts({"0.1.0", "abc", "g++ 12", "host", 2, 1.5, 2.5}, "sweep", "0123", {{"a.toml", "ff"}});
  facts["exit_code"] = 3;
  facts["shard"] = {2, 5};
  put_facts(scratch / ".", facts_text(facts));
  const EarlierFacts read(scratch / ".");
  CHECK(read.text("sweep") == "0123");
  CHECK(read.number("exit_code") == 3);
  CHECK(read.numbers("shard") == std::vector<std::size_t>{2, 5});
  CHECK(sweep_there(scratch / ".").of == 5);
  CHECK(hash_of_plan(scratch / ".").empty());
}

TEST_CASE("facts of another type read as absent") {
  const test::Scratch scratch;
  const auto& folder = scratch / ".";
  put_facts(folder, R"({"plan": 5, "comparison": [1], "sweep": {}, "exit_code": "three", "version": 1, "partial": 5, "inputs": []})");
  CHECK(hash_of_plan(folder).empty());
  CHECK(exit_code_of_plan(folder) == 0);
  CHECK(hash_of_comparison(folder).empty());
  CHECK(exit_code_of_comparison(folder) == 0);
  CHECK(sweep_there(folder).hash.empty());
  CHECK(occupant(folder) == Occupant::whole_run);
  // A shard that cannot be read is not the whole sweep.
  for (const char* shard : {"5", "[1]", "[-1, 2]", "[\"a\", 2]"}) {
    CAPTURE(shard);
    put_facts(folder, std::string(R"({"sweep": "0123", "shard": )") + shard + "}");
    CHECK(sweep_there(folder).hash.empty());
  }
  for (const char* text : {"", "{", "[]", "7"}) {
    CAPTURE(text);
    put_facts(folder, text);
    CHECK(EarlierFacts(folder).text("plan").empty());
  }
}
