#pragma once

#include <cstddef>
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

/// `calibrate serving`: host time, class watts and mixture costs from serving runs.
struct CalibrateServingArguments {
  std::vector<std::string> runs;  ///< tables
  std::string gpu;
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

/// `calibrate compare`: a recorded run beside its simulation.
struct CalibrateCompareArguments {
  std::string folder;
  std::string gpu_name, node;       ///< "" takes what the run says
  std::string layers;               ///< a folder of layer times; "" takes the profile's
  std::string timezone, offset;     ///< of a power log: its zone, and seconds from its first sample to the run's beginning; "" finds them
  std::vector<std::string> sensor;  ///< what is known of the sensor, as `calibrate fit` takes it
  std::string csv;                  ///< the table's file; "" for none
  bool json = false;
};

/// `calibrate inspect`: what a log of power, load or a chassis holds, and what can be learnt from it.
struct CalibrateInspectArguments {
  LogArguments log;
  bool json = false;
};

/// `calibrate fit`: a GPU profile, and a node's, from a log of power.
struct CalibrateFitArguments {
  std::string log, timezone, format;
  std::string load, load_offset;      ///< the engine's own log, and the seconds added to its times; "" finds them
  std::string meter;                  ///< watts of the same GPU by another meter
  std::string chassis, node;          ///< AC watts of the node, and the profile that keeps what they do not tell
  std::string base, name, out;        ///< the GPU's profile that is extended, the new one's name, the folder
  std::string power;                  ///< the power column's kind: instant, average, draw, meter; "" takes the best there is
  std::vector<std::string> sensor;    ///< "window=1 s", "period=..", "gain=..", "offset=..", "lag=.."
  std::vector<std::string> replicas;  ///< "r0=0-3": the GPUs of a replica; others are left out
  std::string load_period, host_step;
  std::string model, engine;                 ///< of the runs: their batches are written as measured steps; "" leaves them in the report
  std::string prompt_tokens, output_tokens;  ///< mean of a request of them
  bool json = false;
};

/// `calibrate tokens`: energy beliefs of a token sweep.
struct CalibrateTokensArguments {
  std::string table;
  std::string model, system;       ///< which rows; "" takes all
  std::string form;                ///< "" takes "relative"
  std::size_t folds = 10;          ///< of the held-out error
  std::vector<std::string> names;  ///< the model's, as architectures have them
  std::string hardware;            ///< "" takes the table's system
  std::string out;                 ///< the beliefs' file; "" prints them
  bool json = false;
};

/// What `calibrate` is asked: one a subcommand of it, with its options in calibrate_syntax.cpp and its work in calibrate_NAME.cpp.
using CalibrateArguments = std::variant<CalibrateCompareArguments, CalibrateFitArguments, CalibrateInspectArguments, CalibrateOpsArguments,
                                        CalibrateServingArguments, CalibrateStagesArguments, CalibrateTokensArguments>;

}  // namespace joulecast::cli
