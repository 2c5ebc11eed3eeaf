#include <algorithm>
#include <catch2/catch.hpp>

#include "scenario/simulate.hpp"
#include "unit/scenario/training_jobs.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

constexpr std::size_t at(training::Spent spent) { return static_cast<std::size_t>(spent); }
constexpr std::size_t at(metering::State state) { return static_cast<std::size_t>(state); }
double state_joules(const Result& result, metering::State state) { return 1e-9 * static_cast<double>(result.energy.state_nanojoules[at(state)]); }

double sum(const BySpent& values) {
  double total = 0;
  for (const double each : values) total += each;
  return total;
}

}  // namespace

// M = 4 microbatches over P = 2 equal stages, F = 0.1, B = 0.2: (M + P - 1)(F + B) = 1.5 s. A stage works M (F + B) = 1.2 s, of which a GPU takes M
// (30 + 60) J, and waits 0.3 s at 80 W; 8 GPUs.
TEST_CASE("A job from a stage profile takes what the closed form says") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const Result result = simulate(load_text(profiled_job(profile.path())), {});
  REQUIRE(result.jobs.size() == 1);
  const TrainingResult& job = result.jobs[0];
  CHECK(job.iterations == 10);
  CHECK(job.iteration_s == Approx(1.5).epsilon(1e-12));
  CHECK(job.iteration_joules == Approx(8 * (4 * 90 + 0.3 * 80)).epsilon(1e-12));
  CHECK(job.tokens_per_s == Approx(8 * 1000 / 1.5));
  CHECK_FALSE(job.mfu);
  CHECK(job.time_by_kind_s[at(training::Spent::forward)] == Approx(0.4));
  CHECK(job.time_by_kind_s[at(training::Spent::bubble)] == Approx(0.3));
  CHECK(sum(job.time_by_kind_s) == Approx(1.5).epsilon(1e-12));
  CHECK(sum(job.energy_by_kind_joules) == Approx(job.iteration_joules).epsilon(1e-12));
  REQUIRE(job.stages.size() == 2);
  CHECK(sum(job.stages[0].energy_by_kind_joules) + sum(job.stages[1].energy_by_kind_joules) == Approx(job.iteration_joules).epsilon(1e-12));
  // The run ends with the job: all is active or waiting, and the ledger's total is ten iterations.
  CHECK(result.horizon_s == Approx(15).margin(1e-8));
  CHECK(result.energy.joules[0] == Approx(10 * job.iteration_joules).epsilon(1e-9));
  CHECK(state_joules(result, metering::State::spin_wait) == Approx(10 * 8 * 0.3 * 80).epsilon(1e-9));
  CHECK(result.no_pool_gpus == 0);
}

TEST_CASE("A stage profile scales to a stage's layers") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const Result plain = simulate(load_text(profiled_job(profile.path())), {});
  const Result scaled = simulate(load_text(profiled_job(profile.path()), {"training.job.stage_profile.time_scale=3"}), {});
  CHECK(scaled.jobs[0].iteration_s == Approx(3 * plain.jobs[0].iteration_s).epsilon(1e-12));
  CHECK(scaled.jobs[0].iteration_joules == Approx(3 * plain.jobs[0].iteration_joules).epsilon(1e-12));
}

// A job of 15 s from second 4 of a run of 30 s; the other 8 of 16 GPUs idle.
TEST_CASE("GPUs idle before a job, after it and beside it") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const Scenario scenario = load_text(profiled_job(profile.path()), {"cluster.one.nodes=2", "training.job.start='4 s'", "time.duration='30 s'"});
  const Result result = simulate(scenario, {});
  const double bare = scenario.clusters[0].gpu.idle.bare.value.si();
  CHECK(result.horizon_s == Approx(30));
  CHECK(result.no_pool_gpus == 8);
  CHECK(state_joules(result, metering::State::bare_idle) == Approx(bare * (8 * 30 + 8 * 15)).epsilon(1e-9));
  CHECK(result.energy.watts[0][2] == Approx(16 * bare).epsilon(1e-6));
  CHECK(result.jobs[0].iterations == 10);
}

TEST_CASE("A run that is cut charges what has passed of an iteration") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const Result result = simulate(load_text(profiled_job(profile.path()), {"time.duration='7 s'", "time.at_end='cut'"}), {});
  CHECK(result.jobs[0].iterations == 4);
  CHECK(result.horizon_s == 7);
  // The last bin, of which two thirds are the fifth iteration, draws as the first one does in its first second.
  CHECK(result.energy.watts[0][6] == Approx(result.energy.watts[0][0]).epsilon(1e-6));
}

