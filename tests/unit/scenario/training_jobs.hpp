#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "unit/scenario/text_file.hpp"

namespace joulecast::scenario {

/// A file that is gone with its test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / (std::to_string(getpid()) + name)) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Two equal stages at two clocks: 0.1 s and 30 J forward, 0.2 s and 60 J backward at 1400 MHz; longer and cheaper at 1000 MHz.
inline const std::string kProfile = R"(stage,instruction,frequency,time,energy
0,forward,1400,0.1,30
0,forward,1000,0.125,26
0,backward,1400,0.2,60
0,backward,1000,0.25,52
1,forward,1400,0.1,30
1,forward,1000,0.125,26
1,backward,1400,0.2,60
1,backward,1000,0.25,52
)";

/// Two replicas of a pipeline of two stages of two GPUs each, from the profile above; waiting GPUs draw 80 W.
inline std::string profiled_job(const std::string& profile) {
  return R"(schema = 1
[site.here]
pue = 1.25
[cluster.one]
node = "dgx-a100"
nodes = 1
[training.job]
cluster = "one"
gpus = 8
tensor_parallel_size = 2
pipeline_parallel_size = 2
global_batch_size = 8
seq_length = 1000
train_iters = 10
stage_profile = { file = ")" +
         profile + R"(", blocking = "80 W" }
)";
}

/// GPT-3 175B on 8 DGX A100.
inline const std::string kGpt3 = R"(schema = 1
[site.here]
pue = 1.25
[cluster.a100]
node = "dgx-a100"
nodes = 8
[training.gpt3]
cluster = "a100"
gpus = 64
model = "GPT-3-175B"
tensor_parallel_size = 8
pipeline_parallel_size = 8
global_batch_size = 16
seq_length = 2048
train_iters = 2
recompute = "selective"
sequence_parallel = true
flash_attention = false
)";

}  // namespace joulecast::scenario
