// Inputs that cannot be run: exit 2, the place, what to do, and nothing written.
#include <catch2/catch.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

const std::string kSound = R"(schema = 1
[time]
duration = "20 s"
[site.here]
pue = 1.25
[pool.chat]
node = "dgx-h100"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "2 /s"
length_prediction = "mean"
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string with_trace(const std::string& file) {
  return with(with(kSound, "\"azure-2023-conv\"", "{ file = \"" + file + "\", format = \"azure\" }"), "request_rate = \"2 /s\"\n", "");
}

const std::string kHeader = "TIMESTAMP,ContextTokens,GeneratedTokens\n";

struct Fault {
  std::string name, scenario, trace;
  std::vector<std::string> says;
};

}  // namespace

TEST_CASE("the scenario that the faults are put into is sound") {
  const Scratch scratch;
  const Ended ended = run_joulecast({"run", scratch.write("s.toml", kSound)}, {scratch.path().string(), {}, 0});
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(scratch.names() == std::vector<std::string>{"runs", "s.toml"});
}

TEST_CASE("a faulty scenario or trace exits 2 with place and remedy, and nothing is written") {
  const std::vector<Fault> faults = {
      {"mistyped key", with(kSound, "replicas", "replcas"), "", {"s.toml:10:1", "replcas", "replicas"}},
      {"missing unit", with(kSound, "\"2 /s\"", "\"2\""), "", {"s.toml:13:", "unit", "/s"}},
      {"impossible TP", with(kSound, "tensor_parallel_size = 1", "tensor_parallel_size = 16"), "", {"s.toml:", "16", "8"}},
      {"TP that does not divide the heads", with(kSound, "tensor_parallel_size = 1", "tensor_parallel_size = 3"), "", {"s.toml:", "3"}},
      {"model that does not fit", with(kSound, "Llama-3.1-8B", "Llama-3.1-70B"), "", {"s.toml:", "memory"}},
      {"unknown model", with(kSound, "Llama-3.1-8B-Instruct", "Llama-3.1-8B-Instrukt"), "", {"s.toml:", "Instrukt", "Llama-3.1-8B-Instruct"}},
      {"duplicate table", kSound + "[pool.chat]\nreplicas = 3\n", "", {"s.toml:15:"}},
      {"NaN", with(kSound, "pue = 1.25", "pue = nan"), "", {"s.toml:5:", "pue"}},
      {"negative", with(kSound, "replicas = 2", "replicas = -2"), "", {"s.toml:10:", "replicas"}},
      {"negative quantity", with(kSound, "\"20 s\"", "\"-20 s\""), "", {"s.toml:3:", "duration"}},
      {"1e308", with(kSound, "\"2 /s\"", "\"1e308 /s\""), "", {"s.toml:"}},
      {"1e308 s", with(kSound, "\"20 s\"", "\"1e308 s\""), "", {"s.toml:"}},
      {"name with a slash", with(kSound, "[pool.chat]", "[pool.'a/b']"), "", {"s.toml:", "a pool can't have the name \"a/b\"", "leave out slashes"}},
      {"empty sweep", with(kSound, "[pool.chat]", "[sweep]\n[pool.chat]"), "", {"s.toml:", "the sweep has no key"}},
      {"torn TOML", with(kSound, "replicas = 2", "replicas = "), "", {"s.toml:10:"}},
      {"missing trace", with_trace("absent.csv"), "", {"absent.csv"}},
      {"empty trace", with_trace("t.csv"), "<empty>", {"t.csv"}},
      {"trace with a header alone", with_trace("t.csv"), kHeader, {"t.csv"}},
      {"torn last row", with_trace("t.csv"), kHeader + "2023-11-16 18:17:03.9799600,4808,10\n2023-11-16 18:17:04.03", {"t.csv:3", "torn_last_row"}},
      {"fractional tokens", with_trace("t.csv"), kHeader + "2023-11-16 18:17:03.9799600,3.5,10\n", {"t.csv:2:", "3.5"}},
      {"negative tokens", with_trace("t.csv"), kHeader + "2023-11-16 18:17:03.9799600,-3,10\n", {"t.csv:2:", "-3"}},
      {"NaN tokens", with_trace("t.csv"), kHeader + "2023-11-16 18:17:03.9799600,nan,10\n", {"t.csv:2:", "nan"}},
      {"1e308 tokens", with_trace("t.csv"), kHeader + "2023-11-16 18:17:03.9799600,1e308,10\n", {"t.csv:2:", "1e308"}},
  };
  for (const Fault& fault : faults) {
    const Scratch scratch;
    const std::string scenario = scratch.write("s.toml", fault.scenario);
    if (!fault.trace.empty()) scratch.write("t.csv", fault.trace == "<empty>" ? "" : fault.trace);
    const std::vector<std::string> before = scratch.names();
    const Ended ended = run_joulecast({"run", scenario}, {scratch.path().string(), {}, 0});
    CAPTURE(fault.name, ended.err, ended.out);
    CHECK(ended.code == 2);
    CHECK(ended.out.empty());
    CHECK_THAT(ended.err, StartsWith("error: ") && Contains("\n  "));
    for (const std::string& text : fault.says) CHECK_THAT(ended.err, Contains(text));
    CHECK(scratch.names() == before);
  }
}

