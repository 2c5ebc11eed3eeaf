// `joulecast calibrate compare` and `joulecast import vllm-run`: a recorded run beside its simulation.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

/// A run of Llama-3.1-8B on an RTX 4090, made up: every request took 2 s to its first token and 3 s more.
std::string make_run(const Scratch& scratch) {
  scratch.write("meta.json", R"({"model": "meta-llama/Llama-3.1-8B", "engine_kwargs": {"max_num_seqs": 64, "max_num_batched_tokens": 2048,
    "dtype": "bfloat16"}, "hardware": {"device_name": "NVIDIA GeForce RTX 4090"}, "kv_cache": {"num_gpu_blocks": 2588, "block_size": 16}})");
  std::string rows;
  for (int i = 0; i < 10; ++i) {
    rows += fmt::format(
        R"({{"request_id": "r{}", "input_toks": 200, "output_toks": 31, "arrival_time": {}, "queued_ts": {}, "first_token_ts": {}, "last_token_ts": {}}})"
        "\n",
        i, 1000 + i, 50 + i, 52 + i, 55 + i);
  }
  scratch.write("requests.jsonl", rows);
  return scratch.path().string();
}

}  // namespace

TEST_CASE("calibrate compare prints means, writes a line a request, and says that nothing was fitted") {
  const Scratch scratch;
  const std::string folder = make_run(scratch);
  const std::string csv = (scratch.path() / "requests.csv").string();
  const Ended ended = run_joulecast({"calibrate", "compare", folder, "--csv", csv});
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("TTFT, mean") && Contains("2.00 s") && Contains("100 ms") && Contains("Nothing fitted"));
  const std::string table = read_text(csv);
  CHECK(std::count(table.begin(), table.end(), '\n') == 11);
  CHECK_THAT(table, Contains("\nr9,200,31,9,2,"));

  const auto json = nlohmann::json::parse(run_joulecast({"calibrate", "compare", folder, "--json"}).out);
  CHECK(json["fitted"] == false);
  CHECK(json["tpot_mean_s"]["measured"].get<double>() == Approx(0.1));
  CHECK(json["e2e_mean_s"]["measured"].get<double>() == Approx(5));
  // A card that serves one request a second takes about 20 ms a token.
  CHECK(json["tpot_mean_s"]["simulated"].get<double>() == Approx(0.018).epsilon(0.2));
  CHECK(json["time_coverage"]["measured"].get<double>() == Approx(1));
}

TEST_CASE("import vllm-run writes a scenario with the run's engine, which runs") {
  const Scratch scratch;
  const std::string folder = make_run(scratch);
  const Ended imported = run_joulecast({"import", "vllm-run", folder});
  CHECK(imported.code == 0);
  CHECK_THAT(imported.out, Contains("num_gpu_blocks_override = 2588") && Contains("max_num_seqs = 64") && Contains("pcie-8x-rtx-4090"));
  const std::string scenario = scratch.write("recorded.toml", imported.out);
  const Ended ran = run_joulecast({"run", scenario, "--out", (scratch.path() / "out").string()});
  CHECK(ran.code == 0);
  CHECK_THAT(ran.out, Contains("10 arrived, 10 completed"));
}

TEST_CASE("a folder that holds no run, and a GPU that nobody knows, are named and exit 2") {
  const Scratch scratch;
  const Ended empty = run_joulecast({"calibrate", "compare", scratch.path().string()});
  CHECK(empty.code == 2);
  CHECK_THAT(empty.err, Contains("is no folder of a vLLM run") && Contains("meta.json"));
  const Ended others =
      run_joulecast({"calibrate", "compare", make_run(scratch), "--sensor", "gain=1", "--offset", "2 s", "--timezone", "Europe/Berlin"});
  CHECK(others.code == 2);
  CHECK_THAT(others.err, Contains("--sensor says nothing of a vLLM run") && Contains("--offset says") && Contains("--timezone says"));
  const Ended unknown = run_joulecast({"calibrate", "compare", make_run(scratch), "--gpu-name", "RTX 5090 Ti Super"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("RTX 5090 Ti Super"));
}
