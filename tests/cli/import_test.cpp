// Models and engine tables from elsewhere: what is printed loads, what can't be taken over is named.
#include <catch2/catch.hpp>
#include <string>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

constexpr const char* kMixtral = R"({
  "model_type": "mixtral", "hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "num_key_value_heads": 2,
  "intermediate_size": 1024, "vocab_size": 1000, "max_position_embeddings": 8192, "sliding_window": null, "num_local_experts": 8,
  "num_experts_per_tok": 2, "tie_word_embeddings": false, "torch_dtype": "bfloat16"
})";

Ended import_vllm(const std::string& line, std::vector<std::string> more = {}) {
  std::vector<std::string> words{"import", "vllm", line};
  words.insert(words.end(), more.begin(), more.end());
  return run_joulecast(std::move(words));
}

/// A scenario of these tables with a little traffic.
std::string scenario(const std::string& tables) {
  return "schema = 1\n[time]\nduration = \"20 s\"\n[site.here]\npue = 1.2\n" + tables +
         "[traffic.t]\nlengths = \"azure-2023-conv\"\nlength_prediction = \"mean\"\n" +
         "arrivals = { process = \"poisson\", request_rate = \"1 /s\" }\n";
}

}  // namespace

TEST_CASE("import hf: the model's file on standard output, what was assumed on standard error; the file serves in a scenario") {
  const Scratch scratch;
  const auto config = scratch.write("config.json", kMixtral);
  const auto ended = run_joulecast({"import", "hf", config, "--name", "me/tiny-moe", "--source", "my own"});
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("name = \"me/tiny-moe\"") && Contains("source = \"my own\"") && Contains("[experts]") && Contains("per_token = 2"));
  CHECK_THAT(ended.err, Contains("stated_parameters is the count"));
  scratch.write("tiny.toml", ended.out);
  const auto path =
      scratch.write("scenario.toml", scenario("[model.tiny]\narchitecture = \"tiny.toml\"\n[pool.p]\nnode = \"dgx-h100\"\nmodel = \"tiny\"\n"
                                              "tensor_parallel_size = 1\nreplicas = 1\n"));
  const auto ran = run_joulecast({"run", path, "--json"}, {scratch.path().string(), {}, 0});
  CHECK_THAT(ran.err, StartsWith("results: "));
  CHECK(ran.code == 0);
  // The folder that holds it will do.
  CHECK(run_joulecast({"import", "hf", scratch.path().string(), "--name", "me/tiny-moe", "--source", "my own"}).out == ended.out);
}

TEST_CASE("import hf: bad input is named, exit 2") {
  const Scratch scratch;
  const auto fault = [&](const std::string& text) {
    const auto ended = run_joulecast({"import", "hf", scratch.write("config.json", text), "--name", "a/b"});
    CHECK(ended.code == 2);
    CHECK(ended.out == "");
    return ended.err;
  };
  CHECK_THAT(fault("{\n  \"model_type\": \"llama\",\n  \"hidden_size\" 4096\n}"), Contains("config.json:3:20") && Contains("no JSON"));
  CHECK_THAT(fault("{\"model_type\": \"whisper\"}"), Contains("model_type \"whisper\" is not supported") && Contains("llama"));
  CHECK_THAT(fault("{\"model_type\": \"llama\"}"), Contains("no \"hidden_size\"") && Contains("no \"vocab_size\""));
  CHECK_THAT(fault(""), Contains("config.json:1:1"));
  CHECK_THAT(fault(std::string("\0\xff\xfe{", 4)), Contains("no JSON"));
  const auto absent = run_joulecast({"import", "hf", (scratch.path() / "none.json").string()});
  CHECK(absent.code == 2);
  CHECK_THAT(absent.err, Contains("none.json") && Contains("can't be read"));
  const auto nameless = run_joulecast({"import", "hf", scratch.write("config.json", kMixtral)});
  CHECK(nameless.code == 2);
  CHECK_THAT(nameless.err, Contains("--name"));
}

TEST_CASE("import vllm: engine and pool of a command line, which a scenario runs") {
  const auto ended = import_vllm(
      "CUDA_VISIBLE_DEVICES=0,1,2,3 VLLM_USE_V1=1 vllm serve meta-llama/Llama-3.1-70B-Instruct \\\n  --tensor-parallel-size=4 --max-num-seqs 64 \\\n"
      "  --max-model-len 16k --gpu-memory-utilization 0.92 --max_num_batched_tokens 4096 --no-enable-prefix-caching -dp 2 "
      "--quantization fp8 --host 0.0.0.0 --trust-remote-code > log.txt 2>&1 &",
      {"--node", "dgx-h100", "--name", "chat"});
  CHECK(ended.code == 0);
  CHECK(ended.out ==
        "[engine.chat]\nvllm_version = \"0.19\"\nmax_num_seqs = 64\nmax_num_batched_tokens = 4096\nmax_model_len = 16000\n"
        "gpu_memory_utilization = 0.92\nenable_prefix_caching = false\n\n[pool.chat]\nnode = \"dgx-h100\"\n"
        "model = \"meta-llama/Llama-3.1-70B-Instruct\"\nengine = \"chat\"\ntensor_parallel_size = 4\nreplicas = 2\n");
  CHECK_THAT(ended.err, Contains("not simulated: --quantization fp8") && Contains("not simulated: VLLM_USE_V1=1"));
  CHECK_THAT(ended.err, Contains("of no bearing here: --host, --trust-remote-code"));
  CHECK_THAT(ended.err, Contains("--data-parallel-size 2"));
  CHECK_THAT(ended.err, !Contains("CUDA_VISIBLE_DEVICES"));

  const Scratch scratch;
  const auto ran = run_joulecast({"run", scratch.write("scenario.toml", scenario(ended.out)), "--json"}, {scratch.path().string(), {}, 0});
  CHECK_THAT(ran.err, StartsWith("results: "));
  CHECK(ran.code == 0);
}

