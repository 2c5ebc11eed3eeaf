#include "traces/power/serving_runs.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;

namespace {

std::vector<ServingRun> read(const std::string& text) {
  const test::Folder folder;
  return read_serving_runs(TextLines(folder.write("runs.csv", text)));
}

const std::string kHeader = "model_id,gpu_model,num_gpus,avg_batch_size,avg_output_len,avg_power_watts,output_throughput_tokens_per_sec";

}  // namespace

TEST_CASE("a run's joules a token and mean step follow from its power, rate and batch") {
  const auto runs = read(kHeader + ",task,par_expert_parallel\nm,H100,4,32,350,1800,1500,chat,4\n");
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].joules_per_token() == Approx(1.2));
  CHECK(runs[0].step_seconds() == Approx(32.0 / 1500));
  CHECK(runs[0].expert_parallel);
  CHECK(runs[0].task == "chat");
  CHECK(runs[0].data_parallel == 1);
  CHECK_FALSE(runs[0].prompt_tokens.has_value());
}

TEST_CASE("faults of a table of runs: no rows, an absent column, a number that is none, a row cut off") {
  CHECK_THROWS_AS(read(kHeader + "\n"), UserError);
  CHECK_THROWS_AS(read("model_id,gpu_model\nm,H100\n"), UserError);
  CHECK_THROWS_AS(read(kHeader + "\nm,H100,4,many,350,1800,1500\n"), UserError);
  CHECK_THROWS_AS(read(kHeader + "\nm,H100,4,-8,350,1800,1500\n"), UserError);
  CHECK_THROWS_AS(read(kHeader + "\nm,H100,4,8,350,1800,1500\nm,H100,4"), UserError);
}