// A replica at half speed takes 3 s; the sound one waits for it.
TEST_CASE("Sound replicas wait for a straggler") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const Result result = simulate(load_text(profiled_job(profile.path()), {"training.job.straggler.slow={replica=1,speed_factor=0.5}"}), {});
  const TrainingResult& job = result.jobs[0];
  CHECK(job.iteration_s == Approx(3).epsilon(1e-9));
  // Time of a mean GPU: half of the GPUs wait 1.5 s.
  CHECK(job.time_by_kind_s[at(training::Spent::straggler_wait)] == Approx(0.75).epsilon(1e-9));
  CHECK(job.iteration_joules == Approx(4 * (4 * 90 + 0.3 * 80 + 1.5 * 80) + 4 * 2 * (4 * 90 + 0.3 * 80)).epsilon(1e-9));
}

TEST_CASE("A resolved job runs to the same result") {
  const TemporaryFile profile("-profile.csv", kProfile);
  for (const std::string& text :
       {profiled_job(profile.path()) + "jitter = \"4 %\"\nstraggler = { warm = { replica = 1, stage = 0, speed_factor = 0.8 } }\n", kGpt3}) {
    const Scenario scenario = load_text(text);
    const Scenario again = load_text(resolved_toml(scenario));
    CHECK(resolved_toml(again) == resolved_toml(scenario));
    CHECK(simulate(again, {}).energy.joules == simulate(scenario, {}).energy.joules);
  }
}

TEST_CASE("Jobs and pools share a node") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const std::string text = R"(schema = 1
[site.here]
pue = 1.25
[time]
duration = "20 s"
[cluster.one]
node = "dgx-a100"
nodes = 2
[pool.chat]
cluster = "one"
model = "meta-llama/Llama-3.1-8B-Instruct"
tensor_parallel_size = 1
replicas = 3
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "2 /s"
length_prediction = "mean"
[training.job]
cluster = "one"
gpus = 8
tensor_parallel_size = 2
pipeline_parallel_size = 2
global_batch_size = 8
seq_length = 1000
train_iters = 10
stage_profile = { file = ")" +
                           profile.path() + "\", blocking = \"80 W\" }\n";
  const Result result = simulate(load_text(text), {});
  CHECK(result.no_pool_gpus == 5);
  CHECK(result.jobs[0].iterations == 10);
  REQUIRE(result.energy.pools.size() == 3);
  CHECK(result.energy.pools[0].gpus == 3);
  CHECK(result.energy.pools[1].name == "job");
  CHECK(result.energy.pools[1].gpus == 8);
  double joules = 0;
  for (const auto& pool : result.energy.pools) joules += pool.joules[3];
  CHECK(joules == Approx(result.energy.joules[3]).epsilon(1e-9));
}

// Eight equal nodes, each a stage of eight GPUs, are accounted as one of eight times the size: the supplies' curve and the fans' cube scale with it.
TEST_CASE("Nodes that do the same are one, at every boundary") {
  const std::string lines = kProfile.substr(0, kProfile.find("1,forward"));
  const TemporaryFile profile("-profile.csv", lines);
  const std::vector<std::string> sets = {"training.job.tensor_parallel_size=8", "training.job.pipeline_parallel_size=1"};
  const Result small = simulate(load_text(profiled_job(profile.path()), sets), {});
  std::vector<std::string> more = sets;
  more.insert(more.end(), {"cluster.one.nodes=8", "training.job.gpus=64", "training.job.global_batch_size=64"});
  const Scenario scenario = load_text(profiled_job(profile.path()), more);
  const Result large = simulate(scenario, {});
  CHECK(large.jobs[0].iteration_joules == Approx(8 * small.jobs[0].iteration_joules).epsilon(1e-12));
  CHECK(large.energy.joules[1] == Approx(8 * small.energy.joules[1]).epsilon(1e-9));
  CHECK(large.energy.power[1].peak_1s == Approx(8 * small.energy.power[1].peak_1s).epsilon(1e-6));
  // What joins them comes on top from `it` on.
  const double network = scenario.clusters[0].node.network.si();
  CHECK(network > 0);
  CHECK(large.energy.joules[2] == Approx(large.energy.joules[1] + 8 * network * large.horizon_s).epsilon(1e-9));
}

