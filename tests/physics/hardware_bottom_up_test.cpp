#include <catch2/catch.hpp>
#include <thread>

#include "physics/hardware_shipped.hpp"

using namespace joulecast;
using namespace joulecast::serving;

TEST_CASE("KV blocks: what the engine counted on the RTX 4090, and a model that does not fit says why") {
  const auto gpu = shipped_gpu("RTX 4090");
  CHECK(gpu.memory.value == Bytes(25250627584.0));
  CHECK(kv_blocks(gpu, shipped_model("meta-llama/Llama-3.1-8B"), 1, EngineConfig{}, 0.9, {}) == 2588);
  try {
    kv_blocks(gpu, shipped_model("meta-llama/Llama-3.1-70B"), 4, EngineConfig{}, 0.9, Place{"scenario.toml", 7, 1});
    FAIL("70B fits 4 x 24 GB");
  } catch (const UserError& error) {
    const std::string text = error.what();
    CHECK_THAT(text, Catch::Contains("scenario.toml:7:1"));
    CHECK_THAT(text, Catch::Contains("35.3 GB of weights"));
    CHECK_THAT(text, Catch::Contains("tensor_parallel_size"));
  }
}

TEST_CASE("a clock lock lowers decode watts and lengthens the step; prompts feel it more") {
  const H100Chat chat;
  const auto fast = chat.at(default_point(chat.gpu));
  auto point = default_point(chat.gpu);
  point.prefill_clock = point.decode_clock = Hertz(1410e6);
  const auto locked = chat.at(point);
  const auto a = decode_step(*fast, 4, 64, 600), b = decode_step(*locked, 4, 64, 600);
  CHECK(b.watts < a.watts);
  CHECK(b.seconds > a.seconds);
  CHECK(b.seconds < 1.1 * a.seconds);
  const std::vector<Chunk> prompt{{4096, 0}};
  const double slower =
      locked->mixed(Phase::decode, prompt, 0, 0).total_seconds().units() / fast->mixed(Phase::decode, prompt, 0, 0).total_seconds().units();
  CHECK(slower > b.seconds / a.seconds);
  CHECK(slower <= 1980.0 / 1410.0);
  CHECK(locked->time_provenance(Work::gemm) == Provenance::modelled);
  CHECK(fast->time_provenance(Work::attention) == Provenance::measured);
}

TEST_CASE("a cap above the draw changes no bit; one below it lowers the clock until the mean watts keep it or the clock is the lowest") {
  const H100Chat chat;
  auto point = default_point(chat.gpu);
  const auto free = chat.at(point);
  const std::int64_t context = 64 * 600;
  const auto drawn = decode_step(*free, 4, 64, 600);
  point.cap = Watts(drawn.watts + 20);
  const auto above = chat.at(point);
  const auto &f = free->decode(Phase::decode, 64, context), &g = above->decode(Phase::decode, 64, context);
  CHECK(f.base_seconds == g.base_seconds);
  CHECK(f.base_joules == g.base_joules);
  CHECK(f.attention_joules_per_context == g.attention_joules_per_context);
  CHECK(above->decode_clock(Phase::decode, 64, context) == Hertz(1980e6));

  double clock = 1980e6;
  for (const double cap : {450.0, 400.0, 350.0, 300.0, 250.0}) {
    INFO("cap " << cap);
    point.cap = Watts(cap);
    const auto capped = chat.at(point);
    const auto step = decode_step(*capped, 4, 64, 600);
    const double now = capped->decode_clock(Phase::decode, 64, context).si();
    CHECK(now <= clock);
    if (now > chat.gpu.clocks.lowest.value.si()) {
      CHECK(step.watts <= cap * (1 + 1e-9));
      CHECK(step.watts > 0.95 * cap);
    }
    clock = now;
  }
  point.cap = Watts(200);
  const auto lowest = chat.at(point);
  CHECK(lowest->decode_clock(Phase::decode, 64, context) == chat.gpu.clocks.lowest.value);
  CHECK(decode_step(*lowest, 4, 64, 600).watts > 200);

  const std::vector<Chunk> prompt{{2048, 512}};
  point.cap = Watts(400);
  const auto mixed = chat.at(point)->mixed(Phase::prefill, prompt, 32, 32 * 700);
  CHECK(mixed.total_joules().units() / mixed.total_seconds().units() / 4 <= 400 * (1 + 1e-9));
}

