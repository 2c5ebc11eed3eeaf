// What a person reads whose routers cannot do what the scenario asks.
#include <catch2/catch.hpp>

#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

/// A large and a small model, chat for both, code for the small one alone.
const std::string kTwo = R"(schema = 1
[site.here]
pue = 1.25
[model.large]
architecture = "meta-llama/Llama-3.1-70B-Instruct"
accuracy = { value = 0.836, per = "request", source = "test" }
[model.small]
architecture = "meta-llama/Llama-3.1-8B-Instruct"
accuracy = { value = "69.4 %", per = "request", source = "test" }
[pool.large]
node = "dgx-h100"
model = "large"
tensor_parallel_size = 4
replicas = 2
[pool.small]
node = "dgx-a100"
model = "small"
tensor_parallel_size = 1
replicas = 4
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
models = ["large", "small"]
length_prediction = { relative_error = "40 %" }
[traffic.code]
requests = "azure-2023-code"
request_rate = "1 /s"
models = ["small"]
[router]
pool = "ea"
[policy.ea]
use = "energy_aware"
zeta = 0.5
)";

std::string without(std::string text, const std::string& line) {
  const auto at = text.find(line);
  REQUIRE(at != std::string::npos);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

std::string notes(const Scenario& scenario) {
  std::string all;
  for (const std::string& note : scenario.notes) all += note + "\n";
  return all;
}

}  // namespace

TEST_CASE("The scenario that the other cases spoil loads: eligibility, beliefs and what policies are told") {
  const Scenario scenario = load_text(kTwo);
  CHECK(scenario.pool_policy == "energy_aware");
  CHECK(scenario.replica_policy == "round_robin");
  CHECK(scenario.traffics[0].pools == std::vector<std::size_t>{0, 1});
  CHECK(scenario.traffics[1].pools == std::vector<std::size_t>{1});
  CHECK(scenario.traffics[0].chooses_pool);
  CHECK_FALSE(scenario.traffics[1].chooses_pool);
  REQUIRE(scenario.pools[0].belief);
  REQUIRE(scenario.pools[1].belief);
  CHECK(scenario.pools[1].accuracy->value.value == Approx(0.694));
  // Profiled over the lengths of the traffic that has a choice, good to a few per cent.
  CHECK(scenario.pools[0].belief->range.holds(scenario.traffics[0].length_facts->range));
  for (const Pool& pool : scenario.pools) CHECK(*pool.belief->fit_error < 0.05);
  CHECK(scenario.pools[0].belief->joules(1000, 200) > scenario.pools[1].belief->joules(1000, 200));
  CHECK_THAT(notes(scenario), Contains("relative error 40 %") && Contains("pool \"large\": joules a request fitted alone on a replica"));
}

TEST_CASE("A sweep at a larger batch believes less of a request") {
  const Scenario alone = load_text(kTwo), together = load_text(kTwo, {"policy.ea.profile_batch=16"});
  for (std::size_t p = 0; p < 2; ++p) {
    const double one = alone.pools[p].belief->joules(1000, 200), shared = together.pools[p].belief->joules(1000, 200);
    CHECK(shared < 0.5 * one);
    CHECK(shared > one / 16);
  }
}

TEST_CASE("Believed joules of requests are there where a policy believes some, and else empty") {
  RunOptions options;
  options.keep_requests = true;
  const auto believed = [&](std::vector<std::string> sets) {
    sets.push_back("time.duration='5 s'");
    return simulate(load_text(kTwo, std::move(sets)), options).believed_joules;
  };
  CHECK_FALSE(believed({})[0].empty());
  CHECK(believed({"policy.slo.use='slo_energy'", "router.pool='slo'", "traffic.chat.slo={ttft='2 s',tpot='80 ms'}"})[0].empty());
}

TEST_CASE("A model that no pool serves, and several models without somebody who chooses") {
  CHECK_THAT(faults(kTwo, {"traffic.chat.models=['large','smal']"}), Contains("no pool serves \"smal\"") && Contains("did you mean \"small\"?"));
  CHECK_THAT(faults(kTwo, {"traffic.code.models=['gpt-5']"}), Contains("no pool serves \"gpt-5\""));
  CHECK_THAT(faults(without(kTwo, "pool = \"ea\"")), Contains("[router] does not say who chooses"));
  CHECK_THAT(faults(without(kTwo, "models = [\"large\", \"small\"]")), Contains("the traffic does not say which may answer"));
}

TEST_CASE("A policy without its signal") {
  CHECK_THAT(faults(without(kTwo, "length_prediction")),
             Contains("\"energy_aware\" needs a prediction of output lengths, and traffic \"chat\" states none") && Contains("there is no default"));
  CHECK_THAT(faults(without(kTwo, "accuracy = { value = \"69.4 %\"")),
             Contains("needs the accuracy of model \"small\"") && Contains("[model.small]"));
  const std::string by_output = "policy.t={use='length_threshold',tokens=9,of='output',below='small',above='large'}";
  CHECK(faults(kTwo, {"router.pool='t'", by_output}) == "");
  CHECK_THAT(faults(without(kTwo, "length_prediction"), {"router.pool='t'", by_output}), Contains("\"length_threshold\" needs a prediction"));
  CHECK(faults(without(kTwo, "length_prediction"), {"router.pool='least_outstanding'"}) == "");
  CHECK_THAT(faults(kTwo, {"router.replica='prefix_affinity'"}), Contains("no traffic has them"));
}

