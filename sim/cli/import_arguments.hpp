#pragma once

#include <string>

namespace joulecast::cli {

/// `joulecast import WHAT INPUT`.
struct ImportArguments {
  std::string kind;          ///< "hf", "vllm" or "vllm-run"
  std::string input;         ///< a config.json, a command line, or the folder of a recorded run
  std::string name, source;  ///< of the model, or of the tables; "" takes what the input says
  std::string node;          ///< of the pool
  std::string gpu_name;      ///< of a recorded run that does not say
  bool json = false;
};

}  // namespace joulecast::cli
