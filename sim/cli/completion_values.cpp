#include <algorithm>
#include <map>
#include <string>

#include "calibration/record/measuring_plan.hpp"
#include "cli/completion.hpp"
#include "cli/policy_template.hpp"
#include "cli/share.hpp"
#include "config/node.hpp"
#include "hardware/fabric/fabric_profile.hpp"
#include "hardware/profiles.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::cli {
namespace {

std::vector<Candidate> plain(const std::vector<std::string>& words) {
  std::vector<Candidate> all;
  for (const std::string& word : words) all.push_back({word, ""});
  return all;
}

std::vector<Candidate> kinds() {
  std::vector<Candidate> all;
  for (const PolicyKind& kind : policy_kinds()) all.push_back({std::string(kind.kind), "for " + std::string(kind.key)});
  return all;
}

std::vector<Candidate> all_profiles() {
  std::vector<Candidate> all;
  for (const char* kind : {"gpu", "node", "model", "fabric"}) {
    for (Candidate& each : profile_candidates(kind)) all.push_back(std::move(each));
  }
  return all;
}

/// Names of the tables of one kind in a scenario's file.
std::vector<Candidate> names_in(const std::string& scenario, const char* kind) {
  std::vector<Candidate> all;
  if (scenario.empty()) return all;
  const config::Node root = config::load(scenario);
  const config::Node* tables = root.as<config::Table>() != nullptr ? root.as<config::Table>()->find(kind) : nullptr;
  if (tables == nullptr || tables->as<config::Table>() == nullptr) return all;
  for (const auto& entry : tables->as<config::Table>()->entries) all.push_back({entry.key, ""});
  return all;
}

using Source = std::vector<Candidate> (*)();

/// Options whose values the program knows.
const std::map<std::string, Source>& known_options() {
  static const std::map<std::string, Source> known = {
      {"--as", [] { return profile_candidates("model"); }},
      {"--base", [] { return profile_candidates("gpu"); }},
      {"--color",
       [] {
         return plain({"auto", "always", "never"});
       }},
      {"--form",
       [] {
         return plain({"published", "intercept", "output-squared", "relative"});
       }},
      {"--format", [] { return plain(traces::power_log_formats()); }},
      {"--gpu", [] { return profile_candidates("gpu"); }},
      {"--gpu-name", [] { return profile_candidates("gpu"); }},
      {"--kind", kinds},
      {"--like", [] { return profile_candidates("gpu"); }},
      {"--model", [] { return profile_candidates("model"); }},
      {"--node", [] { return profile_candidates("node"); }},
      {"--plan", [] { return plain(calibration::measuring_plan_names()); }},
      {"--power",
       [] {
         return plain({"instant", "average", "draw", "meter"});
       }},
      {"--table",
       [] {
         return plain({"markdown", "latex"});
       }},
  };
  return known;
}

/// Arguments likewise, by command and name.
const std::map<std::string, Source>& known_arguments() {
  static const std::map<std::string, Source> known = {
      {"docs WHAT",
       [] {
         return plain({"man", "scenario", "bash", "zsh", "fish"});
       }},
      {"import WHAT",
       [] {
         return plain({"hf", "vllm", "vllm-run"});
       }},
      {"new WHAT", [] { return plain({"policy"}); }},
      {"profiles NAME", all_profiles},
  };
  return known;
}

}  // namespace

std::vector<Candidate> profile_candidates(const std::string& kind) {
  const std::string share = share_folder();
  const std::string folder = kind == "gpu"     ? hardware::gpu_folder(share)
                             : kind == "node"  ? hardware::node_folder(share)
                             : kind == "model" ? hardware::model_folder(share)
                                               : hardware::fabric_folder(share);
  std::vector<Candidate> all;
  for (const auto& entry : hardware::list_profiles(folder)) all.push_back({entry.name, kind});
  return all;
}

Completions complete_value(const CommandPage& command, const OptionPage& option, const std::string& begun, const std::string& scenario) {
  if (option.names.empty()) {
    if (command.name == "schema") return {"words", complete_schema_key(begun)};
    if (const auto known = known_arguments().find(command.name + " " + option.value); known != known_arguments().end()) {
      return {"words", known->second()};
    }
  } else {
    const std::string& name = option.names.back();
    if (name == "--set") return {"words", complete_assignment(begun, scenario)};
    if (name == "--job") return {"words", names_in(scenario, "training")};
    if (const auto known = known_options().find(name); known != known_options().end() && option.value != "FILE" && option.value != "DIR") {
      return {"words", known->second()};
    }
  }
  if (option.value == "SCENARIO") return {"toml", {}};
  if (option.value == "DIR" || option.value == "DIRS") return {"folders", {}};
  for (const char* file : {"FILE", "PATH", "LOG", "TABLE", "INPUT"}) {
    if (option.value == file) return {"files", {}};
  }
  return {};
}

}  // namespace joulecast::cli
