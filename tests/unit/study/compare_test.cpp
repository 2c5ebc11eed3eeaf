// Arms on the same requests: what is the same, what is different, what is refused.
#include "study/compare.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "scenario/simulate.hpp"

using namespace joulecast;
using namespace joulecast::study;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kBase = R"(schema = 1
[site.here]
pue = 1.25
[time]
duration = "30 s"
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[router]
replica = "round_robin"
)";
const std::string kDrawn = R"([traffic.chat]
requests = "azure-2023-conv"
request_rate = "6 /s"
slo = { ttft = "1 s", tpot = "80 ms", attainment = "90 %" }
)";

class Files {
 public:
  Files() : folder_(fs::temp_directory_path() / ("joulecast-compare-" + std::to_string(getpid()))) { fs::create_directories(folder_); }
  ~Files() { fs::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  scenario::Arms arms(const std::string& text, std::vector<std::string> sets = {}) const {
    return scenario::load_arms(write("compare.toml", text), {std::move(sets), {}, "."});
  }
  std::string faults(const std::string& text) const {
    try {
      const auto compared = compare(arms(text), {});
      return "";
    } catch (const UserError& error) {
      return error.what();
    }
  }
  /// A trace in vidur's format: a request every 250 ms for 100 s, prompts of rising length.
  std::string trace() const {
    std::string text = "arrived_at,num_prefill_tokens,num_decode_tokens\n";
    for (int i = 0; i < 400; ++i) text += std::to_string(0.25 * i) + "," + std::to_string(100 + i) + "," + std::to_string(10 + i % 50) + "\n";
    write("trace.csv", text);
    return "[traffic.chat]\nrequests = { file = \"trace.csv\", format = \"vidur\" }\n";
  }

 private:
  fs::path folder_;
};

std::size_t figure(const Comparison& comparison, const std::string& key) {
  for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
    if (comparison.figures[f].key == key) return f;
  }
  FAIL("no figure " << key);
  return 0;
}

const std::string kTtft = "traffic.chat.ttft_s.p99", kToken = "energy_per_output_token_joules.facility";

}  // namespace

TEST_CASE("arms get the same requests in each replication, an arm named twice differs by exactly 0, and any number of threads gives the same") {
  const Files files;
  const auto arms = files.arms(kBase + kDrawn +
                               "[compare]\nreplications = 3\n[compare.arm.a]\n[compare.arm.b]\nrouter.replica = \"random\"\n"
                               "[compare.arm.twice]\n[compare.arm.more]\npool.chat.replicas = 3\n");
  const auto one = compare(arms, {}), three = compare(arms, {3, nullptr, {}});
  REQUIRE(one);
  CHECK(one->same_requests);
  REQUIRE(one->arms.size() == 4);
  CHECK(one->arms[0].runs[0].requests != one->arms[0].runs[1].requests);
  for (std::size_t f = 0; f < one->figures.size(); ++f) {
    for (std::size_t a = 0; a < 4; ++a) {
      CHECK(one->arms[a].values[f]->value == three->arms[a].values[f]->value);
      for (std::size_t r = 0; r < 3; ++r) CHECK(one->arms[a].runs[r].values[f] == three->arms[a].runs[r].values[f]);
    }
    CHECK(one->arms[2].differences[f]->verdict == Verdict::same);
  }
  CHECK(one->arms[3].differences[figure(*one, kToken)]->verdict == Verdict::higher);
  // Replication 0 is the run that `simulate` gives.
  const auto alone = figures_of(scenario::simulate(arms.arms[1].scenario, {}), metering::Boundary::facility);
  for (std::size_t f = 0; f < alone.size(); ++f) CHECK(one->arms[1].runs[0].values[figure(*one, alone[f].figure.key)] == alone[f].value);
}

TEST_CASE("an arm's keys replace those of the file after --set, and its faults stand at its own lines") {
  const Files files;
  const std::string text = kBase + kDrawn + "[compare]\n[compare.arm.a]\n[compare.arm.b]\npool.chat.replicas = 1\n";
  const auto arms = files.arms(text, {"pool.chat.replicas=4", "compare.boundary='gpu'"});
  CHECK(arms.arms[0].scenario.pools[0].replicas == 4);
  CHECK(arms.arms[1].scenario.pools[0].replicas == 1);
  CHECK(arms.compare.boundary == metering::Boundary::gpu);
  const std::string faults =
      files.faults(kBase + kDrawn + "[compare]\n[compare.arm.a]\npool.chat.replicsa = 1\n[compare.arm.b]\nrouter.replica = \"nobody\"\n");
  CHECK_THAT(faults, Contains("compare.toml:19:") && Contains("replicas") && Contains("nobody"));
  CHECK_THAT(files.faults(kBase + kDrawn + "[compare]\n[compare.arm.a]\nseed = 2\n"), Contains("seed"));
  CHECK_THAT(files.faults(kBase + kDrawn + "[compare]\nreference = \"aa\"\n[compare.arm.a]\n"), Contains("did you mean \"a\""));
  CHECK_THAT(files.faults(kBase + kDrawn + "[compare]\nreplications = 2\n"), Contains("no arm"));
  CHECK_THAT(files.faults(kBase + kDrawn), Contains("no [compare]"));
}

