// nvidia-smi --query-gpu in its shapes, and the faults that people met in such logs: what is read, what is left out, what is refused.
#include <catch2/catch.hpp>
#include <cmath>

#include "unit/traces/power_support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

PowerLogOptions in_zone(const std::string& zone) {
  PowerLogOptions options = log_options();
  options.timezone = zone;
  return options;
}

const std::vector<double>& watts(const PowerLog& log, std::size_t gpu = 0) { return log.gpus.at(gpu).best_channel()->watts; }

}  // namespace

TEST_CASE("units in the cells, in the header alone, and not at all are the same log") {
  const std::string with =
      "timestamp, index, power.draw [W], clocks.current.sm [MHz], utilization.gpu [%], memory.used [MiB], pstate\n"
      "2026/03/01 09:00:00.000, 0, 71.20 W, 1410 MHz, 97 %, 2 MiB, P0\n"
      "2026/03/01 09:00:00.250, 0, 72.20 W, 1395 MHz, 98 %, 2 MiB, P2\n";
  const std::string without =
      "timestamp,index,power.draw,clocks.sm,utilization.gpu,memory.used,pstate\r\n"
      "2026/03/01 09:00:00.000,0,71.20,1410,97,2,P0\r\n"
      "2026/03/01 09:00:00.250,0,72.20,1395,98,2,P2\r\n";
  for (const std::string& text : {with, without}) {
    const PowerLog log = power_log(text, in_zone("UTC"));
    REQUIRE(log.gpus.size() == 1);
    const GpuSeries& gpu = log.gpus[0];
    CHECK(gpu.time_ns[1] - gpu.time_ns[0] == kSecond / 4);
    CHECK(watts(log) == std::vector<double>{71.2, 72.2});
    CHECK(gpu.sm_clock_hertz == std::vector<double>{1410e6, 1395e6});
    CHECK(gpu.utilization[0] == Approx(0.97));
    CHECK(gpu.memory_used_bytes[0] == 2 * 1048576);
    CHECK(gpu.performance_state == std::vector<double>{0, 2});
    CHECK(log.source.rows == 2);
    CHECK(log.source.dropped.empty());
  }
}

TEST_CASE("rows of several GPUs are parted by UUID or index, flags are NVML's mask") {
  const PowerLog log = power_log(
      "timestamp,index,uuid,power.draw [W],power.limit,clocks_event_reasons.sw_power_cap,clocks_event_reasons.hw_slowdown\n"
      "2026/03/01 09:00:00.000,1,GPU-b,118.1,700.00,Active,Not Active\n"
      "2026/03/01 09:00:00.000,0,GPU-a,119.1,700.00,Not Active,Active\n"
      "2026/03/01 09:00:00.250,1,GPU-b,120.1,700.00,Active,Active\n"
      "2026/03/01 09:00:00.250,0,GPU-a,121.1,700.00,Not Active,Not Active\n");
  REQUIRE(log.gpus.size() == 2);
  CHECK(log.gpus[0].uuid == "GPU-a");
  CHECK(watts(log, 1) == std::vector<double>{118.1, 120.1});
  CHECK(log.gpus[1].throttle_reasons == std::vector<double>{4, 12});
  CHECK(log.gpus[0].throttle_reasons == std::vector<double>{8, 0});
  CHECK(log.gpus[0].power_limit_watts[0] == 700);
}

TEST_CASE("a card without a sensor is named and does not stop the others") {
  const PowerLog log = power_log(
      "timestamp, index, name, power.draw [W]\n2026/03/01 09:00:00.000, 0, Card A, 71.20 W\n"
      "2026/03/01 09:00:00.000, 1, Card B, [N/A]\n2026/03/01 09:00:00.000, 2, Card C, [Not Supported]\n");
  REQUIRE(log.gpus.size() == 1);
  CHECK(log.gpus[0].model == "Card A");
  REQUIRE(log.absent.size() == 2);
  CHECK(log.absent[0].label == "1");
  CHECK_THAT(log.absent[1].reason, Contains("no power sensor"));
  CHECK_THAT(joined(log.warnings), Contains("GPU 2 is left out"));
}

