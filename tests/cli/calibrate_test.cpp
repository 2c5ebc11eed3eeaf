// `joulecast calibrate`: what is written where, and what a person is told.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// nccl-tests output of an all-reduce that takes 20 us + bytes / 100 GB/s.
std::string reduce_text() {
  std::string text = "size(B),count,type,time(ns),busbw(GB/s),time(ns),busbw(GB/s)\n";
  for (double s = 1 << 20; s <= 1 << 30; s *= 2) text += fmt::format("{:.0f},{:.0f},float,{},1,{},1\n", s, s / 4, 20e3 + s / 100, 21e3 + s / 100);
  return text;
}

}  // namespace

TEST_CASE("calibrate ops prints a profile, or writes it and shows the fits") {
  const Scratch scratch;
  const std::string table = scratch.write("reduce.csv", reduce_text());
  const std::vector<std::string> words = {"calibrate", "ops", "--gpu-name", "mine", "--base", "A100 SXM 80", "--allreduce", "8=" + table};
  const Ended printed = run_joulecast(words);
  CHECK(printed.code == 0);
  CHECK_THAT(printed.out, Contains("extends = ") && Contains("[all_reduce.8]") && Contains("beta = { value = \"100 GB/s\"") && Contains("held out"));

  auto to_file = words;
  to_file.insert(to_file.end(), {"--out", (scratch.path() / "mine.toml").string()});
  const Ended written = run_joulecast(to_file);
  CHECK(written.code == 0);
  CHECK(read_text(scratch.path() / "mine.toml") == printed.out);
  CHECK_THAT(written.out, Contains("all_reduce of 8") && Contains("alpha 20.0 us"));

  auto as_json = words;
  as_json.push_back("--json");
  const auto json = nlohmann::json::parse(run_joulecast(as_json).out);
  REQUIRE(json["collectives"].size() == 1);
  CHECK(json["collectives"][0]["beta_bytes_per_s"].get<double>() == Approx(1e11).epsilon(1e-6));
  CHECK(json["collectives"][0]["sources"][0]["used"] == 11);
}

TEST_CASE("calibrate serving prints a profile of class watts and host cost, and names the runs that it can't describe") {
  const Scratch scratch;
  std::string text = "model_id,gpu_model,num_gpus,avg_batch_size,avg_output_len,avg_power_watts,output_throughput_tokens_per_sec,prompt_tokens\n";
  for (const int batch : {8, 32, 128}) {
    const double step = 7e-3 + 80e-6 * batch;
    text += fmt::format("meta-llama/Llama-3.1-8B-Instruct,H100,1,{},400,{},{},400\n", batch, 480 + batch, batch / step);
    text += fmt::format("Qwen/Qwen3-8B,H100,1,{},400,{},{},400\n", batch, 470 + batch, batch / (1.1 * step));
  }
  text += "nvidia/NVIDIA-Nemotron-Nano-9B-v2,H100,1,8,400,480,1000,400\n";
  const std::string table = scratch.write("runs.csv", text);
  const Ended printed = run_joulecast({"calibrate", "serving", "--gpu", "H100 SXM", "--runs", table});
  CHECK(printed.code == 0);
  CHECK_THAT(printed.out, Contains("[class_watts]") && Contains("[host_cost]") && Contains("bottom_up_error = ") && Contains("extends = "));
  CHECK_THAT(printed.out, !Contains("[mixture_cost]"));
  CHECK_THAT(printed.err, Contains("left out: nvidia/NVIDIA-Nemotron-Nano-9B-v2") && Contains("Mamba-2"));
  // What it writes is a profile.
  const auto file = (scratch.path() / "mine.toml").string();
  CHECK(run_joulecast({"calibrate", "serving", "--gpu", "H100 SXM", "--runs", table, "--out", file}).code == 0);
  CHECK(run_joulecast({"calibrate", "serving", "--gpu", file, "--runs", table}).code == 0);
  CHECK(run_joulecast({"calibrate", "serving", "--gpu", "H100 SXM"}).code == 2);
}

TEST_CASE("calibrate stages fits each stage and pass on every fourth clock and shows the error on the others") {
  const Scratch scratch;
  std::string text = "stage,instruction,frequency,time,energy\n";
  for (int mhz = 1410; mhz >= 810; mhz -= 30) {
    for (const char* pass : {"forward", "backward"}) {
      const double time = 0.05 * (0.3 + 0.7 * 1410 / mhz), power = 100 + 300.0 * mhz / 1410;
      text += fmt::format("0,{},{},{},{}\n", pass, mhz, time, power * time);
    }
  }
  const std::string profile = scratch.write("stages.csv", text);
  const Ended shown = run_joulecast({"calibrate", "stages", profile});
  CHECK(shown.code == 0);
  CHECK_THAT(shown.out, Contains("0 backward") && Contains("clocks held out"));
  const auto points = scratch.path() / "points.csv";
  const Ended ended = run_joulecast({"calibrate", "stages", profile, "--json", "--csv", points.string()});
  const auto json = nlohmann::json::parse(ended.out);
  CHECK(json["curves"].size() == 2);
  CHECK(json["power_error"]["held_out_rows"] == 30);
  CHECK(json["power_error"]["held_out_error"]["mean"].get<double>() < 1e-3);
  CHECK(json["time_error"]["held_out_error"]["mean"].get<double>() < 1e-3);
  CHECK_THAT(read_text(points), StartsWith("stage,pass,clock_hz,fitted") && Contains("0,forward,1410000000,1,"));
  const Ended none = run_joulecast({"calibrate", "stages", profile, "--every", "1"});
  CHECK(none.code == 2);
  CHECK_THAT(none.err, Contains("--every") && Contains("write --every 4"));
}

