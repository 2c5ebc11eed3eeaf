#include "cli/calibrate_syntax.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/options_impl.hpp"
#include "config/node.hpp"

namespace joulecast::cli {
namespace {

using detail::add_files;
using detail::add_text;
using detail::usage_error;

constexpr std::string_view kLater[] = {"attention", "watts", "node"};

constexpr const char* kExamples = R"(Examples:
  joulecast calibrate ops --gpu-name "H100 SXM" --gemm h100_gemm_perf.csv.gz --nccl h100_nccl.csv --out my-h100.toml
  joulecast calibrate stages gpt3-175b+a100_sxm_bf16.csv
  joulecast calibrate fit sweep.csv --base "H100 SXM" --name "my H100" --out my-h100

A subcommand's own help: joulecast calibrate SUBCOMMAND --help)";

constexpr const char* kCompareExamples = R"(Examples:
  joulecast calibrate compare runs/RTX4090/Llama-3.1-8B --csv requests.csv
  joulecast calibrate compare runs/RTXPRO6000/Qwen3-32B --gpu-name "RTX PRO 6000" --layers vllm-layers/RTXPRO6000/Qwen/Qwen3-32B/bf16/tp2

Simulates the run with its own engine arguments, nothing fitted, and prints mean times as measured and as simulated.)";

constexpr const char* kInspectExamples = R"(Examples:
  joulecast calibrate inspect nvidia-smi.csv --timezone Europe/Berlin
  joulecast calibrate inspect mine.csv --map time=t:s --map power=board:mW
  joulecast calibrate inspect metrics.txt --json | jq .engines

Says what is in a log of GPU power, of an engine's load or of a chassis: columns, samples, sensor, energy by two roads, what is wrong with it, what
can be learnt from it and which measurement would give the rest.)";

constexpr const char* kOpsExamples = R"(Examples:
  joulecast calibrate ops --gpu-name "H100 SXM" --gemm h100_gemm_perf.csv.gz --nccl h100_nccl.csv --out my-h100.toml
  joulecast calibrate ops --gpu-name "my A100" --base "A100 SXM 80" --allreduce 8=AR_A100_GPU8.csv
  joulecast calibrate ops --gpu-name "A100 PCIe 80" --like "A100 SXM 80"

Prints a GPU profile that extends the base: GEMM and collectives from the tables, each figure with its rows and its held-out error.)";

constexpr const char* kFitExamples = R"(Examples:
  joulecast calibrate fit sweep.csv --base "H100 SXM" --name "my H100" --out my-h100
  joulecast calibrate fit smi.csv --timezone Europe/Berlin --load engine.csv --base "H100 SXM" --name "my H100" --out my-h100
  joulecast calibrate fit sweep.csv --chassis bmc.csv --node dgx-h100 --base "H100 SXM" --name "my H100" --out my-h100
  joulecast calibrate fit batches.csv --model Llama-3.1-8B --engine "vLLM 0.11.0" --prompt-tokens 400 --output-tokens 700 --base "H100 SXM" \
    --name "my H100" --out my-h100
  joulecast calibrate fit sweep.csv --sensor window="1 s" --sensor gain=0.95 --base "H100 SXM" --name "my H100" --out my-h100

Writes DIR/gpu.toml (a profile that extends the base by what the log gives), report.json, points.csv and, with --chassis, node.toml. What the log
does not give keeps the base's figure, and is named with the measurement that would give it.)";

constexpr const char* kServingExamples = R"(Examples:
  joulecast calibrate serving --gpu "H100 SXM" --runs llm_configs.csv --out my-h100.toml

The table has a row a batch in steady state, with the columns of ml-energy/leaderboard v3: model_id, gpu_model, num_gpus, avg_batch_size,
avg_output_len, avg_power_watts (all GPUs), output_throughput_tokens_per_sec; and prompt_tokens, or a task whose prompts are known. Prints a GPU profile
that extends the GPU's: class watts, host cost, what layers of experts take, each with the error of models left out.)";

constexpr const char* kStagesExamples = R"(Examples:
  joulecast calibrate stages gpt3-175b+a100_sxm_bf16.csv
  joulecast calibrate stages mine.csv --every 2 --csv points.csv

The file has columns stage, instruction (forward, backward), frequency (MHz), time (s) and energy (J). Each stage and pass is fitted by itself on
every fourth clock from the top, and the error on the other clocks is printed.)";

constexpr const char* kTokensExamples = R"(Examples:
  joulecast calibrate tokens sweep.csv --as meta-llama/Llama-3.1-8B-Instruct --out beliefs.toml
  joulecast calibrate tokens all-stats-raw.csv --form published --out published.toml

Fits a request's joules by its tokens in and out, by four forms, and prints a file for a policy's energy_model.)";

}  // namespace

