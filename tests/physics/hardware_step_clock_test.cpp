// A whole step against the clock: 70B TP4 on H100, power limits out of the way.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "llm/operations.hpp"
#include "physics/hardware_shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

H100Chat unlimited() {
  H100Chat chat;
  chat.gpu.power_limit.standard.value = Watts(5000);
  return chat;
}

struct ClassCost {
  double seconds, joules;
};
ClassCost of_class(const StepCosts& costs, Work work, int sequences, std::int64_t context) {
  const auto& segment = costs.decode(Phase::decode, sequences, context);
  const auto i = static_cast<std::size_t>(work);
  ClassCost cost{segment.base.seconds[i].units(), segment.base.joules[i].units()};
  if (work == Work::attention) {
    cost.seconds += (context * segment.attention_seconds_per_context).units();
    cost.joules += (context * segment.attention_joules_per_context).units();
  }
  return cost;
}

const std::vector<Chunk> kPrompt{{4096, 0}};

}  // namespace

TEST_CASE("a lock moves each class of a step as the forms say: t(f) an operation, P(f) a class") {
  const auto chat = unlimited();
  const auto reference = chat.locked(chat.gpu.clocks.reference.value);
  const int n = 64;
  const std::int64_t context = n * 600;
  for (const double mhz : {1905.0, 1410.0, 900.0, 345.0}) {
    INFO(mhz << " MHz");
    const auto locked = chat.locked(Hertz(mhz * 1e6));
    const hardware::ClockScaling scaling(chat.gpu, Hertz(mhz * 1e6), 1);
    const auto ratio = [&](Work work) { return of_class(*locked, work, n, context).seconds / of_class(*reference, work, n, context).seconds; };
    CHECK(ratio(Work::attention) == Approx(scaling.seconds({1, chat.gpu.clock.memory_bound.value})).epsilon(1e-6));
    CHECK(ratio(Work::elementwise) == Approx(scaling.seconds({1, chat.gpu.clock.memory_bound.value})).epsilon(1e-6));
    CHECK(ratio(Work::collective) == Approx(scaling.seconds({1, chat.gpu.clock.collective.value})).epsilon(1e-6));
    CHECK(ratio(Work::host) == 1);

    const auto step = llm::step_operations(chat.model, 4, n, 0);
    const auto head = llm::step_operations(chat.model, 4, 0, n).lm_head;
    const auto timing = [&](const llm::Gemm& gemm) { return hardware::gemm_timing(chat.gpu, gemm.flops(), gemm.bytes(2)); };
    double seconds = scaling.seconds(timing(head)), at_reference = timing(head).total, flops = head.flops();
    for (const auto& each : step.gemms) {
      REQUIRE(each.times == 80);
      seconds += 80 * scaling.seconds(timing(each.gemm));
      at_reference += 80 * timing(each.gemm).total;
      flops += 80 * each.gemm.flops();
    }
    const auto gemm = of_class(*locked, Work::gemm, n, context);
    CHECK(gemm.seconds == Approx(seconds).epsilon(1e-9));
    CHECK(gemm.joules == Approx(4 * seconds * scaling.watts(hardware::gemm_watts(chat.gpu, flops, at_reference))).epsilon(1e-9));
    const auto attention = of_class(*locked, Work::attention, n, context);
    CHECK(attention.joules == Approx(4 * attention.seconds * scaling.watts(chat.gpu.watts.attention.value.si())).epsilon(1e-6));
    const auto host = of_class(*locked, Work::host, n, context);
    CHECK(host.joules == Approx(4 * host.seconds * scaling.watts(chat.gpu.watts.host.value.si())).epsilon(1e-9));
  }
}

TEST_CASE("a step's joules against the clock have one valley: above it voltage costs, below it time does") {
  const auto chat = unlimited();
  const auto prompt_joules = [&](Hertz clock) { return chat.locked(clock)->mixed(Phase::prefill, kPrompt, 0, 0).total_joules().units(); };
  const auto decode_joules = [&](Hertz clock) { return decode_step(*chat.locked(clock), 4, 64, 600).joules_of(4); };
  std::vector<Hertz> clocks;
  const auto all = chat.gpu.clock_list();
  for (std::size_t i = 0; i < all.size(); i += 8) clocks.push_back(all[i]);
  clocks.push_back(all.back());

  const auto valley = [&](const auto& joules) {
    std::vector<double> of;
    for (const auto clock : clocks) of.push_back(joules(clock));
    const auto least = std::min_element(of.begin(), of.end());
    CHECK(least != of.begin());
    CHECK(least != of.end() - 1);
    CHECK(std::is_sorted(of.begin(), least + 1, std::greater<>()));
    CHECK(std::is_sorted(least, of.end()));
    CHECK(of.front() > 1.1 * *least);
    CHECK(of.back() > 1.02 * *least);
    return clocks[static_cast<std::size_t>(least - of.begin())];
  };
  const Hertz knee = chat.gpu.power.knee.value * chat.gpu.clocks.highest.value;
  const Hertz prompt = valley(prompt_joules), decode = valley(decode_joules);
  // Prompts are core-bound, their time grows at once below the knee; decode reads memory and can go lower.
  CHECK(prompt.si() == Approx(knee.si()).epsilon(0.1));
  CHECK(decode < prompt);
  CHECK(prompt_joules(knee / 2) > prompt_joules(knee));
}

TEST_CASE("a GPU of speed factor v takes the time of a sound one at v times the clock, and draws what its own clock draws") {
  const auto chat = unlimited();
  const Hertz clock(1800e6);
  const auto sound = chat.locked(clock), slow = chat.locked(clock, 0.9), lower = chat.locked(0.9 * clock);
  const auto prompt = [](const StepCosts& costs) { return costs.mixed(Phase::prefill, kPrompt, 0, 0); };
  CHECK(prompt(*slow).total_seconds().units() == Approx(prompt(*lower).total_seconds().units()).epsilon(1e-9));
  CHECK(decode_step(*slow, 4, 64, 600).seconds == Approx(decode_step(*lower, 4, 64, 600).seconds).epsilon(1e-6));
  CHECK(prompt(*slow).total_joules() > prompt(*lower).total_joules());
  for (std::size_t i = 0; i < kWorks; ++i) {
    if (prompt(*sound).seconds[i].raw == 0) continue;
    const auto watts = [&](const StepCosts& costs) { return prompt(costs).joules[i].units() / prompt(costs).seconds[i].units(); };
    CHECK(watts(*slow) == Approx(watts(*sound)).epsilon(1e-6));
  }
  const double longer = prompt(*slow).total_seconds().units() / prompt(*sound).total_seconds().units();
  CHECK(longer > 1.05);
  CHECK(longer <= 1 / 0.9);
}
