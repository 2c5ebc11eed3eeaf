#pragma once

#include <string>
#include <variant>
#include <vector>

#include "cli/log_arguments.hpp"

namespace joulecast::cli {

/// `calibrate ops`: GEMM and collectives from operation tables.
struct CalibrateOpsArguments {
  std::vector<std::string> gemm, nccl, allreduce;  ///< tables
  std::string gpu_name, base, like;
  std::string out;  ///< the profile's file; "" prints it
  bool json = false;
};

/// `calibrate stages`: time and watts against the SM clock, from the profile of a pipeline's stages.
struct CalibrateStagesArguments {
  std::string file;
  std::string every;  ///< each so many-th clock from the top is fitted on; "" is 4
  std::string csv;    ///< the points' file; "" for none
  bool json = false;
};

/// `calibrate inspect`: what a log of power, load or a chassis holds, and what can be learnt from it.
struct CalibrateInspectArguments {
  LogArguments log;
  bool json = false;
};

/// What `calibrate` is asked: one a subcommand of it, with its options in calibrate_syntax.cpp and its work in calibrate_NAME.cpp.
using CalibrateArguments = std::variant<CalibrateInspectArguments, CalibrateOpsArguments, CalibrateStagesArguments>;

}  // namespace joulecast::cli