TEST_CASE("a last row that was cut off is left out and counted where the scenario says so") {
  const Scratch scratch;
  scratch.write("t.csv", kHeader + "2023-11-16 18:17:03.9799600,4808,10\n2023-11-16 18:17:04.03");
  const std::string scenario = scratch.write("s.toml", with(with_trace("t.csv"), "format =", "torn_last_row = \"drop\", format ="));
  const Ended ended = run_joulecast({"run", scenario}, {scratch.path().string(), {}, 0});
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("1 arrived") && Contains("torn last row"));
}

TEST_CASE("all faults of a scenario are told at once, in the order of the file") {
  const Scratch scratch;
  const std::string text = with(with(kSound, "replicas", "replcas"), "pue", "puee");
  const Ended ended = run_joulecast({"check", scratch.write("s.toml", text)});
  CAPTURE(ended.err);
  CHECK(ended.code == 2);
  const std::size_t first = ended.err.find("puee"), second = ended.err.find("replcas");
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(first < second);
}

TEST_CASE("requests over the context are counted as the scenario says") {
  const Scratch scratch;
  scratch.write("t.csv", kHeader + "2023-11-16 18:17:03.9799600,100,10\n2023-11-16 18:17:04.9799600,5000,10\n");
  const std::string limit = with_trace("t.csv") + "[engine.default]\nmax_model_len = 4096\nover_context = ";
  const Ended rejected = run_joulecast({"run", scratch.write("r.toml", limit + "\"reject\"\n"), "--json"}, {scratch.path().string(), {}, 0});
  CAPTURE(rejected.err);
  CHECK(rejected.code == 0);
  CHECK_THAT(rejected.out, Contains("\"over_context\": 1") && Contains("\"completed\": 1"));
  const Ended truncated = run_joulecast({"run", scratch.write("u.toml", limit + "\"truncate\"\n"), "--json"}, {scratch.path().string(), {}, 0});
  CAPTURE(truncated.err);
  CHECK(truncated.code == 0);
  CHECK_THAT(truncated.out, Contains("\"completed\": 2"));
}

TEST_CASE("a mistaken --set is told with its words") {
  const Scratch scratch;
  const std::string scenario = scratch.write("s.toml", kSound);
  for (const std::string set : {"pool.chat.replcas=3", "pool.chat.replicas", "pool.chat.replicas=[", "=3"}) {
    const Ended ended = run_joulecast({"check", scenario, "--set", set});
    CAPTURE(set, ended.err);
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, Contains("--set"));
  }
}
