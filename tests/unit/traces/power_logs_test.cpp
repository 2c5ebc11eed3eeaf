// Power logs of other tools than nvidia-smi's queries: what each says, and the faults that people met in them.
#include <catch2/catch.hpp>
#include <cmath>

#include "traces/power/poll_pattern.hpp"
#include "unit/traces/power_support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

const std::vector<double>& watts(const PowerLog& log, std::size_t gpu = 0) { return log.gpus.at(gpu).best_channel()->watts; }

PowerLogOptions with(void (*change)(PowerLogOptions&)) {
  PowerLogOptions options = log_options();
  change(options);
  return options;
}

std::string exporter(const std::string& name, const std::string& gpu, const std::string& uuid, const std::string& value,
                     const std::string& more = "") {
  return name + "{gpu=\"" + gpu + "\",UUID=\"" + uuid + "\",device=\"nvidia" + gpu + "\",modelName=\"NVIDIA A30\"" + more + "} " + value + "\n";
}

}  // namespace

TEST_CASE("dmon: columns by their names, whatever stands between; times when they were asked for") {
  const std::string old =
      "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
      "    0    43    35     -     0     0     0     0  2505  1075\n    1    42    31     -    97     9     0     0  2505  1075\n";
  const PowerLog log = power_log(old);
  REQUIRE(log.gpus.size() == 2);
  CHECK(log.time_base == TimeBase::numbered);
  CHECK(watts(log, 1) == std::vector<double>{42});
  CHECK(log.gpus[1].sm_clock_hertz[0] == 1075e6);
  CHECK(log.gpus[1].utilization[0] == Approx(0.97));

  const PowerLog dated = power_log(
      "#Date       Time        gpu    pwr   jpg   ofa  mclk  pclk\n#YYYYMMDD   HH:MM:SS    Idx      W     %     %   MHz   MHz\n"
      " 20260301   23:59:59      0    250     0     0  2619  1980\n 20260302   00:00:01      0    251     0     0  2619  1980\n",
      with([](PowerLogOptions& o) { o.timezone = "UTC"; }));
  CHECK(dated.time_base == TimeBase::utc);
  CHECK(dated.gpus[0].time_ns[1] - dated.gpus[0].time_ns[0] == 2'000'000'000);
  const PowerLog timed = power_log("#Time        gpu    pwr\n#HH:MM:SS    Idx      W\n 23:59:59      0    250\n 00:00:01      0    251\n");
  CHECK(timed.time_base == TimeBase::monotonic);
  CHECK(timed.gpus[0].time_ns[1] - timed.gpus[0].time_ns[0] == 2'000'000'000);
  CHECK_THAT(log_refused("# gpu   pwr\n# Idx   W\n   0  43  7\n   0  43\n"), Contains("3 cells, expected 2") && Contains("--skip-bad 1"));
}

TEST_CASE("dcgm-exporter: old labels and new, scrapes with times, sentinels, GPUs without power") {
  const PowerLog old = power_log(
      "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\", UUID=\"GPU-a\", device=\"nvidia0\"} 23.528000\n"
      "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\", UUID=\"GPU-a\", device=\"nvidia0\"} 31035686671\n");
  CHECK(watts(old) == std::vector<double>{23.528});
  CHECK(old.gpus[0].energy_joules[0] == Approx(31035686.671));
  CHECK(old.time_base == TimeBase::numbered);

  std::string scrapes;
  for (int k = 0; k < 3; ++k) {
    scrapes += "# scrape 177235560" + std::to_string(k) + ".5\n# TYPE DCGM_FI_DEV_POWER_USAGE gauge\n";
    for (const char* gpu : {"0", "1"}) scrapes += exporter("DCGM_FI_DEV_POWER_USAGE", gpu, std::string("GPU-") + gpu, std::to_string(100 + k));
    for (const char* gpu : {"0", "1", "2", "3"}) scrapes += exporter("DCGM_FI_DEV_GPU_UTIL", gpu, std::string("GPU-") + gpu, "50");
    scrapes += exporter("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "0", "GPU-0", "9223372036854775794");
    scrapes += exporter("DCGM_FI_DEV_MEM_CLOCK", "0", "GPU-0", "2147483634");
  }
  const PowerLog log = power_log(scrapes);
  CHECK(log.time_base == TimeBase::utc);
  CHECK(log.begin_ns() == 1772355600500000000);
  REQUIRE(log.gpus.size() == 2);
  CHECK(watts(log, 1) == std::vector<double>{100, 101, 102});
  CHECK(log.gpus[0].energy_joules.empty());
  CHECK(log.gpus[0].memory_clock_hertz.empty());
  CHECK(log.gpus[0].model == "NVIDIA A30");
  REQUIRE(log.absent.size() == 2);
  CHECK(log.absent[1].label == "3");
  CHECK_THAT(joined(log.warnings), Contains("GPU 2 is left out") && Contains("GPU 3 is left out"));
}

TEST_CASE("instances of one board repeat its power: it counts once, and they must agree") {
  const auto board = [](const std::string& last) {
    return exporter("DCGM_FI_DEV_POWER_USAGE", "0", "GPU-a", "52.636", ",GPU_I_ID=\"3\"") +
           exporter("DCGM_FI_DEV_POWER_USAGE", "0", "GPU-a", "52.636", ",GPU_I_ID=\"4\"") +
           exporter("DCGM_FI_DEV_POWER_USAGE", "0", "GPU-a", last, ",GPU_I_ID=\"5\"");
  };
  const PowerLog log = power_log(board("52.746"));
  REQUIRE(log.gpus.size() == 1);
  CHECK(watts(log)[0] == Approx(52.6727).epsilon(1e-5));
  CHECK_THAT(joined(log.notes), Contains("3 instances (MIG)"));
  CHECK_THAT(log_refused(board("60.0")), Contains("disagree by 12 %"));
}

TEST_CASE("the enforced limit counts beside the one that was set; limits may differ, reasons of throttling add up") {
  const auto board = [](const std::string& instance, const std::string& reasons) {
    const std::string more = ",GPU_I_ID=\"" + instance + "\"";
    return exporter("DCGM_FI_DEV_POWER_USAGE", "0", "GPU-a", "480", more) + exporter("DCGM_FI_DEV_ENFORCED_POWER_LIMIT", "0", "GPU-a", "500", more) +
           exporter("DCGM_FI_DEV_POWER_MGMT_LIMIT", "0", "GPU-a", "700", more) +
           exporter("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "0", "GPU-a", reasons, more);
  };
  const PowerLog log = power_log(board("3", "4") + board("4", "32"));
  CHECK(log.gpus.at(0).power_limit_watts == std::vector<double>{500});
  CHECK(log.gpus[0].throttle_reasons == std::vector<double>{36});
  const PowerLog set =
      power_log(exporter("DCGM_FI_DEV_POWER_USAGE", "0", "GPU-a", "480") + exporter("DCGM_FI_DEV_POWER_MGMT_LIMIT", "0", "GPU-a", "700"));
  CHECK(set.gpus.at(0).power_limit_watts == std::vector<double>{700});
}

TEST_CASE("Prometheus's answer to a range query is the same log") {
  const std::string json =
      R"({"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_POWER_USAGE","gpu":"0","UUID":"GPU-a"},)"
      R"("values":[[1772355600.25,"100.5"],[1772355615.25,"101.5"]]},{"metric":{"__name__":"DCGM_FI_DEV_SM_CLOCK","gpu":"0","UUID":"GPU-a"},)"
      R"("values":[[1772355600.25,"1410"]]}]}})";
  const PowerLog log = power_log(json);
  CHECK(log.source.format == "dcgm-range");
  CHECK(watts(log) == std::vector<double>{100.5, 101.5});
  CHECK(log.gpus[0].time_ns[0] == 1772355600250000000);
  CHECK(std::isnan(log.gpus[0].sm_clock_hertz[1]));
  CHECK_THAT(log_refused(R"({"data":{"resultType":"matrix","result":[{"metric":{},"values":[]}]}})"), Contains("no \"__name__\""));
}

TEST_CASE("Zeus: windows in joules from an unknown start, the old monitor in mW, the later one in W, values held") {
  const PowerLog windows = power_log(
      "start_time,window_name,elapsed_time,gpu0_energy,gpu3_energy\n13588420.80,__GlobalPowerLimitOptimizer_300,10.5,2924.5,2900.25\n"
      "13588434.25,__GlobalPowerLimitOptimizer_275,10.25,2758.5,2700.0\n");
  CHECK(windows.time_base == TimeBase::monotonic);
  CHECK(windows.window_gpus == std::vector<std::string>{"0", "3"});
  REQUIRE(windows.windows.size() == 2);
  CHECK(windows.windows[1].joules == std::vector<double>{2758.5, 2700.0});
  CHECK(windows.windows[1].start_ns == 13588434250000000);
  CHECK_THAT(log_refused("start_time,window_name,elapsed_time,gpu0_energy\n1.0,a,2.0,0.0\n"), Contains("0 J in every window"));

  const PowerLog old = power_log("Time,Power\n2026-03-01 09:00:00.1,181000\n2026-03-01 09:00:00.9,90500\n2026-03-01 09:0");
  CHECK(watts(old) == std::vector<double>{181, 90.5});
  CHECK(old.held);
  CHECK(old.time_base == TimeBase::local);
  CHECK(old.source.dropped.at("torn last row") == 1);
  const PowerLog later = power_log("time,power0,power1\n1772355600.5,70.5,80.5\n1772355601.5,71.5,81.5\n");
  CHECK(watts(later, 1) == std::vector<double>{80.5, 81.5});
  CHECK(later.time_base == TimeBase::utc);
}

TEST_CASE("CodeCarbon: energy alone, shifted and fused rows by their line, no GPU metered") {
  const std::string header = "timestamp,project_name,run_id,duration,emissions,gpu_energy,energy_consumed\n";
  const PowerLog log = power_log(header + "2026-03-01T09:00:00,p,r1,100.5,0.1,0.5,0.7\n2026-03-01T10:00:00,p,,50,0.1,0.25,0.3\n");
  REQUIRE(log.windows.size() == 2);
  CHECK(log.windows[0].joules[0] == Approx(1.8e6));
  CHECK(log.windows[0].seconds == 100.5);
  CHECK_THAT(joined(log.notes), Contains("1 rows have no run_id"));
  CHECK_THAT(log_refused(header + "2026-03-01T09:00:00,p,r1,100.5,0.1,0.5\n2026-03-01T10:00:00,p,,50,0.1,0.25,0.3\n"),
             Contains("log:2:1: 6 cells, expected 7"));
  CHECK_THAT(log_refused(header + "2026-03-01T09:00:00,p,r1,100.5,0.1,0.5,0.72026-03-01T10:00:00,p,,50,0.1,0.25,0.3\n"),
             Contains("log:2:1: 13 cells"));
  CHECK_THAT(log_refused(header + "2026-03-01T09:00:00,p,r1,100.5,0.1,0.0,0.7\n"), Contains("metered no GPU"));
  CHECK_THAT(log_refused(header), Contains("no rows"));
}

TEST_CASE("a plain CSV says its units in its header, or by --map") {
  const PowerLog own = power_log("t_s,power_W,total_energy_mJ\n0,65.0,1000000\n5,65.4,1187400\n");
  CHECK(own.time_base == TimeBase::monotonic);
  CHECK(watts(own) == std::vector<double>{65.0, 65.4});
  CHECK(own.gpus[0].energy_joules[1] - own.gpus[0].energy_joules[0] == Approx(187.4));
  CHECK(power_log("unix_ms,board [mW]\n1772355600250,65000\n").begin_ns() == 1772355600250000000);
  CHECK(power_log("unix_s,wall_W\n1772355600,650\n").gpus[0].best_channel()->kind == PowerKind::meter);

  PowerLogOptions options = log_options();
  options.mapping = {{"time", "when", ""}, {"gpu", "card", ""}, {"power", "board", "mW"}, {"mark", "phase", ""}};
  const PowerLog mapped = power_log(
      "when,card,board,phase\n2026-03-01T09:00:00Z,0,65000,idle\n2026-03-01T09:00:00Z,1,66000,idle\n2026-03-01T09:00:01Z,0,75000,decode\n", options);
  REQUIRE(mapped.gpus.size() == 2);
  CHECK(watts(mapped) == std::vector<double>{65, 75});
  CHECK(mapped.time_base == TimeBase::utc);
  REQUIRE(mapped.marks.size() == 2);
  CHECK(mapped.marks[1].name == "decode");
  options.mapping[2].unit = "";
  CHECK_THAT(log_refused("when,card,board,phase\n", options), Contains("column \"board\" has no unit") && Contains("--map power=board:W"));
  options.mapping[2].header = "bord";
  CHECK_THAT(log_refused("when,card,board,phase\n", options), Contains("no column \"bord\"; the file has: when, card, board, phase"));
}

TEST_CASE("joulecast's own recording: metadata, marks, empty cells, a GPU that was lost") {
  const PowerLog log = power_log(
      "# format: joulecast-record 1\n# host: node-a\n# driver: 590.48.01\n# gpu.0.name: NVIDIA H100 80GB HBM3\n"
      "time_unix_s,gpu,uuid,power_average_w,power_instant_w,energy_j,sm_clock_hz,memory_clock_hz,utilization,temperature_c,power_limit_w,throttle_"
      "reasons,"
      "memory_used_bytes,mark\n"
      "1772355600.050,0,GPU-a,118.1,119.2,1000.5,1980000000,2619000000,0.00,32,700,0x0,1000,\n"
      "1772355600.100,0,GPU-a,118.1,,1006.5,1980000000,2619000000,0.97,32,700,0x4,1000,decode\n"
      "# event 1772355600.120 gpu 1 lost: 15\n"
      "1772355600.150,0,GPU-a,118.3,420.0,1020.5,1980000000,2619000000,0.97,32,700,0x4,1000,decode\n");
  CHECK(log.source.driver == "590.48.01");
  CHECK(log.source.host == "node-a");
  const GpuSeries& gpu = log.gpus.at(0);
  CHECK(gpu.model == "NVIDIA H100 80GB HBM3");
  CHECK(gpu.best_channel()->kind == PowerKind::instant);
  CHECK(gpu.best_channel()->missing == 1);
  CHECK(gpu.energy_joules == std::vector<double>{1000.5, 1006.5, 1020.5});
  CHECK(gpu.utilization[1] == 0.97);
  CHECK(gpu.throttle_reasons == std::vector<double>{0, 4, 4});
  CHECK(gpu.time_ns[1] - gpu.time_ns[0] == 50'000'000);
  REQUIRE(log.marks.size() == 1);
  CHECK(log.marks[0].name == "decode");
  CHECK_THAT(joined(log.warnings), Contains("gpu 1 lost: 15"));
  CHECK_THAT(log_refused("# format: joulecast-record 7\ntime_unix_s,gpu,power_instant_w\n"), Contains("joulecast-record 7"));
}

TEST_CASE("logs of other makers and other files are refused by what they are") {
  CHECK_THAT(log_refused("timestamp,gpu,socket_power\n1772355600,0,N/A\n"), Contains("amd-smi"));
  CHECK_THAT(log_refused("AMDuProf Power Profile\nPROFILE RECORDS\nRecordId,Timestamp,socket0-package-power\n"), Contains("AMD uProf"));
  CHECK_THAT(log_refused("# DCGM FIELD, Prometheus metric type, help message\nDCGM_FI_DEV_POWER_USAGE, gauge, Power draw (in W).\n"),
             Contains("configuration"));
  CHECK_THAT(log_refused("a,b\n1,2\n"), Contains("no power log that is known here; it begins \"a,b\"") && Contains("nvidia-smi"));
  CHECK_THAT(log_refused("a,b\n1,2\n", with([](PowerLogOptions& o) { o.format = "nvidia_smi"; })), Contains("did you mean \"nvidia-smi\"?"));
}

TEST_CASE("bursts of rows are polls of several GPUs; a steady or jittering pace is one GPU") {
  const auto pace = [](std::initializer_list<std::int64_t> times) {
    PollPattern pattern;
    for (const std::int64_t ms : times) pattern.add(ms * 1'000'000);
    return pattern.samples_a_poll();
  };
  CHECK(pace({0, 100, 200, 300, 400}) == 1);
  CHECK(pace({0, 7, 15, 22, 29, 37}) == 1);
  CHECK(pace({0, 1, 1000, 1001, 2000, 2002}) == 2);
  CHECK(pace({0, 0, 0, 0}) == 4);
  CHECK(pace({0, 0}) == 2);
  CHECK(pace({0}) == 1);
  CHECK(pace({0, 100, 1000}) == 1);
}
