#pragma once

#include <string>
#include <vector>

namespace joulecast::cli {

struct RecordArguments {
  std::string gpus;  ///< "" for all, else "0-3,GPU-4f"
  std::string period = "50 ms";
  std::string duration;  ///< "" until Ctrl-C
  std::string out;       ///< "" makes the file's name from the time
  std::vector<std::string> marks;
  std::string fifo, library;
  std::string plan, base;  ///< prints a measuring plan for a GPU instead
  bool print_nvidia_smi = false;
  bool without_hdf5 = false;
  bool json = false;
};

}  // namespace joulecast::cli