TEST_CASE("decode segments lie at fixed contexts, touch, and step time grows by at most a tenth within one") {
  const H100Chat chat;
  // Without a cap: where one begins to act a segment ends at any summed context, and growth is that at the lock.
  OperatingPoint point = default_point(chat.gpu);
  point.cap = Watts(10000);
  const auto costs = chat.at(point);
  for (const int n : {1, 7, 64, 256}) {
    std::int64_t context = n;
    double at_end = 0;
    int segments = 0;
    while (context < n * std::int64_t{32000}) {
      const auto& segment = costs->decode(Phase::decode, n, context);
      REQUIRE(segment.context_from <= context);
      REQUIRE(segment.context_to > context);
      CHECK(segment.context_from % n == 0);
      CHECK(&costs->decode(Phase::decode, n, std::min(segment.context_to - 1, segment.context_from + 5)) == &segment);
      const double begin = (segment.base_seconds + segment.context_from * segment.attention_seconds_per_context).units();
      const auto to = std::min(segment.context_to, n * std::int64_t{32768});
      const double end = (segment.base_seconds + to * segment.attention_seconds_per_context).units();
      CHECK(end <= 1.1 * begin + 1e-6);
      if (at_end > 0) CHECK(begin == Approx(at_end).epsilon(0.02));
      at_end = end;
      context = segment.context_to;
      ++segments;
    }
    CHECK(segments < 100);
  }
}

TEST_CASE("a mixed step costs more than its decode part and less than both apart; the class sums are the total") {
  const H100Chat chat;
  const auto costs = chat.at(default_point(chat.gpu));
  const std::vector<Chunk> prompt{{1024, 0}};
  const auto alone = costs->mixed(Phase::prefill, prompt, 0, 0);
  const auto mixed = costs->mixed(Phase::prefill, prompt, 32, 32 * 600);
  const double decode = decode_step(*costs, 4, 32, 600).seconds;
  CHECK(mixed.total_seconds().units() > alone.total_seconds().units());
  CHECK(mixed.total_seconds().units() < alone.total_seconds().units() + decode);
  CHECK(mixed.seconds[static_cast<std::size_t>(Work::collective)].raw > 0);
  const std::vector<Chunk> later{{1024, 8192}};
  CHECK(costs->mixed(Phase::prefill, later, 0, 0).seconds[1] > alone.seconds[1]);
}

TEST_CASE("several threads asking a cold cache get the same costs as one") {
  const H100Chat chat;
  const auto one = chat.at(default_point(chat.gpu)), many = chat.at(default_point(chat.gpu));
  const auto sum = [](const ClockedCosts& costs) {
    int128 total = 0;
    const std::vector<Chunk> prompt{{300, 0}};
    for (int n = 1; n <= 64; ++n) {
      for (std::int64_t mean = 50; mean < 20000; mean *= 3) total += costs.decode(Phase::decode, n, n * mean).base_joules.raw;
      total += costs.mixed(Phase::decode, prompt, n, n * 500).total_joules().raw;
    }
    return total;
  };
  const auto expected = sum(*one);
  std::array<int128, 4> sums{};
  std::vector<std::thread> threads;
  for (auto& mine : sums) threads.emplace_back([&many, &mine, &sum] { mine = sum(*many); });
  for (auto& thread : threads) thread.join();
  for (const auto mine : sums) CHECK(mine == expected);
}

TEST_CASE("two clocks: phases cost their own, and idle watts do not depend on them") {
  const H100Chat chat;
  auto point = default_point(chat.gpu);
  point.decode_clock = Hertz(1410e6);
  const auto costs = chat.at(point);
  CHECK_FALSE(costs->one_clock());
  CHECK(costs->switch_latency() == Span{6'000'000});
  CHECK(costs->decode(Phase::decode, 8, 800).base_joules < costs->decode(Phase::prefill, 8, 800).base_joules);
  CHECK(costs->idle_joules_per_nanosecond().units() * 1e9 == Approx(4 * 122).epsilon(1e-6));
  CHECK(chat.at(default_point(chat.gpu))->switch_latency() == Span{});
}

TEST_CASE("clocks and limits that a GPU does not have are refused; so is an all-reduce that the profile lacks") {
  const H100Chat chat;
  auto point = default_point(chat.gpu);
  point.decode_clock = Hertz(2200e6);
  point.cap = Watts(100);
  try {
    check_point(chat.gpu, point, Place{"s.toml", 2, 1});
    FAIL("accepted");
  } catch (const UserError& error) {
    CHECK(error.faults().size() == 2);
    CHECK_THAT(std::string(error.what()), Catch::Contains("345 .. 1980 MHz"));
  }
  CHECK_NOTHROW(check_point(chat.gpu, default_point(chat.gpu), {}));
  CHECK_THROWS_AS(bottom_up_costs(chat.gpu, chat.model, 16, default_point(chat.gpu), chat.engine), UserError);
}