TEST_CASE("of several power columns the short sample is taken; without any the columns are named") {
  const PowerLog log = power_log("timestamp, index, power.draw.instant [W], power.draw.average [W]\n2026/03/01 09:00:00.000, 0, 210.4, 250.0\n");
  CHECK(log.gpus[0].best_channel()->column == "power.draw.instant");
  CHECK(log.gpus[0].channel(PowerKind::average)->watts[0] == 250);
  CHECK_THAT(log_refused("timestamp, index, utilization.gpu [%]\n2026/03/01 09:00:00.000, 0, 5 %\n"),
             Contains("no power column; the log has: timestamp, index, utilization.gpu [%]"));
}

TEST_CASE("an isolated 0 or N/A in a live GPU's log is a missing sample, counted") {
  const PowerLog log = power_log(
      "timestamp, index, power.draw [W]\n2026/03/01 09:00:00.000, 0, 180.0\n2026/03/01 09:00:00.010, 0, 0.0\n"
      "2026/03/01 09:00:00.020, 0, [Not Supported]\n2026/03/01 09:00:00.030, 0, 180.0\n");
  CHECK(log.gpus[0].best_channel()->missing == 2);
  CHECK(std::isnan(watts(log)[1]));
  CHECK(std::isnan(watts(log)[2]));
  CHECK_THAT(joined(log.notes), Contains("1 samples of power.draw read 0 W") && Contains("1 samples of power.draw have no reading"));
  CHECK(log.absent.empty());
}

TEST_CASE("zeros alone are no idle power: the log holds no live GPU") {
  CHECK_THAT(log_refused("timestamp, index, power.draw [W]\n2026/03/01 09:00:00.000, 0, 0.00 W\n2026/03/01 09:00:01.000, 0, 0.00 W\n"),
             Contains("no live GPU"));
}

TEST_CASE("no energy counter: power is integrated, and said so; a counter that stands still is not used") {
  const std::string header = "timestamp, index, utilization.gpu [%], power.draw [W], total_energy_consumption [mJ]\n";
  const PowerLog none = power_log(header + "2026/03/01 09:00:00.000, 0, 97 %, 151.0 W, [N/A]\n");
  CHECK(none.gpus[0].energy_joules.empty());
  CHECK_THAT(joined(none.notes), Contains("no energy counter"));
  const PowerLog still = power_log(header + "2026/03/01 09:00:00.000, 0, 97 %, 151.0 W, 5000\n2026/03/01 09:00:09.000, 0, 97 %, 151.0 W, 5000\n");
  CHECK(still.gpus[0].energy_joules.empty());
  CHECK_THAT(joined(still.warnings), Contains("stands still at 5 J over 9.0 s"));
  CHECK_THAT(log_refused("timestamp, index, utilization.gpu [%], total_energy_consumption [mJ]\n2026/03/01 09:00:00.000, 0, 97 %, 5000\n"
                         "2026/03/01 09:00:09.000, 0, 97 %, 5000\n"),
             Contains("stands still"));
}

TEST_CASE("watts that cannot be watts stop the reading") {
  const std::string header = "timestamp, index, pstate, power.draw [W], power.limit [W]\n";
  CHECK_THAT(log_refused(header + "2026/03/01 09:00:00.000, 0, P0, 2500, 700\n"), Contains("looks like mW") && Contains("limit of 700 W"));
  CHECK_THAT(log_refused(header + "2026/03/01 09:00:00.000, 0, P0, 0.18, 700\n"), Contains("looks like mW") && Contains("in P0"));
  CHECK_THAT(log_refused(header + "2026/03/01 09:00:00.000, 0, P8, 0.18, 700\n"), Contains("stays below 1 W"));
  CHECK_THAT(log_refused("timestamp, power.draw [W]\n2026/03/01 09:00:00.000, 181000\n"), Contains("looks like mW"));
  CHECK(power_log("timestamp, power.draw [mW]\n2026/03/01 09:00:00.000, 181000\n").gpus[0].best_channel()->watts[0] == Approx(181));
  CHECK_THAT(log_refused(header + "2026/03/01 09:00:00.000, 0, P0, 25 C, 700\n"), Contains("read \"25 C\" as power.draw"));
}