CalibrateSyntax::CalibrateSyntax(CLI::App& app, detail::Common& common)
    : common_(common), calibrate_(detail::add_command(app, "calibrate", "Fits a profile's figures to what was measured", kExamples)) {
  calibrate_->allow_extras();
  add_compare();
  add_inspect();
  add_ops();
  add_serving();
  add_stages();
  add_fit();
  add_tokens();
}

CLI::App* CalibrateSyntax::add(const std::string& name, const std::string& text, const char* examples,
                               std::function<CalibrateArguments()> arguments) {
  CLI::App* command = detail::add_command(*calibrate_, name, text, examples);
  commands_.emplace_back(command, std::move(arguments));
  return command;
}

void CalibrateSyntax::add_compare() {
  CLI::App* app = add("compare", "A recorded run beside its simulation, request by request", kCompareExamples, [this] {
    compare_.json = common_.json;
    return compare_;
  });
  app->add_option("DIR", compare_.folder, "Folder of a vLLM run (meta.json, requests.jsonl) or of a power log (scenario.toml, power.csv)")
      ->required()
      ->option_text(" ");
  add_text(app, "--gpu-name", compare_.gpu_name, "NAME", "GPU that it ran on (default: what meta.json says)");
  add_text(app, "--node", compare_.node, "NODE", "Node that it ran on (default: the first one with that GPU)");
  add_text(app, "--layers", compare_.layers, "DIR", "Layer times of this model on this card (default: what the GPU's profile has)");
  add_text(app, "--csv", compare_.csv, "FILE", "Writes the requests' times, or the moments' watts, there");
  add_text(app, "--timezone", compare_.timezone, "ZONE", "Of a power log whose times have no offset");
  add_text(app, "--offset", compare_.offset, "SECONDS", "Power: from the log's first sample to the run's beginning (default: found by correlation)");
  app->add_option("--sensor", compare_.sensor, "Power: what is known of the sensor, as `calibrate fit` takes it; may be given again")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_inspect() {
  CLI::App* app = add("inspect", "What a log of power, load or a chassis holds, and what can be learnt from it", kInspectExamples, [this] {
    inspect_.json = common_.json;
    return inspect_;
  });
  app->add_option("LOG", inspect_.log.file, "The log")->required()->option_text(" ");
  add_log_options(app, inspect_.log);
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_ops() {
  CLI::App* app = add("ops", "GEMM and collectives, from operation tables", kOpsExamples, [this] {
    ops_.json = common_.json;
    return ops_;
  });
  add_text(app, "--gpu-name", ops_.gpu_name, "NAME", "Name of the GPU that was measured");
  add_text(app, "--base", ops_.base, "PROFILE", "Profile that keeps every other figure (default: the one called --gpu-name)");
  add_text(app, "--like", ops_.like, "PROFILE", "Without a GEMM table: the GPU whose efficiencies are taken over, as modelled");
  add_files(app, "--gemm", ops_.gemm, "GEMM table (aiconfigurator, vidur mlp.csv; .gz too); may be given again");
  add_files(app, "--nccl", ops_.nccl, "NCCL table (aiconfigurator); may be given again");
  add_files(app, "--allreduce", ops_.allreduce, "All-reduce or send table (nccl-tests CSV as GPUS=FILE, vidur); may be given again");
  add_text(app, "--out", ops_.out, "FILE", "Writes the profile there instead of printing it");
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_serving() {
  CLI::App* app = add("serving", "Host time, class watts and mixtures of experts, from serving runs", kServingExamples, [this] {
    serving_.json = common_.json;
    return serving_;
  });
  add_files(app, "--runs", serving_.runs, "Table of serving runs (CSV); may be given again");
  add_text(app, "--gpu", serving_.gpu, "PROFILE", "GPU whose figures are fitted; its profile keeps every other one");
  add_text(app, "--out", serving_.out, "FILE", "Writes the profile there instead of printing it");
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_stages() {
  CLI::App* app = add("stages", "Time and watts against the clock, from a pipeline's stage profile", kStagesExamples, [this] {
    stages_.json = common_.json;
    return stages_;
  });
  app->add_option("FILE", stages_.file, "The stage profile (CSV of Perseus and Zeus)")->required()->option_text(" ");
  add_text(app, "--every", stages_.every, "N", "Fits on each N-th clock from the top (default: 4)");
  add_text(app, "--csv", stages_.csv, "FILE", "Writes every point there: measured, fitted, used or held out");
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_fit() {
  CLI::App* app = add("fit", "Idle watts, power and time against clock, cap and batch, from a log of power", kFitExamples, [this] {
    fit_.json = common_.json;
    return fit_;
  });
  app->add_option("LOG", fit_.log, "The log of power: nvidia-smi, `joulecast record` and others")->required()->option_text(" ");
  add_text(app, "--base", fit_.base, "PROFILE", "Profile that keeps every figure that the log does not give");
  add_text(app, "--name", fit_.name, "NAME", "Name of the new profile");
  add_text(app, "--out", fit_.out, "DIR", "The folder that is made");
  add_text(app, "--timezone", fit_.timezone, "ZONE", "Zone of times without an offset: IANA name, UTC or +01:00");
  add_text(app, "--format", fit_.format, "FORMAT", "The log's format (default: found by its first lines)");
  add_text(app, "--power", fit_.power, "KIND", "Power column: instant, average, draw or meter (default: the best there is)");
  app->add_option("--sensor", fit_.sensor, "What is known of the sensor: period, window, lag (s), gain, offset (W); may be given again")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->take_all();
  app->add_option("--replica", fit_.replicas, "The one engine of the load log that is fitted and the GPUs it ran on, by index: r0=0-3")
      ->option_text("NAME=GPUS")
      ->allow_extra_args(false)
      ->take_all();
  add_text(app, "--load", fit_.load, "FILE", "The engine's log: vLLM's metrics or log lines, a table with vLLM's names");
  add_text(app, "--load-offset", fit_.load_offset, "SECONDS", "Added to the load's times (default: found by correlation)");
  add_text(app, "--load-period", fit_.load_period, "SECONDS", "The load repeats so often: warns where the sensor keeps step with it");
  add_text(app, "--host-step", fit_.host_step, "SECONDS", "Host time in each step, taken off before the clock is fitted");
  add_text(app, "--model", fit_.model, "NAME", "Model that ran: its batches are written as measured steps, for a pool of it");
  add_text(app, "--engine", fit_.engine, "NAME", "With --model: the engine that ran it, \"vLLM 0.11.0\", for the record");
  add_text(app, "--prompt-tokens", fit_.prompt_tokens, "N", "With --model: mean prompt of a request");
  add_text(app, "--output-tokens", fit_.output_tokens, "N", "With --model: mean output of a request");
  add_text(app, "--meter", fit_.meter, "FILE", "Watts of the same GPU by another meter: CSV with time_unix_s and watts; gives gain and offset");
  add_text(app, "--chassis", fit_.chassis, "FILE", "AC watts of the node: ipmitool, Redfish, MLPerf's meter, or CSV with time_unix_s and watts");
  add_text(app, "--node", fit_.node, "PROFILE", "Node profile that --chassis extends");
  detail::add_common(app, common_);
}

void CalibrateSyntax::add_tokens() {
  CLI::App* app = add("tokens", "What a request costs by its tokens, from a token sweep", kTokensExamples, [this] {
    tokens_.json = common_.json;
    if (!folds_.empty()) tokens_.folds = detail::whole_number<std::size_t>("--folds", folds_, 2, 1000);
    return tokens_;
  });
  app->add_option("TABLE", tokens_.table, "The sweep: tokens_in, tokens_out, joules and, where known, seconds, model, system")
      ->required()
      ->option_text(" ");
  add_text(app, "--form", tokens_.form, "FORM", "The one that is written: published, intercept, output-squared or relative (the default)");
  add_text(app, "--model", tokens_.model, "NAME", "The rows of one model");
  add_text(app, "--system", tokens_.system, "NAME", "The rows of one system");
  app->add_option("--as", tokens_.names, "The architecture that the model is; may be given again")
      ->option_text("ID")
      ->allow_extra_args(false)
      ->take_all();
  add_text(app, "--hardware", tokens_.hardware, "TEXT", "On what was measured (default: the table's system)");
  add_text(app, "--folds", folds_, "N", "Folds of the held-out error (default: 10)");
  add_text(app, "--out", tokens_.out, "FILE", "Writes the beliefs there instead of printing them");
  detail::add_common(app, common_);
}

bool CalibrateSyntax::parsed_alone() const { return calibrate_->parsed() && calibrate_->get_subcommands().empty(); }

void CalibrateSyntax::refuse() const {
  std::vector<std::string> known;
  for (const auto& [app, arguments] : commands_) known.push_back(app->get_name());
  const std::string all = fmt::format("there are: {}", fmt::join(known, ", "));
  const std::vector<std::string> words = calibrate_->remaining();
  if (words.empty()) usage_error("`joulecast calibrate` does not say what to calibrate", all);
  const std::string& what = words.front();
  if (std::find(std::begin(kLater), std::end(kLater), what) != std::end(kLater)) {
    usage_error(fmt::format("`joulecast calibrate {}` is not yet supported", what), all);
  }
  const std::string nearest = config::nearest(what, known);
  usage_error(fmt::format("nothing to calibrate is called \"{}\"", what), nearest.empty() ? all : fmt::format("did you mean {}? {}", nearest, all));
}

std::optional<CalibrateArguments> CalibrateSyntax::chosen() const {
  for (const auto& [app, arguments] : commands_) {
    if (app->parsed()) return arguments();
  }
  return std::nullopt;
}

}  // namespace joulecast::cli
