// Readers of measured power tables: what is read, and each fault by its name and place.
#include <catch2/catch.hpp>
#include <utility>

#include "traces/power/kernel_table.hpp"
#include "traces/power/power_limits.hpp"
#include "traces/power/stage_profile.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using traces::test::fault_of;

namespace {

const std::string kProfile =
    "stage,instruction,frequency,time,energy\n"
    "0,forward,1200,0.06,20\n"
    "0,forward,1410,0.05,23.8\n"
    "0,backward,1410,0.09,44.5\n"
    "0,backward,1200,0.11,38\n"
    "1,forward,1410,0.054,24.8\n"
    "1,forward,1200,0.066,21\n"
    "1,backward,1410,0.098,46\n"
    "1,backward,1200,0.12,40\n";

StageProfile profile(std::string_view text) { return read_stage_profile(TextLines(text, "p.csv")); }
UserFault profile_fault(const std::string& text) {
  return fault_of([&] { profile(text); });
}
/// The profile with one piece of text in place of another.
std::string with(std::string from, const std::string& to) {
  std::string text = kProfile;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

PowerLimitTable limits(std::string_view text) { return read_power_limits(TextLines(text, "z.csv")); }
const std::string kLimits = "dataset,network,batch_size,optimizer,power_limit,time_per_epoch,average_power\n";

const std::string kKernels =
    "kernel_id,section,phase,kernel,repeat,auto_time_s,auto_energy_J,auto_power_W,min_time_s,max_time_s,min_energy_J,max_energy_J,best_mem_mhz,"
    "best_core_mhz,best_time_pct,best_energy_pct\n";
const std::string kKernel = "0,E,fwd,WTE_WPE,1,0.0005938,0.1943,327,0.0005938,0.01928,0.1295,0.7706,auto,630,+0.32,-33.01\n";
std::vector<KernelRow> kernels(std::string_view text) { return read_kernel_table(TextLines(text, "k.csv")); }

const std::string kPasses = "pass,mem_mhz,core_mhz,time_pct_change,energy_pct_change,from_zoom\n";
PassTable passes(std::string_view text) { return read_pass_table(TextLines(text, "s.csv")); }

}  // namespace

TEST_CASE("a stage profile: rows by falling clock, whatever their order") {
  const StageProfile read = profile(kProfile);
  REQUIRE(read.stages.size() == 2);
  CHECK(read.rows == 8);
  REQUIRE(read.stages[0].forward.size() == 2);
  CHECK(read.stages[0].forward[0].clock == Hertz(1410e6));
  CHECK(read.stages[0].forward[0].energy == Joules(23.8));
  CHECK(read.stages[1].backward[1].time == Seconds(0.12));
  const StageProfile other = profile("energy,stage,time,frequency,instruction,note\n1,0,1,100,forward,x\n2,0,2,100,backward,y\n");
  CHECK(other.stages[0].backward[0].energy == Joules(2));
}

TEST_CASE("faults of a stage profile are named with their line") {
  const auto zero = profile_fault(with("1,forward,1410,0.054,24.8", "1,forward,1410,0,24.8"));
  CHECK(zero.place.line == 6);
  CHECK_THAT(zero.what, Catch::Contains("time") && Catch::Contains("above 0"));
  CHECK_THAT(profile_fault(with("0.05,23.8", "0.05,0")).what, Catch::Contains("energy") && Catch::Contains("above 0"));
  CHECK_THAT(profile_fault(with("0,forward,1410", "0,forward,-1410")).what, Catch::Contains("clock in MHz above 0"));
  CHECK_THAT(profile_fault(with("0.05,23.8", "nan,23.8")).what, Catch::Contains("time in seconds"));
  CHECK_THAT(profile_fault(with("0.05,23.8", "0.05,1e999")).what, Catch::Contains("energy in joules"));
  CHECK_THAT(profile_fault(with("0,backward,1410", "0,recompute,1410")).what, Catch::Contains("recompute") && Catch::Contains("forward or backward"));
  CHECK_THAT(profile_fault(with("0,backward,1410", "x,backward,1410")).what, Catch::Contains("stage"));
  CHECK_THAT(profile_fault(with("0,backward,1410", "99999,backward,1410")).what, Catch::Contains("stage below"));
  CHECK_THAT(profile_fault("stage,instruction,frequency,time\n0,forward,1,1\n").what, Catch::Contains("no column energy"));
  CHECK_THAT(profile_fault("stage,instruction,frequency,time,energy\n").what, Catch::Contains("without rows"));
}

TEST_CASE("a profile that lacks a stage, a pass or a clock, or has a row twice, is refused") {
  CHECK_THAT(profile_fault(with("1,backward,1200,0.12,40\n", "")).what, Catch::Contains("stage 1, backward at 1200 MHz"));
  CHECK_THAT(
      profile_fault("stage,instruction,frequency,time,energy\n0,forward,100,1,1\n0,backward,100,1,1\n2,forward,100,1,1\n2,backward,100,1,1\n").what,
      Catch::Contains("no row for stage 1, forward"));
  CHECK_THAT(profile_fault("stage,instruction,frequency,time,energy\n0,forward,100,1,1\n").what, Catch::Contains("no row for stage 0, backward"));
  const auto twice = profile_fault(kProfile + "0,forward,1410,0.05,23.8\n");
  CHECK(twice.place.line == 10);
  CHECK_THAT(twice.what, Catch::Contains("second time") && Catch::Contains("line 3"));
}

TEST_CASE("a profile that was cut off is refused, not shortened") {
  CHECK_THAT(profile_fault(kProfile.substr(0, kProfile.size() - 12)).what, Catch::Contains("cut off"));
  CHECK(profile(kProfile.substr(0, kProfile.size() - 1)).rows == 8);  // only the last line end is missing
}

TEST_CASE("power limits: jobs in order, rows by falling limit") {
  const PowerLimitTable table = limits(kLimits + "a,b,32,sgd,100,20,90\na,b,64,sgd,100,19,95\na,b,32,sgd,200,10,150\n");
  REQUIRE(table.jobs.size() == 2);
  CHECK(table.jobs[0].name() == "a b batch 32 sgd");
  REQUIRE(table.jobs[0].rows.size() == 2);
  CHECK(table.jobs[0].rows[0].limit == Watts(200));
  CHECK(table.jobs[0].rows[1].time == Seconds(20));
  CHECK(table.notes.empty());
}

TEST_CASE("a mean power above its limit is noted beyond a tolerance, and read") {
  const PowerLimitTable table = limits(kLimits + "a,b,32,sgd,100,20,104\na,b,32,sgd,90,20,108\n");
  REQUIRE(table.notes.size() == 1);
  CHECK_THAT(table.notes[0], Catch::Contains("z.csv:3") && Catch::Contains("20.0 %"));
  CHECK(table.jobs[0].rows[1].power == Watts(108));
}

TEST_CASE("faults of power limits are named") {
  const auto fault = [](const std::string& rows) { return fault_of([&] { limits(kLimits + rows); }); };
  CHECK_THAT(fault("a,b,32,sgd,100,20,0\n").what, Catch::Contains("mean power"));
  CHECK_THAT(fault("a,b,32,sgd,0,20,90\n").what, Catch::Contains("power limit"));
  CHECK_THAT(fault("a,b,32,sgd,100,-1,90\n").what, Catch::Contains("time"));
  CHECK_THAT(fault("a,b,32,sgd,100,20,90\na,b,32,sgd,100,21,91\n").what, Catch::Contains("second time"));
  CHECK_THAT(fault("").what, Catch::Contains("without rows"));
  CHECK_THAT(fault("a,b,32,sgd,100,20,90\na,b,32").what, Catch::Contains("cut off"));
}

TEST_CASE("kernel tables: auto, clocks and signed percents") {
  const auto read = kernels(kKernels + kKernel);
  REQUIRE(read.size() == 1);
  CHECK(read[0].forward);
  CHECK_FALSE(read[0].best.memory);
  CHECK(read[0].best.core == Hertz(630e6));
  CHECK(read[0].best_time_change == Approx(0.0032));
  CHECK(read[0].best_energy_change == Approx(-0.3301));
  CHECK(text(read[0].best) == "auto/630");
  const auto fault = [](const std::string& from, const std::string& to) {
    std::string row = kKernel;
    row.replace(row.find(from), from.size(), to);
    return fault_of([&] { kernels(kKernels + row); }).what;
  };
  CHECK_THAT(fault("fwd", "both"), Catch::Contains("fwd or bwd"));
  CHECK_THAT(fault(",1,0.0005938", ",0,0.0005938"), Catch::Contains("at least one call"));
  CHECK_THAT(fault("630", "fast"), Catch::Contains("a clock in MHz, or auto"));
  CHECK_THAT(fault("-33.01", "-100"), Catch::Contains("more than -100 %"));
  CHECK_THAT(fault("0.1943", "0"), Catch::Contains("above 0"));
  CHECK_THAT(fault_of([&] { kernels(kKernels + kKernel + kKernel); }).what, Catch::Contains("no other row has"));
}

TEST_CASE("pass tables: both passes, each pair once") {
  const PassTable read = passes(kPasses + "fwd,405,210,930.32,32.78,0\nfwd,auto,auto,0.00,-0.00,1\nbwd,auto,1890,0.15,-0.13,1\n");
  CHECK(read.forward.size() == 2);
  CHECK(read.forward[0].time_change == Approx(9.3032));
  CHECK(read.backward[0].clocks.core == Hertz(1890e6));
  CHECK_THAT(fault_of([] { passes(kPasses + "fwd,405,210,1,1,0\n"); }).what, Catch::Contains("no rows for the backward pass"));
  CHECK_THAT(fault_of([] { passes(kPasses + "fwd,405,210,1,1,0\nfwd,405,210,2,2,0\nbwd,405,210,1,1,0\n"); }).what, Catch::Contains("second time"));
}

TEST_CASE("the published files, where they are") {
  if (traces::test::data_folder() == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const std::string data = traces::test::data_folder();
  const StageProfile a100 = read_stage_profile(TextLines(data + "/training/perseus/gpt3-175b+a100_sxm_bf16.csv"));
  CHECK(a100.stages.size() == 8);
  CHECK(a100.rows == 608);
  int above_400 = 0;
  for (const auto& stage : a100.stages) {
    for (const auto* pass : {&stage.forward, &stage.backward}) {
      for (const StageProfileRow& row : *pass) above_400 += row.energy / row.time > Watts(400) ? 1 : 0;
    }
  }
  CHECK(above_400 == 150);  // a board with a limit of 500 W
  const auto all = read_kernel_table(TextLines(data + "/training/kernel-dvfs/kernels_rtx3080ti_gpt3xl.csv"));
  REQUIRE(all.size() == 46);
  double seconds = 0, joules = 0;
  int calls = 0;
  for (const KernelRow& row : all) {
    seconds += row.repeat * row.auto_time.si();
    joules += row.repeat * row.auto_energy.si();
    calls += row.repeat;
  }
  CHECK(seconds == Approx(5.359).epsilon(1e-4));
  CHECK(joules == Approx(1815).epsilon(1e-4));
  CHECK(calls == 897);
  const PassTable read = read_pass_table(TextLines(data + "/training/kernel-dvfs/pass_level_fig3_fig4.csv"));
  CHECK(read.forward.size() == 66);
  CHECK(read.backward.size() == 66);
  const std::pair<const char*, std::size_t> jobs[] = {{"a40", 53}, {"p100", 45}, {"rtx6000", 52}, {"v100", 68}};
  for (const auto& [gpu, count] : jobs) {
    CAPTURE(gpu);
    CHECK(read_power_limits(TextLines(data + "/power-caps/zeus-nsdi23/summary_power_" + gpu + ".csv")).jobs.size() == count);
  }
}