TEST_CASE("Policies of the other kind, unknown ones, and parameters out of range") {
  CHECK_THAT(faults(kTwo, {"router.replica='energy_aware'"}),
             Contains("\"energy_aware\" chooses a pool, not a replica") && Contains("write pool = \"energy_aware\""));
  CHECK_THAT(faults(kTwo, {"router.pool='power_of_two'"}), Contains("\"power_of_two\" chooses a replica, not a pool"));
  CHECK_THAT(faults(kTwo, {"policy.ea.use='energy_awar'"}), Contains("did you mean \"energy_aware\"?"));
  CHECK_THAT(faults(kTwo, {"router.pool='eb'"}), Contains("there is no policy \"eb\" that chooses a pool"));
  CHECK_THAT(faults(kTwo, {"policy.ea.zeta=1.5"}), Contains("zeta"));
  CHECK_THAT(faults(kTwo, {"policy.ea.energy_model='wilkins-2023'"}), Contains("did you mean \"wilkins-2024\"?"));
  CHECK_THAT(faults(kTwo, {"policy.ea.energy_model='wilkins-2024'"}), Contains("know no model \"meta-llama/Llama-3.1-70B"));
  CHECK_THAT(faults(kTwo, {"traffic.chat.length_prediction={relative_error='-5 %'}"}), Contains("relative_error"));
  CHECK_THAT(faults(kTwo, {"traffic.chat.length_prediction='maen'"}), Contains("relative_error = \"40 %\""));
  CHECK_THAT(faults(kTwo, {"model.small.accuracy={value=0.5,per='answer',source='x'}"}), Contains("token"));
}

TEST_CASE("Shares that cannot be met, and the trap of the constant accuracy") {
  CHECK_THAT(faults(kTwo, {"policy.ea.shares={large='10 %',small='60 %'}"}), Contains("shares cannot be met for traffic \"chat\""));
  CHECK_THAT(faults(kTwo, {"policy.ea.shares={large='10 %',small='90 %'}"}), Contains("constant-accuracy trap"));
  CHECK(faults(kTwo, {"policy.ea.shares={large='10 %'}"}) == "");
}

TEST_CASE("Published beliefs outside their range or negative are refused by name, or clamped with a note") {
  const std::vector<std::string> llama = {"model.small.architecture='meta-llama/Llama-2-7b-hf'", "traffic.chat.models=['small','third']",
                                          "model.third={architecture='meta-llama/Llama-2-7b-hf',accuracy={value=0.5,per='request',source='x'}}",
                                          "pool.third={node='dgx-a100',model='third',tensor_parallel_size=1,replicas=1}",
                                          "policy.ea.energy_model='wilkins-2024'"};
  CHECK_THAT(faults(kTwo, llama),
             Contains("\"wilkins-2024\" holds for 8 .. 2048 tokens in") && Contains("is negative for lengths that traffic \"chat\" has"));
  std::vector<std::string> clamped = llama;
  clamped.emplace_back("policy.ea.out_of_range='clamp'");
  CHECK_THAT(notes(load_text(kTwo, clamped)), Contains("negative joules are taken as 0") && Contains("lengths outside are taken at its edge"));
}

TEST_CASE("A choice with nothing to choose is said, and a pool cannot be named as the unused GPUs are") {
  CHECK_THAT(notes(load_text(kTwo, {"traffic.chat.models=['large']"})), Contains("has nothing to choose"));
  CHECK_THAT(faults(kChat + "[pool.\"no pool\"]\nnode = \"dgx-h100\"\nmodel = \"meta-llama/Llama-3.1-70B-Instruct\"\n"
                            "tensor_parallel_size = 4\nreplicas = 1\n"),
             Contains("cannot be named \"no pool\""));
}

TEST_CASE("The resolved scenario loads to the same, from any folder") {
  const Scenario scenario = load_text(kTwo, {"policy.ea.shares={large={at_least='5 %',at_most='40 %'}}"});
  const std::string resolved = resolved_toml(scenario);
  CHECK(resolved_toml(load_text(resolved)) == resolved);

  // A model of one's own by a relative path is written by its absolute one.
  const auto folder = std::filesystem::temp_directory_path() / ("joulecast-own-model-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file("workloads/models/llama-3.1-8b.toml", folder / "mine.toml", std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "scenario.toml") << kTwo;
  const Scenario own = load((folder / "scenario.toml").string(), {{"model.small.architecture='" + (folder / "mine.toml").string() + "'"}, {}, "."});
  CHECK_THAT(resolved_toml(own), Contains((folder / "mine.toml").string()));
  CHECK(resolved_toml(load_text(resolved_toml(own))) == resolved_toml(own));
  std::filesystem::remove_all(folder);
}