TEST_CASE("rows of several GPUs without a number are refused, or parted by --gpu-count") {
  const std::string bare = "power.draw [W]\n71.2 W\n302.9 W\n";
  CHECK_THAT(log_refused(bare), Contains("2 samples with no gpu column") && Contains("--gpu-count 2"));
  PowerLogOptions two = log_options();
  two.gpu_count = 2;
  const PowerLog parted = power_log(bare, two);
  REQUIRE(parted.gpus.size() == 2);
  CHECK(watts(parted, 1) == std::vector<double>{302.9});
  CHECK(parted.time_base == TimeBase::numbered);

  std::string bursts = "timestamp, power.draw [W]\n";
  for (const char* second : {"00", "01", "02"}) {
    for (const char* ms : {"001", "003", "006"}) bursts += std::string("2026/03/01 09:00:") + second + "." + ms + ", 71.2 W\n";
  }
  CHECK_THAT(log_refused(bursts), Contains("3 samples a poll with no gpu column"));
  two.gpu_count = 3;
  CHECK(power_log(bursts, two).gpus.size() == 3);
  std::string steady = "timestamp, power.draw [W]\n";
  for (const char* ms : {"001", "014", "027", "041", "053"}) steady += std::string("2026/03/01 09:00:00.") + ms + ", 71.2 W\n";
  CHECK(power_log(steady).gpus.size() == 1);
}

TEST_CASE("lines that are no rows are quoted with their number, and left out when allowed") {
  const std::string banner = "Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU\n";
  const std::string header = "timestamp, index, power.draw [W]\n";
  const std::string row = "2026/03/01 09:00:00.000, 1, 88.1 W\n";
  PowerLogOptions one = log_options();
  one.skip_bad = 1;
  for (const std::string& text : {banner + header + row, header + banner + row, banner + row}) {
    CHECK_THAT(log_refused(text), Contains("Unable to determine the device handle") && Contains("--skip-bad 1"));
    const PowerLog log = power_log(text, one);
    CHECK(watts(log) == std::vector<double>{88.1});
    CHECK(log.gpus[0].index == "1");
    CHECK(log.source.dropped.at("no row") == 1);
    CHECK_THAT(joined(log.notes), Contains("Unable to determine"));
  }
  CHECK_THAT(log_refused(header + row + "2026/03/01 09:00:01.000, 1\n" + row), Contains("log:3:1: 2 cells, expected 3"));
  CHECK_THAT(log_refused(header + row + "2026/03/01 09:00:01.000, 1, fast\n" + row), Contains("read \"fast\" as power.draw"));
}

TEST_CASE("a log that was killed while buffered loses its last row, an empty one is refused") {
  const std::string text =
      "timestamp, power.draw [W], utilization.gpu [%]\n2026/03/01 09:00:00.000, 70.25 W, 0 %\n2026/03/01 09:00:00.100, 71.25 W, 0 %\n";
  for (const std::string torn :
       {"20", "2026/03/01 09:00:00.", "2026/03/01 09:00:00.200, 71", "2026/03/01 09:00:00.200, 71.25 W, 0", "2026/03/01 09:00:00.200, 71.25 W, "}) {
    const PowerLog log = power_log(text + torn);
    CAPTURE(torn);
    CHECK(log.source.rows == 2 + (torn.ends_with(", ") ? 1 : 0));
    if (!torn.ends_with(", ")) CHECK(log.source.dropped.at("torn last row") == 1);
  }
  CHECK(power_log(text + "2026/03/01 09:00:00.200, 71.25 W, 0 %").source.rows == 3);
  CHECK_THAT(log_refused(""), Contains("the file is empty"));
  CHECK_THAT(log_refused("timestamp, power.draw [W]\n"), Contains("no samples"));
  CHECK_THAT(log_refused("\n\n"), Contains("the file is empty"));
}

