// What a power log says: energy by two roads, the sensor's pace, and what can be learnt from it.
#include "calibration/log_facts.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <string>

#include "traces/power/open_log.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using Catch::Contains;

namespace {

traces::PowerLog log_of(const std::string& text, const std::string& zone = "UTC") {
  traces::PowerLogOptions options;
  options.file = "log";
  options.timezone = zone;
  return traces::read_power_log_text(text, options);
}

const Learnable& about(const LogFacts& facts, const std::string& what) {
  for (const Learnable& each : facts.learnable) {
    if (each.what == what) return each;
  }
  FAIL("nothing about " + what);
  std::abort();
}

std::string stamp(int milliseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "2026/03/01 09:%02d:%02d.%03d", milliseconds / 60000, milliseconds / 1000 % 60, milliseconds % 1000);
  return text;
}

}  // namespace

TEST_CASE("counter and integrated power are both shown, and a difference above 5 % is a warning") {
  // 65.0 W held for 5 s are 325 J; with straight lines 326 J; the counter rose by 187.4 J.
  const LogFacts facts = log_facts(log_of("t_s,power_W,total_energy_mJ\n0,65.0,1000000\n5,65.4,1187400\n"));
  const GpuFacts& gpu = facts.gpus.at(0);
  REQUIRE(gpu.counter);
  CHECK(gpu.counter->counter_joules == Approx(187.4));
  CHECK(gpu.counter->power_joules == Approx(325));
  CHECK(gpu.channels[0].trapezoid_joules == Approx(326));
  CHECK(gpu.counter->difference() == Approx(187.4 / 325 - 1));
  CHECK(gpu.counter->disagree());
  bool warned = false;
  for (const std::string& warning : facts.warnings) warned = warned || warning.find("-42.3 %") != std::string::npos;
  CHECK(warned);
  CHECK_FALSE(log_facts(log_of("t_s,power_W,total_energy_mJ\n0,65.0,1000000\n5,65.4,1326000\n")).gpus[0].counter->disagree());
}

TEST_CASE("a counter that starts again loses only the interval of the restart; a missing sample is bridged") {
  const LogFacts facts = log_facts(log_of("t_s,power_W,energy_J\n0,100,50\n1,100,150\n2,,\n3,100,20\n4,100,120\n"));
  CHECK(facts.gpus[0].counter->counter_joules == Approx(200));
  CHECK(facts.gpus[0].channels[0].joules == Approx(400));
  CHECK(facts.gpus[0].channels[0].missing == 1);
}

TEST_CASE("the sensor's pace is the median time between changes of value, seen only where polling is faster") {
  std::string fast = "timestamp, index, power.draw.instant [W]\n", slow = fast;
  for (int k = 0; k < 600; ++k) fast += stamp(k * 10) + ", 0, " + std::to_string(100 + k / 10 % 7) + " W\n";  // a new value every 100 ms
  for (int k = 0; k < 600; ++k) slow += stamp(k * 250) + ", 0, " + std::to_string(100 + k % 7) + " W\n";
  const LogFacts seen = log_facts(log_of(fast));
  CHECK(seen.gpus[0].sampling_period_seconds == Approx(0.01));
  CHECK(seen.gpus[0].channels[0].update_period_seconds == Approx(0.1));
  CHECK(about(seen, "sensor's update period").can);
  const LogFacts unseen = log_facts(log_of(slow));
  CHECK_FALSE(about(unseen, "sensor's update period").can);
  CHECK_THAT(about(unseen, "sensor's update period").reason, Contains("at most 250 ms"));
}

TEST_CASE("what can be learnt follows from clocks, idle stretches and marks; the rest names its measurement") {
  std::string text = "timestamp, index, power.draw.instant [W], clocks.sm [MHz], utilization.gpu [%]\n";
  for (int k = 0; k < 300; ++k) {
    const int busy = k >= 100;
    text += stamp(k * 100) + ", 0, " + std::to_string(busy ? 300 + k % 5 : 60 + k % 2) + " W, " + std::to_string(busy ? 1000 + 100 * (k / 40) : 345) +
            ", " + (busy ? "99" : "0") + "\n";
  }
  const LogFacts facts = log_facts(log_of(text));
  CHECK(facts.gpus[0].sm_clocks_hertz.size() == 7);
  CHECK(about(facts, "watts against clock").can);
  CHECK(about(facts, "idle watts").can);
  CHECK(about(facts, "energy").can);
  CHECK(about(facts, "what the power column averages").can);
  CHECK_FALSE(about(facts, "time against the power limit").can);
  CHECK_THAT(about(facts, "watts against batch").reason, Contains("--load"));
  CHECK_THAT(about(log_facts(log_of(text, "")), "watts against batch").reason, Contains("--timezone"));
  CHECK_FALSE(about(log_facts(log_of("timestamp, power.draw [W]\n" + stamp(0) + ", 70 W\n")), "energy").can);
}

TEST_CASE("samples without a clock are no clock, wherever they stand") {
  const LogFacts facts = log_facts(log_of("t_s,power_W,sm_clock_MHz\n0,100,\n1,100,1410\n2,100,\n3,100,1200\n4,100,1410\n5,100,\n"));
  REQUIRE(facts.gpus[0].sm_clocks_hertz.size() == 2);
  CHECK(facts.gpus[0].sm_clocks_hertz[0] == Approx(1200e6));
  CHECK(facts.gpus[0].sm_clocks_hertz[1] == Approx(1410e6));
}

TEST_CASE("idle watts and time against the limit are promised only where marks name them as a fit reads them") {
  traces::PowerLog log = log_of("t_s,power_W,power_limit_W\n0,100,300\n1,101,300\n2,250,200\n3,251,200\n4,250,200\n");
  const auto marked = [&](std::vector<std::string> names) {
    log.marks.clear();
    std::int64_t at = 0;
    for (std::string& name : names) log.marks.push_back({at += 1'000'000'000, std::move(name)});
    return log_facts(log);
  };
  CHECK_FALSE(about(marked({"idle"}), "idle watts").can);
  CHECK_THAT(about(marked({"idle"}), "idle watts").reason, Contains("bare-idle"));
  CHECK(about(marked({"bare-idle"}), "idle watts").can);
  const char* limit = "time against the power limit";
  CHECK_FALSE(about(marked({}), limit).can);
  CHECK_THAT(about(marked({}), limit).reason, Contains("the limit changes") && Contains("cap=WATTS step_s=SECONDS"));
  CHECK_THAT(about(marked({"cap=300", "cap=200"}), limit).reason, Contains("2 limits in marks without step times"));
  CHECK(about(marked({"cap=300 step_s=0.02", "cap=200 step_s=0.03"}), limit).can);
}

TEST_CASE("the measured A100 log: the sensor's 101 ms, and its energy beside the meter's") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  traces::PowerLogOptions options;
  options.file = std::string(data) + "/traces/nvidia-smi/meter_A100/gpudata.csv";
  options.timezone = "Europe/London";
  const LogFacts facts = log_facts(traces::read_power_log(options));
  const GpuFacts& gpu = facts.gpus.at(0);
  CHECK(gpu.sampling_period_seconds == Approx(0.0135).margin(0.0015));
  // Yang et al. give 101 ms for this board; polls of 13-14 ms see it to half a poll.
  CHECK(gpu.channels.at(1).update_period_seconds == Approx(0.101).margin(0.007));
  CHECK(gpu.channels[1].chosen);
}
