#include "cli/import_vllm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "cli/import_vllm_flags.hpp"
#include "cli/import_words.hpp"
#include "config/diagnostics.hpp"
#include "config/node.hpp"

namespace joulecast::cli {

namespace {

using Words = std::vector<std::string>;

constexpr const char* kServer = "vllm.entrypoints.openai.api_server";

/// What stands on the line: expressed options by name ("true" and "false" for those without a value), and the others.
struct Options {
  std::string model;
  std::map<std::string, std::string, std::less<>> expressed;
  Words lost, of_no_bearing, variables;
};

bool is_assignment(const std::string& word) {
  const auto equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  const auto name_character = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), name_character) && (word[0] < '0' || word[0] > '9');
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1); }

/// Where the options of a command begin, if it starts the server; `variables` gets the assignments before it.
std::optional<std::size_t> server_options(const Words& words, Words& variables) {
  std::size_t at = 0;
  const auto wraps = [](const std::string& word) { return word == "env" || word == "exec" || word == "nohup" || word == "sudo" || word == "time"; };
  Words found;
  for (; at < words.size() && (is_assignment(words[at]) || wraps(words[at])); ++at) {
    if (is_assignment(words[at])) found.push_back(words[at]);
  }
  if (at + 1 >= words.size()) return std::nullopt;
  const bool serve = base_name(words[at]) == "vllm" && words[at + 1] == "serve";
  const bool module = at + 2 < words.size() && base_name(words[at]).starts_with("python") && words[at + 1] == "-m" && words[at + 2] == kServer;
  if (!serve && !module) return std::nullopt;
  variables = std::move(found);
  return at + (serve ? 2 : 3);
}

/// Takes the words of the command apart.
class Parser {
 public:
  Parser(const Words& words, std::size_t at, config::Diagnostics& diagnostics) : words_(words), at_(at), diagnostics_(diagnostics) {}

  Options parse() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word.size() > 1 && word[0] == '-') {
        option(word);
      } else if (options_.model.empty()) {
        options_.model = word;
      } else {
        diagnostics_.error({}, fmt::format("\"{}\" belongs to no option", word), "quote values that have spaces");
      }
    }
    return std::move(options_);
  }

 private:
  void option(const std::string& word) {
    const auto equals = word.find('=');
    std::string name = word.substr(0, equals);
    std::optional<std::string> value;
    if (equals != std::string::npos) value = word.substr(equals + 1);
    if (name.size() > 2 && name.starts_with("-O")) {
      value = name.substr(2);
      name = "-O";
    }
    bool negated = false;
    const VllmFlag* flag = find_vllm_flag(name, negated);
    if (flag == nullptr) {
      const std::string meant = config::nearest(name, vllm_flag_names());
      diagnostics_.error({}, fmt::format("vllm serve has no option \"{}\"", name),
                         meant.empty() ? "see `vllm serve --help`" : fmt::format("did you mean {}?", meant));
      while (at_ < words_.size() && words_[at_][0] != '-') ++at_;
      return;
    }
    if (flag->takes == VllmFlag::Takes::nothing) return keep(*flag, name, on_or_off(name, negated, value));
    if (!value && at_ < words_.size()) value = words_[at_++];
    if (!value) {
      diagnostics_.error({}, fmt::format("{} has no value", name), fmt::format("write {} VALUE", name));
      return;
    }
    if (flag->takes == VllmFlag::Takes::words) {
      while (at_ < words_.size() && (words_[at_].empty() || words_[at_][0] != '-')) ++at_;
    }
    keep(*flag, name, *value);
  }

  /// "true" or "false"; a value after = or a further word that is one of these counts.
  std::string on_or_off(const std::string& name, bool negated, std::optional<std::string> value) {
    const auto lower = [](std::string text) {
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return text;
    };
    const auto is_one = [&](const std::string& text) { return lower(text) == "true" || lower(text) == "false"; };
    if (!value && at_ < words_.size() && is_one(words_[at_])) value = words_[at_++];
    if (!value) return negated ? "false" : "true";
    if (!is_one(*value)) diagnostics_.error({}, fmt::format("{} is \"{}\"", name, *value), "it takes no value, or true or false");
    return (lower(*value) == "true") != negated ? "true" : "false";
  }

  void keep(const VllmFlag& flag, const std::string& as_written, const std::string& value) {
    if (flag.name == "model") {
      options_.model = value;
    } else if (flag.effect == VllmFlag::Effect::expressed) {
      options_.expressed.insert_or_assign(std::string(flag.name), value);
    } else if (flag.effect == VllmFlag::Effect::none) {
      options_.of_no_bearing.push_back(as_written);
    } else if (!harmless_value(flag, value)) {
      options_.lost.push_back(flag.takes == VllmFlag::Takes::nothing ? as_written : as_written + " " + value);
    }
  }

  /// Values that say what is simulated anyway.
  static bool harmless_value(const VllmFlag& flag, const std::string& value) {
    if (flag.takes == VllmFlag::Takes::nothing) return value == "false";
    if (flag.name == "dtype" || flag.name == "kv-cache-dtype") return value == "auto";
    return flag.name.ends_with("parallel-size") && value == "1";
  }

  const Words& words_;
  std::size_t at_;
  config::Diagnostics& diagnostics_;
  Options options_;
};

