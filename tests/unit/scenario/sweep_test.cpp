// `[sweep]`: which points there are, in which order, and every fault with its place.
#include <catch2/catch.hpp>

#include "config/diagnostics.hpp"
#include "scenario/load_sweep.hpp"

using namespace joulecast;
using Catch::Contains;

namespace {

const std::string kChat =
    "schema = 1\nname = \"chat\"\n[time]\nduration = \"10 s\"\n[site.here]\npue = 1.25\n[pool.chat]\nnode = \"dgx-h100\"\nmodel = "
    "\"meta-llama/Llama-3.1-8B-Instruct\"\n"
    "tensor_parallel_size = 1\nreplicas = 2\nsm_clock = \"auto\"\n[traffic.chat]\nrequests = \"azure-2023-conv\"\nrequest_rate = \"4 /s\"\n";

scenario::SweepFile sweep_of(const std::string& more) {
  scenario::LoadOptions options;
  options.share_dir = ".";
  scenario::VariantFile file(config::parse_text(kChat + more, "chat.toml"), "chat.toml", options);
  const auto written = file.take("sweep");
  config::Diagnostics diagnostics;
  auto table = scenario::read_sweep(*written, diagnostics);
  diagnostics.throw_if_failed();
  return {std::move(file), std::move(table)};
}

std::string faults(const std::string& more) {
  try {
    sweep_of(more);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> values(const std::string& range) {
  std::vector<std::string> all;
  const auto sweep = sweep_of("[sweep]\npool.chat.sm_clock = " + range + "\n");
  for (std::size_t i = 0; i < sweep.points(); ++i) all.push_back(sweep.settings(i).front().substr(std::string("pool.chat.sm_clock=").size()));
  return all;
}

}  // namespace

TEST_CASE("dimensions come in the order of the file, and the last varies fastest") {
  const auto sweep = sweep_of(
      "[sweep]\ntraffic.chat.request_rate = [\"4 /s\", \"8 /s\"]\npool.chat.replicas = [1, 2, 3]\n[sweep.zip]\nseed = [5, 6]\n"
      "pool.chat.sm_clock = [\"1980 MHz\", { prefill = \"1980 MHz\", decode = \"1410 MHz\" }]\n");
  REQUIRE(sweep.points() == 12);
  CHECK(sweep.table().dimensions[0].name() == "traffic.chat.request_rate");
  CHECK(sweep.table().dimensions[1].name() == "pool.chat.replicas");
  CHECK(sweep.table().dimensions[2].name() == "seed+pool.chat.sm_clock");
  // 7 = 1 x 6 + 0 x 2 + 1.
  CHECK(sweep.at(7) == std::vector<std::size_t>{1, 0, 1});
  CHECK(sweep.settings(7) == std::vector<std::string>{"traffic.chat.request_rate=\"8 /s\"", "pool.chat.replicas=1", "seed=6",
                                                      "pool.chat.sm_clock={ prefill = \"1980 MHz\", decode = \"1410 MHz\" }"});
  const scenario::Scenario scenario = sweep.scenario(7);
  CHECK(scenario.seed == 6);
  CHECK(scenario.pools[0].replicas == 1);
  CHECK(scenario.pools[0].decode_clock->si() == 1.41e9);
  CHECK(scenario.traffics[0].arrivals.request_rate.si() == 8);
}

TEST_CASE("a point is the file with --set of its settings") {
  const auto sweep =
      sweep_of("[sweep]\npool.chat.replicas = [1, 2]\npool.chat.sm_clock = [\"auto\", { prefill = \"1980 MHz\", decode = \"1410 MHz\" }]\n");
  scenario::LoadOptions options;
  options.share_dir = ".";
  options.sets = sweep.settings(3);
  CHECK(scenario::resolved_toml(sweep.scenario(3)) == scenario::resolved_toml(scenario::load_text(kChat, "chat.toml", options)));
}

TEST_CASE("a range has its ends, is spaced evenly or evenly in the logarithm, and keeps its unit") {
  CHECK(values("{ from = \"1110 MHz\", to = \"1980 MHz\", steps = 4 }") ==
        std::vector<std::string>{"\"1110 MHz\"", "\"1400 MHz\"", "\"1690 MHz\"", "\"1980 MHz\""});
  const auto rates = sweep_of("[sweep]\ntraffic.chat.request_rate = { from = \"1 /s\", to = \"8 /s\", steps = 4, spacing = \"log\" }\n");
  CHECK(rates.settings(2).front() == "traffic.chat.request_rate=\"4 /s\"");
  const auto whole = sweep_of("[sweep]\npool.chat.replicas = { from = 1, to = 7, steps = 3 }\n");
  CHECK(whole.settings(1).front() == "pool.chat.replicas=4");
  const auto down = sweep_of("[sweep]\nengine.a.gpu_memory_utilization = { from = 0.9, to = 0.7, steps = 3 }\n[engine.a]\nvllm_version = \"0.19\"\n");
  CHECK(down.settings(1).front() == "engine.a.gpu_memory_utilization=0.8");
}

TEST_CASE("what a sweep does not take is named with its place, all of it at once, what many points share once") {
  CHECK_THAT(faults("[sweep]\n"), Contains("chat.toml:16:1: the sweep has no key"));
  CHECK_THAT(faults("[sweep]\npool.chat.replicas = 3\n"), Contains("expects a list of values or a range, read an integer"));
  CHECK_THAT(faults("[sweep]\npool.chat.replicas = []\n"), Contains("the sweep of pool.chat.replicas has no values"));
  CHECK_THAT(faults("[sweep.zip]\npool.chat.replicas = [1, 2]\nseed = [1]\n"), Contains("seed has 1 values and pool.chat.replicas has 2"));
  CHECK_THAT(faults("[sweep]\nseed = [1, 2]\n[sweep.zip]\nseed = [3]\n"), Contains("seed is swept twice"));
  CHECK_THAT(faults("[sweep]\npool.chat.sm_clock = [\"auto\"]\npool.chat.sm_clock-x = [1]\n"), Contains("sm_clock-x"));
  CHECK_THAT(faults("[sweep]\nname = [\"a\", \"b\"]\n"), Contains("\"name\" is the same at all points"));
  CHECK_THAT(faults("[sweep]\npool.chat.replicas = { from = 1, to = \"8 /s\", steps = 2 }\n"), Contains("write both ends in the same unit"));
  CHECK_THAT(faults("[sweep]\npool.chat.replicas = { from = 1, to = 8 }\n"), Contains("steps"));
  CHECK_THAT(faults("[sweep]\npool.chat.replicas = { from = 0, to = 8, steps = 3, spacing = \"log\" }\n"), Contains("has ends above 0"));
  const std::string mistyped = faults("[sweep]\npool.chat.replikas = [1, 2, 3]\npool.chat.sm_clock = [\"1410 MHz\", \"1410 W\"]\n");
  CHECK_THAT(mistyped, Contains("chat.toml:17:11: ") && Contains("replikas") && Contains("did you mean"));
  CHECK_THAT(mistyped, Contains("chat.toml:18:35: ") && Contains("1410 W"));
  CHECK(mistyped.find("replikas") == mistyped.rfind("\"replikas\"") + 1);
}

TEST_CASE("what does not fit together is a fault of its points alone") {
  const auto sweep = sweep_of("[sweep]\npool.chat.tensor_parallel_size = [1, 3]\n");
  CHECK(sweep.scenario(0).pools[0].tensor_parallel_size == 1);
  CHECK_THROWS_AS(sweep.scenario(1), UserError);
}