TEST_CASE("calibrate refuses what it cannot do, by name, and exits 2") {
  struct Mistake {
    std::vector<std::string> words;
    std::string what, remedy;
  };
  const Scratch scratch;
  const std::string table = scratch.write("reduce.csv", reduce_text());
  const std::vector<Mistake> mistakes = {
      {{"calibrate", "attention"}, "`joulecast calibrate attention` is not yet supported", "ops"},
      {{"calibrate"}, "does not say what to calibrate", "ops"},
      {{"calibrate", "opps"}, "nothing to calibrate is called \"opps\"", "did you mean ops?"},
      {{"calibrate", "ops"}, "no name", "--gpu-name"},
      {{"calibrate", "ops", "--gpu-name", "H100 SXM"}, "nothing to fit", "--gemm"},
      {{"calibrate", "ops", "--gpu-name", "H100 SMX", "--gemm", table}, "H100 SMX", "H100 SXM"},
      {{"calibrate", "ops", "--gpu-name", "H100 SXM", "--gemm", table}, "no GEMM table known here", "aiconfigurator"},
      {{"calibrate", "ops", "--gpu-name", "H100 SXM", "--allreduce", table}, "how many GPUs", "8="},
      {{"calibrate", "ops", "--gpu-name", "H100 SXM", "--nccl", "/no/such.csv"}, "/no/such.csv", ""},
      {{"calibrate", "ops", "--gpu-name", "H100 SXM", "--allreduce", "8=" + table, "--out", "/no/such/folder/x.toml"}, "can't write", "--out"},
  };
  for (const Mistake& mistake : mistakes) {
    const Ended ended = run_joulecast(mistake.words);
    CAPTURE(mistake.words, ended.err);
    CHECK(ended.code == 2);
    CHECK_THAT(ended.err, StartsWith("error: ") && Contains(mistake.what) && Contains(mistake.remedy));
  }
}

TEST_CASE("calibrate tokens writes beliefs that a scenario's energy_model takes at once") {
  const Scratch scratch;
  std::string text = "tokens_in,tokens_out,joules,seconds,model\n";
  for (const int in : {1, 64, 1024, 8192}) {
    for (const int out : {1, 64, 1024, 4096}) {
      const double joules = 10 + 0.02 * in + 1.5 * out + 1e-4 * in * out + 2e-4 * out * out;
      text += fmt::format("{},{},{},{},Llama-3.1-70B-Instruct\n{},{},{},{},Llama-3.1-8B-Instruct\n", in, out, 6 * joules, joules / 200, in, out,
                          joules, joules / 400);
    }
  }
  const std::string table = scratch.write("sweep.csv", text);
  const std::string beliefs = (scratch.path() / "beliefs.toml").string();
  const Ended written = run_joulecast({"calibrate", "tokens", table, "--out", beliefs});
  CHECK(written.code == 0);
  CHECK_THAT(written.out, Contains("relative") && Contains("published") && Contains("held out"));
  CHECK_THAT(read_text(beliefs), Contains("[model.\"llama-3.1-8b-instruct\"]") && Contains("sha256"));
  const Ended used = run_joulecast({"check", std::string(JOULECAST_SOURCE) + "/scenarios/two-models.toml", "--set",
                                    fmt::format("policy.ea.energy_model=\"{}\"", beliefs), "--set", "policy.ea.out_of_range=\"clamp\""});
  CHECK(used.code == 0);
  CHECK_THAT(used.out + used.err, Contains("beliefs"));

  const auto json = nlohmann::json::parse(run_joulecast({"calibrate", "tokens", table, "--json"}).out);
  REQUIRE(json["models"].size() == 2);
  CHECK(json["models"][1]["joules"][3]["form"] == "relative");
  CHECK(json["models"][1]["joules"][3]["terms"]["output"].get<double>() == Approx(1.5));

  const Ended nothing = run_joulecast({"calibrate", "tokens", table, "--model", "other"});
  CHECK(nothing.code == 2);
  CHECK_THAT(nothing.err, Contains("no row of \"other\"") && Contains("Llama-3.1-70B-Instruct"));
  const Ended form = run_joulecast({"calibrate", "tokens", table, "--form", "relativ"});
  CHECK(form.code == 2);
  CHECK_THAT(form.err, Contains("did you mean relative?"));
}
