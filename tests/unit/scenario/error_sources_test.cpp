// What is not known for sure of the hardware, and what drawing it does.
#include "scenario/error_sources.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

struct Known {
  Scenario scenario;
  Result stated;
  std::vector<ErrorSource> sources;
};

Known known(const std::string& text, const std::vector<std::string>& sets = {}) {
  Known k{load_text(text, sets), {}, {}};
  k.stated = simulate(k.scenario, {});
  k.sources = error_sources(k.scenario, k.stated.energy);
  return k;
}

bool has(const Known& k, const std::string& name) {
  return std::any_of(k.sources.begin(), k.sources.end(), [&](const ErrorSource& each) { return each.name == name; });
}

/// Everything as stated but the sources whose name holds `part`, each at this normal number.
Scenario moved(const Known& k, const std::string& part, double normal) {
  std::vector<double> normals;
  for (const ErrorSource& each : k.sources) normals.push_back(each.name.find(part) == std::string::npos ? 0 : normal);
  return perturbed(k.scenario, k.sources, normals);
}

}  // namespace

TEST_CASE("A drawn factor's median is 1, its 80 % interval is twice the error wide, and it is symmetric in the ratio") {
  for (const double error : {0.01, 0.15, 1.0, 1.6}) {
    const double high = drawn_factor(error, 1.2815515655446004), low = drawn_factor(error, -1.2815515655446004);
    CHECK(high - low == Approx(2 * error).epsilon(1e-12));
    CHECK(high * low == Approx(1).epsilon(1e-12));
    CHECK(low > 0);
  }
  CHECK(drawn_factor(0.3, 0) == 1);
}

TEST_CASE("Normal numbers of 0 leave a scenario's result to the last bit") {
  const Known k = known(kChat);
  const Result same = simulate(moved(k, "nothing is called so", 1), {});
  CHECK(same.energy.joules == k.stated.energy.joules);
  CHECK(same.events == k.stated.events);
}

TEST_CASE("Watts of one class move that class's joules by the factor, and its seconds not") {
  const Known k = known(kChat);
  const Result more = simulate(moved(k, "attention watts", -1), {});
  const auto of = [](const Result& result) {
    const auto& classes = result.energy.pools[0].classes;
    return *std::find_if(classes.begin(), classes.end(), [](const auto& each) { return each.name == "attention"; });
  };
  const auto& source = *std::find_if(k.sources.begin(), k.sources.end(), [](const auto& s) { return s.name == "H100 SXM attention watts"; });
  CHECK(of(more).seconds == of(k.stated).seconds);
  CHECK(of(more).joules / of(k.stated).joules == Approx(drawn_factor(source.drawn_error, -1)).epsilon(1e-6));
}

TEST_CASE("Seconds of one class move that class's times, tables or form, and latencies with them") {
  const Known k = known(kChat);
  const Result slower = simulate(moved(k, "attention time", 1), {});
  CHECK(slower.traffics[0].tpot_s.p50 > k.stated.traffics[0].tpot_s.p50);
  CHECK(slower.energy.pools[0].classes[1].name == "attention");
  CHECK(slower.energy.pools[0].classes[1].seconds > 1.05 * k.stated.energy.pools[0].classes[1].seconds);
}

TEST_CASE("Sources are what can move the scenario: clock curves where a clock is set, collectives where there are some") {
  const Known plain = known(kChat);
  CHECK(has(plain, "H100 SXM GEMM watts"));
  CHECK(has(plain, "dgx-h100 host watts"));
  CHECK_FALSE(has(plain, "H100 SXM voltage knee"));
  CHECK(has(known(kChat, {"pool.chat.sm_clock='1410 MHz'"}), "H100 SXM voltage knee"));
  for (const ErrorSource& each : plain.sources) {
    INFO(each.name);
    CHECK(each.relative_error > 0);
    CHECK(each.drawn_error >= each.relative_error);
    CHECK_FALSE(each.key.empty());
    CHECK_FALSE(each.remedy.empty());
    CHECK(each.file.starts_with("hardware_profiles/"));
  }
}

TEST_CASE("Memory that is drawn moves KV blocks, and an engine keeps room for its longest request") {
  const Known k = known(kChat);
  const Scenario less = moved(k, "engine memory", 1), none = moved(k, "engine memory", 60);
  const auto& stated = k.scenario.pools[0].engine;
  CHECK(less.pools[0].engine.num_gpu_blocks < stated.num_gpu_blocks);
  CHECK((none.pools[0].engine.num_gpu_blocks - 1) * stated.block_size >= stated.max_model_len);
  CHECK((none.pools[0].engine.num_gpu_blocks - 2) * stated.block_size < stated.max_model_len);
}

TEST_CASE("Shares stay at most 1 however far they are drawn") {
  const Known k = known(kChat, {"pool.chat.sm_clock='1410 MHz'"});
  const Scenario far = moved(k, "", 9);
  const auto& gpu = far.clusters[0].gpu;
  for (const double share : {gpu.clock.memory_bound.value, gpu.clock.context_attention.value, gpu.power.dynamic_share.value, gpu.power.knee.value}) {
    CHECK(share <= 1);
  }
  CHECK(gpu.power.voltage_ratio.value <= 3);
  CHECK(far.clusters[0].node.psu_efficiency.value.front().second <= 1);
}
