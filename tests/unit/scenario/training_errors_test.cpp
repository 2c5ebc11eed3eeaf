// What a person reads who made a mistake in a training job.
#include <catch2/catch.hpp>

#include "unit/scenario/training_jobs.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

std::string spoiled(const std::string& key, const std::string& value) { return faults(kGpt3, {"training.gpt3." + key + "=" + value}); }

}  // namespace

TEST_CASE("The job that the other cases spoil loads, with its defaults") {
  const Scenario scenario = load_text(kGpt3);
  REQUIRE(scenario.jobs.size() == 1);
  CHECK(scenario.jobs[0].layout.data == 1);
  CHECK(scenario.jobs[0].layout.microbatches() == 16);
  CHECK(scenario.jobs[0].schedule == training::ScheduleKind::one_f_one_b);
  CHECK(scenario.at_end == AtEnd::drain);
  CHECK_FALSE(scenario.duration);
  CHECK(scenario.jobs[0].fabric);
}

TEST_CASE("Sizes that do not fit one another are named") {
  CHECK_THAT(spoiled("gpus", "60"), Contains("60 GPUs cannot be divided among pipelines of 64"));
  CHECK_THAT(spoiled("pipeline_parallel_size", "16"), Contains("64 GPUs cannot be divided among pipelines of 128"));
  CHECK_THAT(spoiled("gpus", "128"), Contains("cluster \"a100\" has 64 GPUs in nodes of 8; its pools and jobs want 128: gpt3 (16 x 8)"));
  CHECK_THAT(spoiled("micro_batch_size", "3"), Contains("global batch"));
  CHECK_THAT(spoiled("layers", "[20, 20, 20, 20, 16, 0, 0, 0]"), Contains("has 0 layers") && Contains("at least one layer"));
  CHECK_THAT(spoiled("global_batch_size", "0"), Contains("global_batch_size"));
}

TEST_CASE("Schedules that cannot be are named") {
  CHECK_THAT(spoiled("schedule", "'1f2b'"), Contains("there is no schedule \"1f2b\"") && Contains("interleaved"));
  CHECK_THAT(spoiled("schedule", "'interleaved'"), Contains("interleaved schedule with 1 chunk"));
  CHECK_THAT(
      faults(kGpt3, {"training.gpt3.schedule='interleaved'", "training.gpt3.virtual_pipeline_parallel_size=3", "training.gpt3.global_batch_size=12"}),
      Contains("12 microbatches cannot be divided among 8 stages"));
  const TemporaryFile profile("-profile.csv", kProfile);
  const auto hand_written = [&](const std::string& lines) {
    return faults(profiled_job(profile.path()), {"training.job.global_batch_size=4", "training.job.schedule=" + lines});
  };
  CHECK(hand_written("['F0 F1 B0 B1', 'F0 B0 F1 B1']") == "");
  CHECK_THAT(hand_written("['F0 B0 F1 B1', 'F0 F1 B0 B1']"),
             Contains("deadlock, a cyclic dependency") && Contains("B0 of stage 0 waits for B0 of stage 1"));
  CHECK_THAT(hand_written("['F0 F1 B0 B1', 'F0 B0']"), Contains("dangling dependency: stage 0 runs F1 and stage 1 does not"));
  CHECK_THAT(hand_written("['F0 B0', 'F0 B0']"), Contains("the schedule has 2 stages, 1 microbatches") && Contains("the sizes ask for 2, 2"));
}

TEST_CASE("A job that does not fit its GPUs' memory says which part does not") {
  CHECK_THAT(faults(kGpt3, {"training.gpt3.recompute='none'", "training.gpt3.flash_attention=false", "training.gpt3.micro_batch_size=4"}),
             Contains("activations"));
  CHECK_THAT(faults(kGpt3, {"training.gpt3.pipeline_parallel_size=1"}), Contains("optimizer"));
}