/// A whole number as vLLM reads it: 8192, and where `human` also 32k (32000), 32K (32768), 25.6k, 1m, 1M.
std::optional<std::int64_t> whole(const std::string& text, bool human) {
  std::int64_t digits = 0;
  const char* end = text.data() + text.size();
  const auto [stop, fault] = std::from_chars(text.data(), end, digits);
  if (fault == std::errc{} && stop == end) return digits;
  if (!human || text.empty()) return std::nullopt;
  const std::pair<char, double> units[] = {{'k', 1e3}, {'K', 1024.0}, {'m', 1e6}, {'M', 1048576.0}, {'g', 1e9}, {'G', 1073741824.0}};
  for (const auto& [unit, factor] : units) {
    double value = 0;
    const auto real = std::from_chars(text.data(), end - 1, value);
    if (text.back() != unit || real.ec != std::errc{} || real.ptr != end - 1) continue;
    const double tokens = value * factor;
    if (tokens >= 0 && tokens < 1e12 && tokens == std::floor(tokens)) return static_cast<std::int64_t>(tokens);
  }
  return std::nullopt;
}

std::string table_name(const std::string& wanted) {
  std::string name;
  for (const char c : wanted) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    name += kept ? c : '-';
  }
  return name.empty() ? "served" : name;
}

/// The lines of the tables.
class Tables {
 public:
  Tables(const Options& options, config::Diagnostics& diagnostics) : options_(options), diagnostics_(diagnostics) {}

  std::string engine() {
    std::string text = "vllm_version = \"0.19\"\n";
    for (const char* option : {"max-num-seqs", "max-num-batched-tokens", "max-model-len", "block-size", "num-gpu-blocks-override"}) {
      const auto* value = find(option);
      const bool length = std::string_view(option) == "max-model-len";
      if (value == nullptr || (length && (*value == "auto" || *value == "-1"))) continue;
      if (const auto number = count(option, *value, length)) text += fmt::format("{} = {}\n", key(option), *number);
    }
    if (const auto* value = find("gpu-memory-utilization")) {
      double share = 0;
      const auto [stop, fault] = std::from_chars(value->data(), value->data() + value->size(), share);
      if (fault != std::errc{} || stop != value->data() + value->size() || !(share > 0) || share > 1) {
        diagnostics_.error({}, fmt::format("--gpu-memory-utilization is \"{}\"", *value), "it is a number above 0, at most 1");
      } else {
        text += fmt::format("gpu_memory_utilization = {}\n", share == 1 ? "1.0" : fmt::format("{}", share));
      }
    }
    for (const char* option : {"enable-prefix-caching", "async-scheduling", "enable-chunked-prefill", "enable-expert-parallel"}) {
      if (const auto* value = find(option)) text += fmt::format("{} = {}\n", key(option), *value);
    }
    return text;
  }

  std::int64_t number(const char* option) {
    const auto* value = find(option);
    return value == nullptr ? 1 : count(option, *value, false).value_or(1);
  }
  const std::string* find(const char* option) const {
    const auto found = options_.expressed.find(option);
    return found == options_.expressed.end() ? nullptr : &found->second;
  }

 private:
  static std::string key(std::string option) {
    std::replace(option.begin(), option.end(), '-', '_');
    return option;
  }
  std::optional<std::int64_t> count(const char* option, const std::string& value, bool human) {
    const auto number = whole(value, human);
    if (number && *number >= 1) return number;
    diagnostics_.error({}, fmt::format("--{} is \"{}\"", option, value), "it is a whole number from 1");
    return std::nullopt;
  }

  const Options& options_;
  config::Diagnostics& diagnostics_;
};

std::vector<std::string> notes_of(const Options& options, std::int64_t data_parallel) {
  std::vector<std::string> notes;
  for (const auto& each : options.lost) notes.push_back("not simulated: " + each);
  for (const auto& each : options.variables) {
    if (each.starts_with("VLLM_")) notes.push_back("not simulated: " + each);
  }
  if (!options.of_no_bearing.empty()) notes.push_back(fmt::format("of no bearing here: {}", fmt::join(options.of_no_bearing, ", ")));
  if (data_parallel > 1)
    notes.push_back(fmt::format("--data-parallel-size {} became so many replicas, each with all experts of its own", data_parallel));
  return notes;
}

}  // namespace

ImportedTables import_vllm(std::string_view line, const std::string& name, const std::string& node) {
  Words variables;
  const auto commands = shell_commands(line);
  const Words* command = nullptr;
  std::size_t begin = 0;
  for (const Words& words : commands) {
    if (const auto at = server_options(words, variables)) {
      command = &words;
      begin = *at;
      break;
    }
  }
  if (command == nullptr) {
    throw UserError({}, "there is no `vllm serve` in this line",
                    fmt::format("quote it whole: 'vllm serve MODEL ..', or 'python -m {} --model MODEL ..'", kServer));
  }

  config::Diagnostics diagnostics;
  Options options = Parser(*command, begin, diagnostics).parse();
  options.variables = std::move(variables);
  if (options.model.empty()) diagnostics.error({}, "the line names no model", "write it after serve");
  Tables tables(options, diagnostics);
  const auto* served = tables.find("served-model-name");
  const std::string table = table_name(!name.empty() ? name : served != nullptr ? *served : base_name(options.model));
  const std::string engine = tables.engine();
  const std::int64_t tensor = tables.number("tensor-parallel-size"), data = tables.number("data-parallel-size");
  diagnostics.throw_if_failed();

  ImportedTables result;
  result.model = options.model;
  const std::string where = node.empty() ? "# node = \"dgx-h100\"  # vLLM does not say what it runs on: name a node of `joulecast profiles`\n"
                                         : fmt::format("node = {}\n", config::quoted(node));
  result.toml = fmt::format("[engine.{0}]\n{1}\n[pool.{0}]\n{2}model = {3}\nengine = {4}\ntensor_parallel_size = {5}\nreplicas = {6}\n",
                            config::key_text(table), engine, where, config::quoted(options.model), config::quoted(table), tensor, data);
  result.notes = notes_of(options, data);
  if (node.empty()) result.notes.push_back("the pool has no node yet: give --node, or write it into the table");
  return result;
}

}  // namespace joulecast::cli
