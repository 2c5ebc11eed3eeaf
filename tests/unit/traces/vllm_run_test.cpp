#include "traces/requests/vllm_run.hpp"

#include <catch2/catch.hpp>

#include "support.hpp"

using namespace joulecast;
using namespace joulecast::traces;

namespace {

constexpr const char* kMeta = R"({"model": "a/b", "engine_kwargs": {"tensor_parallel_size": 2, "max_num_seqs": 64, "max_model_len": null},
  "kv_cache": {"num_gpu_blocks": 99, "enable_prefix_caching": false}, "hardware": {"device_name": "NVIDIA RTX"},
  "resolved_config": {"scheduler_config": {"async_scheduling": false}}})";

std::string row(const std::string& id, double arrival, double queued, double first, double last, int output = 3) {
  return "{\"request_id\": \"" + id + "\", \"input_toks\": 10, \"output_toks\": " + std::to_string(output) +
         ", \"arrival_time\": " + std::to_string(arrival) + ", \"queued_ts\": " + std::to_string(queued) +
         ", \"first_token_ts\": " + std::to_string(first) + ", \"last_token_ts\": " + std::to_string(last) + "}\n";
}

}  // namespace

TEST_CASE("a recorded run: engine arguments, and times from the first request on, in the order of arrival") {
  const test::Folder folder;
  folder.write("meta.json", kMeta);
  folder.write("requests.jsonl", row("late", 1002, 52, 53, 55) + row("early", 1000, 50, 51, 51, 1));
  REQUIRE(is_recorded_run(folder.path()));
  const RecordedRun run = read_recorded_run(folder.path());
  CHECK(run.model == "a/b");
  CHECK(run.tensor_parallel_size == 2);
  CHECK(run.data_parallel_size == 1);
  CHECK(run.max_num_seqs == 64);
  CHECK(run.max_num_batched_tokens == 8192);
  CHECK_FALSE(run.max_model_len);
  CHECK(run.num_gpu_blocks == 99);
  CHECK(run.enable_prefix_caching == false);
  CHECK(run.async_scheduling == false);
  CHECK(run.device == "NVIDIA RTX");
  CHECK_FALSE(run.link_bandwidth);
  folder.write("cluster_config.json", R"({"num_nodes": 1, "link_bw": 16, "link_latency": 20000})");
  CHECK(*read_recorded_run(folder.path()).link_bandwidth == Approx(16e9));
  CHECK(*read_recorded_run(folder.path()).link_latency == Approx(20e-6));
  folder.write("cluster_config.json", R"({"link_bw": "fast"})");
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).what == "link_bw is \"fast\", expected a number above 0");
  REQUIRE(run.requests.size() == 2);
  CHECK(run.requests[0].id == "early");
  CHECK(run.requests[0].arrival == 0);
  CHECK(run.requests[0].ttft() == Approx(1));
  CHECK_FALSE(run.requests[0].tpot());
  CHECK(run.requests[1].arrival == Approx(2));
  CHECK(run.requests[1].queued == Approx(2));
  CHECK(*run.requests[1].tpot() == Approx(1));
  CHECK(run.requests[1].e2e() == Approx(3));
}

TEST_CASE("a recorded run's faults are named with their place") {
  const test::Folder folder;
  CHECK_FALSE(is_recorded_run(folder.path()));
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).what == "is no folder of a vLLM run");
  folder.write("requests.jsonl", row("a", 0, 1, 2, 3) + row("b", 0, 3, 2, 4));
  folder.write("meta.json", "[1]");
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).what == "this is no JSON object");
  folder.write("meta.json", R"({"model": "a/b", "engine_kwargs": {"max_num_seqs": "many"}})");
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).what.find("engine_kwargs.max_num_seqs is \"many\"") == 0);
  folder.write("meta.json", R"({"engine_kwargs": {}})");
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).what == "does not say which model ran");
  folder.write("meta.json", kMeta);
  CHECK(test::fault_of([&] { read_recorded_run(folder.path()); }).place.line == 2);
}