TEST_CASE("intervals of what is not random are refused by name; resampled arrivals give them") {
  const Files files;
  const std::string two = "[compare.arm.a]\n[compare.arm.b]\nrouter.replica = \"least_outstanding\"\n";
  const std::string fixed = kBase + files.trace() + "[compare]\nreplications = 4\n" + two;
  CHECK_THAT(files.faults(fixed), Contains("traffic \"chat\" replays its trace as it is") && Contains("resample = { what = \"arrivals\""));
  CHECK_THAT(files.faults(kBase + kDrawn + "[compare]\nreplications = 2\nresample = { what = \"arrivals\" }\n" + two),
             Contains("nothing to resample"));
  CHECK_THAT(files.faults(kBase + kDrawn + "[compare]\nresample = { what = \"arrivals\" }\n" + two), Contains("resample without replications"));
  // A trace brought at its own rate is the trace, whichever way the rate is reached.
  for (const std::string by : {"superpose", "thin"}) {
    const std::string own_rate = "rate = { scale = 1.0, by = \"" + by + "\" }\n[compare]\nreplications = 4\n";
    CHECK_THAT(files.faults(kBase + files.trace() + own_rate + two), Contains("traffic \"chat\" replays its trace as it is"));
  }
  // What is drawn from a law that leaves nothing open is the same each time, too.
  files.write("one.csv", "arrived_at,num_prefill_tokens,num_decode_tokens\n0,100,20\n");
  CHECK_THAT(files.faults(kBase + "[traffic.chat]\nlengths = { file = \"one.csv\", format = \"vidur\" }\n" +
                          "arrivals = { process = \"constant\", request_rate = \"1 /s\" }\n[compare]\nreplications = 4\n" + two),
             Contains("traffic \"chat\" is the same for every seed"));
  // A router that draws is noise enough.
  CHECK(compare(files.arms(fixed + "[compare.arm.c]\nrouter.replica = \"random\"\n"), {}));

  const std::string blocks = "[compare]\nreplications = 4\nresample = { what = \"arrivals\", blocks = \"5 s\", within = \"20 s\" }\n";
  const auto comparison = compare(files.arms(kBase + files.trace() + blocks + two), {});
  REQUIRE(comparison);
  CHECK(comparison->same_requests);
  CHECK(comparison->arms[0].runs.size() == 4);
  CHECK(comparison->arms[0].runs[0].requests != comparison->arms[0].once.requests);
  const std::size_t f = figure(*comparison, kTtft);
  const Difference& difference = *comparison->arms[1].differences[f];
  CHECK(difference.absolute.value == comparison->arms[1].once.values[f] - comparison->arms[0].once.values[f]);
  CHECK(*difference.absolute.low < *difference.absolute.high);
}

TEST_CASE("a replication's seed is that of drafts, too: accepted drafts are noise enough") {
  const Files files;
  const std::string drafts =
      "[engine.drafts]\nspeculative = { method = \"ngram\", num_speculative_tokens = 3, acceptance_rate = \"60 %\" }\n"
      "[compare]\nreplications = 3\n[compare.arm.a]\n[compare.arm.b]\npool.chat.replicas = 3\n";
  std::string base = kBase;
  base.insert(base.find("[router]"), "engine = \"drafts\"\n");
  const auto comparison = compare(files.arms(base + files.trace() + drafts), {});
  REQUIRE(comparison);
  const std::size_t f = figure(*comparison, kTtft);
  CHECK(comparison->arms[0].runs[0].requests == comparison->arms[0].runs[1].requests);
  CHECK(comparison->arms[0].runs[0].values[f] != comparison->arms[0].runs[1].values[f]);
  CHECK(comparison->arms[0].runs[1].values[f] != comparison->arms[0].runs[2].values[f]);
}

TEST_CASE("hold = slo finds the load at which each arm's SLO just holds, and says where none does") {
  const Files files;
  const auto arms = files.arms(kBase + kDrawn +
                               "[compare]\nhold = \"slo\"\n[compare.arm.two]\n[compare.arm.four]\npool.chat.replicas = 4\n"
                               "[compare.arm.never]\ntraffic.chat.slo.ttft = \"1 ms\"\n");
  const auto comparison = compare(arms, {});
  REQUIRE(comparison);
  const auto load = [&](std::size_t arm) { return *comparison->arms[arm].once.load->found.load; };
  CHECK(load(1) > 1.6 * load(0));
  CHECK_FALSE(comparison->arms[2].held());
  CHECK(comparison->arms[2].once.load->attainments.front().share < 0.9);
  // The figures are of a run at that load; a few precisions above, it does not hold.
  const scenario::Scenario& at = comparison->arms[0].scenario;
  const auto ran = figures_of(scenario::simulate(at, {}), metering::Boundary::facility);
  CHECK(ran.front().value == comparison->arms[0].once.values[figure(*comparison, kToken)]);
  scenario::RunOptions keep;
  keep.keep_requests = true;
  const auto held = [&](const scenario::Scenario& scenario) { return judgement(attainments(scenario, scenario::simulate(scenario, keep))).held; };
  CHECK(held(at));
  CHECK_FALSE(held(with_load(arms.arms[0].scenario, load(0) * 1.011)));
  CHECK_THAT(files.faults(kBase + files.trace() + "[compare]\nhold = \"slo\"\n[compare.arm.a]\n"),
             Contains("no traffic of the arm \"a\" has an slo"));
}
