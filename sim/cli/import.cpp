#include "llm/huggingface/import.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/import_vllm.hpp"
#include "cli/share.hpp"
#include "hardware/profiles.hpp"
#include "scenario/tables/engine.hpp"
#include "scenario/tables/pool.hpp"
#include "study/recorded_run.hpp"

namespace joulecast::cli {
namespace {

/// No config.json is near.
constexpr std::uintmax_t kLargest = 16u << 20;

std::string text_of(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return text_of((std::filesystem::path(path) / "config.json").string());
  const auto size = std::filesystem::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file) throw UserError({path, 0, 0}, "can't be read", "give the config.json of a model, or the folder that holds it");
  if (size > kLargest) throw UserError({path, 0, 0}, fmt::format("{} bytes are no config.json", size), "give the config.json of a model");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void tell(const std::vector<std::string>& notes, Console& console) {
  for (const auto& note : notes) console.message("note: " + note);
}

/// The text alone, or with what else is known as JSON.
void print(const ImportArguments& arguments, const std::string& toml, const std::vector<std::string>& notes, Console& console) {
  tell(notes, console);
  if (!arguments.json) {
    console.print(toml);
    return;
  }
  console.print(nlohmann::ordered_json{{"schema", 1}, {"kind", arguments.kind}, {"toml", toml}, {"notes", notes}}.dump(2) + "\n");
}

void import_model(const ImportArguments& arguments, Console& console) {
  const std::string source = arguments.source.empty() ? "Hugging Face config.json" : arguments.source;
  llm::Imported imported = llm::import_config(text_of(arguments.input), arguments.input, arguments.name, source);
  imported.notes.push_back("stated_parameters is the count of the shape: put in its place what the maker states, and loading will compare");
  print(arguments, llm::architecture_toml(imported.model), imported.notes, console);
}

/// Reads the tables as a scenario would, so that what is printed can be loaded.
void check_tables(const std::string& toml) {
  config::Diagnostics diagnostics;
  const config::Node root = config::parse_text(toml, "the imported tables");
  for (const auto& each : root.as<config::Table>()->entries) {
    for (const auto& named : each.value->as<config::Table>()->entries) {
      if (each.key == "engine") scenario::engine_record().read(*named.value, diagnostics);
      if (each.key == "pool") scenario::pool_record().read(*named.value, diagnostics);
    }
  }
  diagnostics.throw_if_failed();
}

void import_server(const ImportArguments& arguments, Console& console) {
  ImportedTables tables = import_vllm(arguments.input, arguments.name, arguments.node);
  check_tables(tables.toml);
  try {
    hardware::find_profile(hardware::model_folder(share_folder()), "model", tables.model, {});
  } catch (const UserError& error) {
    tables.notes.push_back(fmt::format("{}; `joulecast import hf` makes its file from a config.json", error.faults().front().what));
  }
  print(arguments, tables.toml, tables.notes, console);
}

void import_recorded_run(const ImportArguments& arguments, Console& console) {
  study::ReplaySettings settings;
  settings.share = share_folder();
  settings.gpu = arguments.gpu_name;
  settings.node = arguments.node;
  print(arguments, study::recorded_scenario(traces::read_recorded_run(arguments.input), settings), {}, console);
}

}  // namespace

int import_command(const ImportArguments& arguments, Console& console) {
  if (arguments.kind == "hf") {
    import_model(arguments, console);
  } else if (arguments.kind == "vllm-run") {
    import_recorded_run(arguments, console);
  } else if (arguments.kind == "vllm") {
    import_server(arguments, console);
  } else {
    throw UserError({}, fmt::format("nothing called \"{}\" can be imported", arguments.kind),
                    "`joulecast import hf config.json`, `joulecast import vllm 'vllm serve ..'` or `joulecast import vllm-run DIR`");
  }
  return kDone;
}

}  // namespace joulecast::cli
