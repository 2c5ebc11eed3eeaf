// Runs of an engine that lie in the folder of measured data are found there; here the engine is joulecast itself.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "study/recorded_run.hpp"
#include "validation/registry.hpp"
#include "validation/vllm_run.hpp"

using namespace joulecast;
using namespace joulecast::validation;

namespace {

namespace fs = std::filesystem;

/// A data folder with a run of Qwen3-32B on two cards and layer times of that model, made up.
class Data {
 public:
  Data() : path_((fs::temp_directory_path() / "joulecast-runs-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    fs::create_directories(run());
    fs::create_directories(layers());
    std::ofstream(run() + "/meta.json") << R"({"model": "Qwen/Qwen3-32B", "vllm_version": "0.19.0", "engine_kwargs": {"tensor_parallel_size": 2,
      "max_num_seqs": 16, "max_num_batched_tokens": 2048, "dtype": "bfloat16", "kv_cache_dtype": "auto"}})";
    std::ofstream dense(layers() + "/dense.csv"), sequences(layers() + "/per_sequence.csv"), attention(layers() + "/attention.csv");
    dense << "layer,tokens,time_us\n";
    for (const char* layer :
         {"qkv_proj", "qk_norm", "rotary_emb", "o_proj", "layernorm", "gate_up_proj", "act_fn", "down_proj", "embedding", "final_layernorm"}) {
      dense << layer << ",1,20\n" << layer << ",2048,400\n";
    }
    sequences << "layer,sequences,time_us\nlm_head,1,300\nlm_head,64,320\nsampler,1,30\nsampler,64,60\n";
    attention << "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n16,0,0,0,10\n2048,0,0,0,500\n16,4096,0,0,40\n2048,4096,0,0,900\n";
    for (const int n : {1, 64}) {
      for (const int kv : {16, 8192})
        attention << "0,0," << n << "," << kv << "," << 5 + 0.001 * n * kv << "\n16,0," << n << "," << kv << "," << 12 + 0.001 * n * kv << "\n";
    }
  }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  ~Data() { fs::remove_all(path_); }

  /// Requests of which only arrival and tokens are known, or with the times of a replay.
  void write_requests(const study::Replay* replayed) const {
    std::ofstream file(run() + "/requests.jsonl");
    file.precision(17);
    for (int i = 0; i < 24; ++i) {
      const double arrival = 0.05 * i;
      const double first = replayed ? arrival + replayed->requests[static_cast<std::size_t>(i)].simulated.ttft : arrival;
      const double last = replayed ? arrival + replayed->requests[static_cast<std::size_t>(i)].simulated.e2e : arrival;
      file << "{\"request_id\": \"r" << i << "\", \"input_toks\": " << 100 + 97 * (i % 7) << ", \"output_toks\": " << 1 + 13 * (i % 5)
           << ", \"arrival_time\": " << arrival << ", \"queued_ts\": " << arrival << ", \"first_token_ts\": " << first
           << ", \"last_token_ts\": " << last << "}\n";
    }
  }

  const std::string& path() const { return path_; }
  std::string run() const { return path_ + "/serving/vllm-runs/RTXPRO6000/Qwen3-32B"; }
  std::string layers() const { return path_ + "/ops/vllm-layers/RTXPRO6000/Qwen/Qwen3-32B/bf16/tp2"; }

 private:
  std::string path_;
};

study::ReplaySettings settings(const Data& data) { return {".", "RTXPRO6000", "", data.layers()}; }

}  // namespace

TEST_CASE("a further run is found, its expected means are its own, and the replay of a replay is exact") {
  const Data data;
  data.write_requests(nullptr);
  const study::Replay first = study::replay(traces::read_recorded_run(data.run()), settings(data));
  CHECK(first.tpot.simulated > 0);
  data.write_requests(&first);

  const Sources sources{data.path(), "."};
  const std::vector<Comparison> found = further_vllm_runs(sources);
  REQUIRE(found.size() == 1);
  REQUIRE(found.front().entries.size() == 3);
  const std::vector<Entry>& entries = found.front().entries;
  CHECK(entries[0].id == "serving.vllm.rtxpro6000-qwen3-32b.ttft_mean");
  CHECK(entries[0].tolerance == "8 %");
  CHECK(entries[1].tolerance == "3 %");
  CHECK(entries[2].tolerance == "4 %");
  CHECK(entries[0].expected == Approx(first.ttft.simulated));
  CHECK(entries[1].expected == Approx(first.tpot.simulated));
  CHECK(entries[2].expected == Approx(first.e2e.simulated));
  for (const Outcome& outcome : validate(found, sources, "")) {
    CAPTURE(outcome.entry.id);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.ours->value == Approx(outcome.entry.expected).epsilon(1e-9));
  }
  // It is among all of them, and gone without its layer times.
  const auto all = comparisons(sources);
  CHECK(all.size() == comparisons().size() + 1);
  fs::remove_all(data.layers());
  CHECK(further_vllm_runs(sources).empty());
}

TEST_CASE("a table of the requests lays measured beside simulated") {
  const Data data;
  data.write_requests(nullptr);
  const study::Replay replayed = study::replay(traces::read_recorded_run(data.run()), settings(data));
  const std::string csv = study::replay_csv(replayed);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 25);
  CHECK(csv.find("\nr0,100,1,0,0,") != std::string::npos);
  CHECK(replayed.requests[0].measured.ttft == 0);
  CHECK_FALSE(replayed.requests[0].simulated.tpot);
  CHECK(replayed.requests[1].simulated.tpot);
}
