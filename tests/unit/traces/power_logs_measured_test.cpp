// Every file of the measured logs is read, or refused for the right reason. Counts were taken with awk and Python's csv module.
#include <catch2/catch.hpp>
#include <map>

#include "traces/power/open_log.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

PowerLog read(const std::string& file, const std::string& zone = "") {
  PowerLogOptions options;
  options.file = std::string(data_folder()) + "/traces/" + file;
  options.timezone = zone;
  return read_power_log(options);
}

/// Of a file of the corpus: the format it is read as with its GPUs and rows, or a piece of the reason for which it is refused.
struct Verdict {
  std::string format;
  std::size_t gpus = 0, rows = 0;
  std::string refusal;
};

Verdict refused(const std::string& reason) { return {"", 0, 0, reason}; }

const std::map<std::string, Verdict>& verdicts() {
  static const std::map<std::string, Verdict> all = {
      {"nvidia-smi/energyinf_M1-Pro-power.csv", refused("no power log that is known")},
      {"nvidia-smi/energyinf_falcon7b_2024-04-02_nvidia-smi.csv", {"nvidia-smi", 1, 2368, ""}},
      {"nvidia-smi/energyinf_mixtral_EMPTY_nvidia-smi.csv", refused("the file is empty")},
      {"nvidia-smi/powerbench_3090_gpudata.csv", {"nvidia-smi", 1, 4546, ""}},
      {"nvidia-smi/powerbench_A100_gpudata.csv", {"nvidia-smi", 1, 5176, ""}},
      {"nvidia-smi/powerbench_A100_5050_gpudata.csv", {"nvidia-smi", 1, 965, ""}},
      {"nvidia-smi/powerbench_A100_transient_gpudata.csv", {"nvidia-smi", 1, 1245, ""}},
      {"nvidia-smi/powerbench_A100_5050_timestamps.csv", refused("no power log that is known")},
      {"nvidia-smi/powerbench_A100_transient_timestamps.csv", refused("no power log that is known")},
      {"nvidia-smi/meter_A100/gpudata.csv", {"nvidia-smi", 1, 965, ""}},
      {"nvidia-smi/meter_A100/timestamps.csv", refused("no power log that is known")},
      {"nvidia-smi/meter_A100/PMD_start_ts.txt", refused("no power log that is known")},
      {"nvidia-smi/meter_A100/external_meter_5ms.csv", {"csv", 1, 1976, ""}},
      {"dcgm/1.x-compatibility-metrics.csv", refused("list of counters")},
      {"dcgm/dcp-metrics-included.csv", refused("list of counters")},
      {"dcgm/default-counters.csv", refused("list of counters")},
      {"zeus/openei_price_ann_arbor.json", refused("tariff")},
      {"zeus/openei_price_invalid.json", refused("tariff")},
      {"zeus/profile_data_A40+bert-base-uncased+gpu0.csv", {"zeus-windows", 1, 9, ""}},
      {"zeus/profile_data_A40+resnet50+gpu0,1,2,3.csv", {"zeus-windows", 4, 9, ""}},
      {"zeus/profile_data_V100+resnet50+gpu0,1.csv", {"zeus-windows", 2, 7, ""}},
      {"codecarbon/carbon_intensity_per_source.json", refused("carbon intensities")},
      {"codecarbon/emissions_invalid_headers.csv", refused("no column run_id")},
      {"codecarbon/emissions_valid_headers.csv", refused("gpu_energy is 0 in every row")},
      {"codecarbon/eu-carbon-intensity-electricity_2020.csv", refused("carbon intensities")},
      {"codecarbon/examples_emissions.csv", {"codecarbon", 1, 28, ""}},
      {"quoted/burstgpt_1_head.csv", refused("request trace")},
      {"quoted/burstgpt_3_head.csv", refused("request trace")},
      {"quoted/dcgm_exporter_v2_style.prom", {"dcgm", 1, 1, ""}},
      {"quoted/dcgm_exporter_v3_mig_style.prom", {"dcgm", 1, 1, ""}},
      {"quoted/grid_headers.txt", refused("carbon intensities")},
      {"quoted/nvidia_smi_dmon.txt", {"dmon", 2, 2, ""}},
      {"quoted/nvidia_smi_dmon_jpg_ofa.txt", {"dmon", 1, 1, ""}},
      {"quoted/powertrace_sim_h100_tp4_engine_head.csv", refused("load log")},
      {"quoted/powertrace_sim_h100_tp4_power_head.csv", {"nvidia-smi", 4, 6, ""}},
      {"quoted/qwen_bailian_record.jsonl", refused("request trace")},
  };
  return all;
}

}  // namespace

TEST_CASE("every file of the measured logs is read, or refused for its reason") {
  if (data_folder() == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const std::filesystem::path root = std::filesystem::path(data_folder()) / "traces";
  std::size_t seen = 0;
  for (const char* folder : {"nvidia-smi", "dcgm", "zeus", "codecarbon", "quoted"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file()) continue;
      const std::string file = std::filesystem::relative(entry.path(), root).string();
      CAPTURE(file);
      const auto found = verdicts().find(file);
      REQUIRE(found != verdicts().end());
      ++seen;
      const Verdict& expected = found->second;
      try {
        const PowerLog log = read(file);
        CHECK(expected.refusal.empty());
        CHECK(log.source.format == expected.format);
        CHECK(std::max(log.gpus.size(), log.window_gpus.size()) == expected.gpus);
        CHECK(log.source.rows == expected.rows);
        CHECK(log.source.sha256.size() == 64);
      } catch (const UserError& error) {
        CAPTURE(error.what());
        REQUIRE_FALSE(expected.refusal.empty());
        CHECK_THAT(error.what(), Contains(expected.refusal));
        for (const UserFault& fault : error.faults()) CHECK_FALSE(fault.remedy.empty());
      }
    }
  }
  CHECK(seen == verdicts().size());
}

TEST_CASE("a measured log: moments by the declared zone, both watts, what power.draw is") {
  if (data_folder() == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  // 10:12:46.483 in Birmingham's summer is 09:12:46.483 UTC: 1689325966.483, beside the meter's file, which begins at 1689325966.935.
  const PowerLog a100 = read("nvidia-smi/meter_A100/gpudata.csv", "Europe/London");
  CHECK(a100.time_base == TimeBase::utc);
  CHECK(a100.begin_ns() == 1689325966483000000);
  REQUIRE(a100.gpus.size() == 1);
  CHECK(a100.gpus[0].best_channel()->kind == PowerKind::instant);
  CHECK(a100.gpus[0].channel(PowerKind::draw)->watts[3] == 60.42);
  CHECK(read("nvidia-smi/meter_A100/gpudata.csv").time_base == TimeBase::local);

  const PowerLog rtx = read("nvidia-smi/powerbench_3090_gpudata.csv");
  CHECK_THAT(rtx.notes.front(), Contains("power.draw is the mean of the last second"));
  CHECK(rtx.gpus[0].sm_clock_hertz.front() == Approx(1800e6));

  const PowerLog meter = read("nvidia-smi/meter_A100/external_meter_5ms.csv");
  CHECK(meter.time_base == TimeBase::utc);
  CHECK(meter.begin_ns() == 1689325966935316000);
}