TEST_CASE("An iteration by the operation model says what it reaches") {
  const Result result = simulate(load_text(kGpt3), {});
  const TrainingResult& job = result.jobs[0];
  CHECK(job.iterations == 2);
  REQUIRE(job.mfu);
  REQUIRE(job.hfu);
  // 72 B s l h^2 (1 + s/(6h) + V/(12 l h)) = 4.51e16 FLOP (arXiv 2104.04473, equation 3, without its recompute) over 64 x 312 TFLOP/s.
  const double flops = 72.0 * 16 * 2048 * 96 * 12288 * 12288 * (1 + 2048 / (6.0 * 12288) + 50257 / (12.0 * 96 * 12288));
  CHECK(*job.mfu == Approx(flops / (job.iteration_s * 64 * 312e12)).epsilon(0.01));
  CHECK(*job.hfu > *job.mfu);
  CHECK(sum(job.time_by_kind_s) == Approx(job.iteration_s).epsilon(1e-12));
  CHECK(job.time_by_kind_s[at(training::Spent::recompute)] > 0);
  CHECK(job.time_by_kind_s[at(training::Spent::communication)] > 0);
}

TEST_CASE("Jitter depends on the seed and the job's name alone") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const std::string text = profiled_job(profile.path()) + "jitter = \"5 %\"\n";
  const Result one = simulate(load_text(text), {}), same = simulate(load_text(text), {}), other = simulate(load_text(text, {"seed=2"}), {});
  CHECK(one.energy.joules == same.energy.joules);
  CHECK(one.jobs[0].iteration_s != other.jobs[0].iteration_s);
  CHECK(one.jobs[0].iteration_s > 1.5);
}

// 1.5 s at 1400 MHz; at 1000 MHz every operation takes a quarter longer, 1.875 s, and 78 J in place of 90 J a microbatch and GPU.
TEST_CASE("A clock policy is planned, charged and stated against the highest clocks") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const std::string policy = "sm_clock = \"slack\"\n[policy.slack]\nuse = \"pipeline_slack\"\nmax_slowdown_factor = 2\n";
  const TrainingResult job = simulate(load_text(profiled_job(profile.path()) + policy), {}).jobs[0];
  REQUIRE(job.clock_plan);
  const ClockPlanFigures& plan = *job.clock_plan;
  CHECK(plan.policy == "pipeline_slack");
  CHECK(plan.baseline.seconds == Approx(1.5).epsilon(1e-12));
  CHECK(plan.baseline.joules == Approx(8 * (4 * 90 + 0.3 * 80)).epsilon(1e-12));
  REQUIRE(plan.bound_joules);
  CHECK(plan.as_published.joules >= *plan.bound_joules * (1 - 1e-12));
  // A second of an operation at 1000 MHz saves 12 J in 0.075 s of all eight GPUs' time: 160 W, more than the 80 W that they wait at. So all run
  // there.
  CHECK(plan.as_published.seconds == Approx(1.875).epsilon(1e-9));
  CHECK(plan.as_published.joules == Approx(8 * (4 * 78 + 0.375 * 80)).epsilon(1e-9));
  // One clock: nothing to change within an iteration.
  CHECK(plan.charged.joules == Approx(plan.as_published.joules).epsilon(1e-12));
  CHECK(job.iteration_joules == Approx(plan.charged.joules).epsilon(1e-12));
}

TEST_CASE("A plan never ends later, nor takes less than its bound; for a straggler it fills the wait") {
  const TemporaryFile profile("-profile.csv", kProfile);
  const std::string text = profiled_job(profile.path()) + "sm_clock = \"pipeline_slack\"\n";
  const ClockPlanFigures even = *simulate(load_text(text), {}).jobs[0].clock_plan;
  CHECK(even.as_published.seconds <= even.baseline.seconds);
  CHECK(even.as_published.joules >= *even.bound_joules * (1 - 1e-12));
  const ClockPlanFigures waiting = *simulate(load_text(text, {"training.job.straggler.slow={replica=1,speed_factor=0.8}"}), {}).jobs[0].clock_plan;
  CHECK(waiting.baseline.seconds == Approx(1.875).epsilon(1e-9));
  CHECK(waiting.as_published.seconds <= waiting.baseline.seconds * (1 + 1e-9));
  // The four GPUs of the sound replica fill 1.875 s at 1000 MHz: 4 x 12 J less, and 0.3 s of waits in place of 0.675 s less 0.375 s of bubble.
  CHECK(waiting.baseline.joules - waiting.as_published.joules == Approx(4 * (4 * 12 + 0.3 * 80)).epsilon(1e-9));
}