TEST_CASE("a log without a header is read when its columns are said") {
  const std::string rows = "2026/03/01 09:00:00.000, 0, 88.1, 1410\n2026/03/01 09:00:01.000, 0, 89.1, 1410\n";
  CHECK_THAT(log_refused(rows), Contains("no header") && Contains("--columns"));
  PowerLogOptions options = log_options();
  options.columns = {"timestamp", "index", "power.draw", "clocks.sm"};
  const PowerLog log = power_log(rows, options);
  CHECK(watts(log) == std::vector<double>{88.1, 89.1});
  CHECK(log.gpus[0].sm_clock_hertz[0] == 1410e6);
}

TEST_CASE("zones are declared: both hours of autumn, the gap of spring, and local times without one") {
  const auto at = [](const std::string& time) { return "2025/" + time + ", 0, 100 W\n"; };
  const std::string header = "timestamp, index, power.draw [W]\n";
  const std::string autumn = header + at("10/26 02:30:00.000") + at("10/26 02:59:59.000") + at("10/26 02:00:01.000") + at("10/26 02:30:00.000");
  const PowerLog log = power_log(autumn, in_zone("Europe/Berlin"));
  REQUIRE(log.gpus[0].samples() == 4);
  CHECK(log.gpus[0].time_ns[3] - log.gpus[0].time_ns[0] == 3600 * kSecond);
  CHECK(log.gpus[0].time_ns[2] - log.gpus[0].time_ns[1] == 2 * kSecond);
  CHECK_THAT(log_refused(autumn), Contains("no zone is declared") && Contains("--timezone"));
  const std::string spring = header + at("03/30 01:59:59.000") + at("03/30 02:30:00.000");
  CHECK_THAT(log_refused(spring, in_zone("Europe/Berlin")), Contains("does not exist in Europe/Berlin"));
  CHECK(power_log(spring, in_zone("UTC")).time_base == TimeBase::utc);
  CHECK(power_log(spring).time_base == TimeBase::local);
  CHECK_THAT(joined(power_log(header + at("03/30 01:59:59.000") + at("03/30 03:00:00.000")).warnings), Contains("jump by an hour"));
  CHECK_THAT(log_refused(spring, in_zone("Europe/Berlim")), Contains("did you mean \"Europe/Berlin\"?"));
}

TEST_CASE("a decimal comma counts only when declared") {
  const std::string text = "timestamp;index;power.draw [W]\n2026/03/01 09:00:00,000;0;71,20 W\n";
  CHECK_THAT(log_refused(text), Contains("semicolons") && Contains("--decimal-comma"));
  PowerLogOptions options = log_options();
  options.decimal_comma = true;
  CHECK(watts(power_log(text, options)) == std::vector<double>{71.2});
}

TEST_CASE("rows out of order are put in order, doubles are counted, a GPU that ends early is named") {
  const std::string header = "timestamp, index, power.draw [W]\n";
  const PowerLog log = power_log(header + "2026/03/01 09:00:02.000, 0, 3 W\n2026/03/01 09:00:01.000, 0, 2 W\n2026/03/01 09:00:02.000, 0, 9 W\n");
  CHECK(watts(log) == std::vector<double>{2, 3});
  CHECK(log.source.dropped.at("same time and GPU as another row") == 1);
  std::string early = header;
  for (int s = 10; s < 40; ++s) {
    for (int gpu = 0; gpu < (s < 15 ? 2 : 1); ++gpu)
      early += "2026/03/01 09:00:" + std::to_string(s) + ".000, " + std::to_string(2 * gpu) + ", 70 W\n";
  }
  CHECK_THAT(joined(power_log(early).warnings), Contains("GPU 2: its rows end 25.0 s before the log's") && Contains("no rows of GPU 1"));
}