TEST_CASE("import vllm: spellings that vLLM takes") {
  const auto tables = [](const std::string& line) {
    const auto ended = import_vllm(line, {"--name", "p"});
    CHECK(ended.code == 0);
    return ended.out;
  };
  const std::string plain = tables("vllm serve openai/gpt-oss-120b --tensor-parallel-size 2 --enable-expert-parallel --async-scheduling");
  CHECK_THAT(plain, Contains("async_scheduling = true\nenable_expert_parallel = true\n") && Contains("tensor_parallel_size = 2"));
  CHECK(tables("vllm serve openai/gpt-oss-120b -tp 2 -ep --async-scheduling") == plain);
  CHECK(tables("vllm serve -tp=2 --async_scheduling --model 'openai/gpt-oss-120b' -ep") == plain);
  CHECK(tables("python3 -m vllm.entrypoints.openai.api_server --model openai/gpt-oss-120b -tp 2 -ep --async-scheduling # here") == plain);
  CHECK(tables("source venv/bin/activate && env A=1 /opt/bin/vllm serve \"openai/gpt-oss-120b\" -tp 2 -ep --async-scheduling; echo done") == plain);
  CHECK(tables("vllm serve openai/gpt-oss-120b --dtype auto -pp 1 -tp 2 --enable-expert-parallel True --async-scheduling -O3") == plain);
  CHECK_THAT(tables("vllm serve a/b --max-model-len 32K"), Contains("max_model_len = 32768"));
  CHECK_THAT(tables("vllm serve a/b --max-model-len 25.6k"), Contains("max_model_len = 25600"));
  CHECK_THAT(tables("vllm serve a/b --max-model-len auto"), !Contains("max_model_len"));
  CHECK_THAT(tables("vllm serve a/b"), Contains("# node = "));
  CHECK_THAT(import_vllm("vllm serve org/My.Model-7B").out, Contains("[engine.My-Model-7B]"));
  CHECK_THAT(import_vllm("vllm serve a/b --served-model-name one two --port 1").out, Contains("[engine.one]"));
  CHECK_THAT(import_vllm("vllm serve a/b").err, Contains("no model is called \"a/b\"") && Contains("no node yet"));
  CHECK_THAT(import_vllm("vllm serve a/b --compilation-config '{\"level\": 3}' --speculative-config.method eagle").err,
             Contains("not simulated: --compilation-config {\"level\": 3}") && Contains("not simulated: --speculative-config.method eagle"));
}

TEST_CASE("import vllm: faults are named, all at once, exit 2") {
  const auto fault = [](const std::string& line) {
    const auto ended = import_vllm(line);
    CHECK(ended.code == 2);
    CHECK(ended.out == "");
    return ended.err;
  };
  CHECK_THAT(fault("vllm serve a/b --max-num-seq 4"), Contains("no option \"--max-num-seq\"") && Contains("did you mean --max-num-seqs?"));
  CHECK_THAT(fault("vllm serve a/b --max-num-seqs"), Contains("--max-num-seqs has no value"));
  CHECK_THAT(fault("vllm serve a/b --max-num-seqs many --gpu-memory-utilization 90"),
             Contains("--max-num-seqs is \"many\"") && Contains("--gpu-memory-utilization is \"90\""));
  CHECK_THAT(fault("vllm serve a/b --max-num-seqs 99999"), Contains("out of bounds"));
  CHECK_THAT(fault("vllm serve a/b -tp 0"), Contains("--tensor-parallel-size is \"0\""));
  CHECK_THAT(fault("vllm serve a/b --async-scheduling=maybe"), Contains("--async-scheduling is \"maybe\""));
  CHECK_THAT(fault("vllm serve a/b c/d"), Contains("\"c/d\" belongs to no option"));
  CHECK_THAT(fault("vllm serve --port 8000"), Contains("names no model"));
  CHECK_THAT(fault("vllm bench a/b"), Contains("no `vllm serve`"));
  CHECK_THAT(fault("sglang launch"), Contains("no `vllm serve`"));
  CHECK_THAT(fault("vllm serve 'a/b"), Contains("not closed"));
  CHECK_THAT(run_joulecast({"import", "gguf", "x"}).err, Contains("nothing called \"gguf\" can be imported"));
  CHECK(run_joulecast({"import", "hf"}).code == 2);
}