TEST_CASE("Names that are not there are named, with the nearest") {
  CHECK_THAT(spoiled("model", "'GPT-3-175'"), Contains("GPT-3-175"));
  CHECK_THAT(spoiled("cluster", "'a1000'"), Contains("there is no [cluster.a1000]") && Contains("did you mean \"a100\"?"));
  CHECK_THAT(spoiled("node", "'dgx-a100'"), Contains("both cluster and node"));
  CHECK_THAT(spoiled("sm_clock", "'slak'"), Contains("there is no policy \"slak\" that plans a job's clocks"));
  CHECK_THAT(spoiled("sm_clock", "'5000 MHz'"), Contains("5000 MHz is no clock of A100 SXM 80"));
  CHECK_THAT(spoiled("gpu_power_limit", "'0 W'"), Contains("must be above 0 W"));
  CHECK_THAT(spoiled("recompute", "'ful'"), Contains("did you mean \"full\"?"));
  CHECK_THAT(faults(kGpt3 + "[pool.gpt3]\nnode='dgx-h100'\nmodel='meta-llama/Llama-3.1-8B-Instruct'\ntensor_parallel_size=1\nreplicas=1\n"),
             Contains("a job cannot be named \"gpt3\""));
}

TEST_CASE("Stragglers outside the job are named") {
  CHECK_THAT(spoiled("straggler.slow", "{replica=1,speed_factor=0.9}"), Contains("straggler \"slow\" is in replica 1 of 1") && Contains("0 .. 0"));
  CHECK_THAT(spoiled("straggler.slow", "{stage=8,speed_factor=0.9}"), Contains("straggler \"slow\" is stage 8 of 8"));
  CHECK_THAT(spoiled("straggler.slow", "{speed_factor=1.5}"), Contains("speed_factor"));
}

TEST_CASE("Stage profiles that do not belong to the job are named") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const std::string job = profiled_job(profile.path());
  CHECK_THAT(faults(job, {"training.job.pipeline_parallel_size=4"}), Contains("has 2 stages, the job 4"));
  CHECK_THAT(faults(job, {"training.job.stage_profile.file='/no/such.csv'"}), Contains("no/such.csv"));
  CHECK_THAT(faults(job, {"training.job.stage_profile.blocking='0 W'"}), Contains("blocking"));
  CHECK_THAT(faults(job, {"training.job.sm_clock='1400 MHz'"}), Contains("a stage profile has its own clocks"));
  const TemporaryFile torn("-torn.csv",
                           "stage,instruction,frequency,time,energy\n0,forward,1400,0.1,30\n0,backward,1400,0.2,60\n1,forward,1400,0.1,30\n");
  CHECK_THAT(faults(profiled_job(torn.path())), Contains("stage 1") && Contains("backward"));
  const TemporaryFile zero("-zero.csv", "stage,instruction,frequency,time,energy\n0,forward,1400,0.1,0\n0,backward,1400,0.2,60\n");
  CHECK_THAT(faults(profiled_job(zero.path())), Contains("energy"));
  CHECK_THAT(faults(kGpt3.substr(0, kGpt3.find("model")) + kGpt3.substr(kGpt3.find("tensor"))), Contains("the job has no model"));
}

TEST_CASE("Starts that the run does not hold are named") {
  CHECK_THAT(spoiled("start", "2026-03-02T22:00:00+01:00"), Contains("begins at a date, and the run has no start"));
  CHECK_THAT(faults(kGpt3, {"time.start=2026-03-02T22:00:00+01:00", "training.gpt3.start=2026-03-02T21:00:00+01:00"}),
             Contains("begins before the run"));
  const Scenario scenario = load_text(kGpt3, {"time.start=2026-03-02T22:00:00+01:00", "training.gpt3.start=2026-03-02T22:30:00+01:00"});
  CHECK(scenario.jobs[0].start.seconds() == 1800);
  CHECK(load_text(kGpt3, {"training.gpt3.start='2 h'"}).jobs[0].start.seconds() == 7200);
  CHECK_THAT(spoiled("start", "'-1 s'"), Contains("begins before the run"));
}
