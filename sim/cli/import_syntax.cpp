#include "cli/import_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast import hf config.json --name org/model > model.toml
  joulecast import vllm 'vllm serve meta-llama/Llama-3.1-70B -tp 4 --max-num-seqs 256' --node dgx-h100
  joulecast import vllm-run vllm-runs/RTX4090/Llama-3.1-8B > recorded.toml

Prints tables for a scenario, a scenario that replays a recorded run, or a model's file that a [model] table's `architecture` can name by its
path. What could not be taken over is named on standard error.)";

}  // namespace

ImportSyntax::ImportSyntax(CLI::App& app, detail::Common& common)
    : common_(common),
      import_(detail::add_command(app, "import", "A model's file from a config.json; tables or a scenario from a vLLM server or run", kExamples)) {
  import_->add_option("WHAT", arguments_.kind, "hf, vllm or vllm-run")->required()->option_text(" ");
  import_->add_option("INPUT", arguments_.input, "hf: a config.json or its folder; vllm: the command line, quoted; vllm-run: its folder")
      ->required()
      ->option_text(" ");
  detail::add_text(import_, "--name", arguments_.name, "NAME", "Name of the model, or of the tables (default: what the input says)");
  detail::add_text(import_, "--source", arguments_.source, "TEXT", "hf: where the config is from");
  detail::add_text(import_, "--node", arguments_.node, "NODE", "vllm, vllm-run: the node of the pool");
  detail::add_text(import_, "--gpu-name", arguments_.gpu_name, "NAME", "vllm-run: GPU that it ran on (default: what meta.json says)");
  detail::add_common(import_, common);
}

std::optional<ImportArguments> ImportSyntax::chosen() const {
  if (!import_->parsed()) return std::nullopt;
  ImportArguments arguments = arguments_;
  arguments.json = common_.json;
  return arguments;
}

}  // namespace joulecast::cli
