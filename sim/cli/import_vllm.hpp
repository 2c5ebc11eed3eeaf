#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace joulecast::cli {

/// Tables of a scenario, and what a person should know of them.
struct ImportedTables {
  std::string toml;   ///< [engine.NAME] and [pool.NAME]
  std::string model;  ///< as the command line names it
  std::vector<std::string> notes;
};

/// The engine and pool of a `vllm serve MODEL ..` command line, or of `python -m vllm.entrypoints.openai.api_server --model MODEL ..`; assignments of
/// environment variables before it, line continuations and other commands around it are passed over. `name` names the tables ("": the served model's
/// name, or the last part of MODEL); `node` is the pool's node ("": a comment stands in its place, since vLLM does not say what it runs on).
///
/// Throws UserError, all faults at once: an option that vLLM does not have (with the nearest), one without its value, a value of the wrong kind, no
/// model.
ImportedTables import_vllm(std::string_view line, const std::string& name, const std::string& node);

}  // namespace joulecast::cli
