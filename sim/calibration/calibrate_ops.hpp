#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/fit_collective.hpp"
#include "calibration/fit_gemm.hpp"
#include "hardware/gpu.hpp"

namespace joulecast::calibration {

/// What `calibrate ops` is asked: the tables of one GPU, and the profile that keeps every other figure.
struct OpsRequest {
  std::string name;                          ///< of the GPU that was measured
  hardware::GpuProfile base;                 ///< extended; its peak and bandwidth are the GEMM form's
  std::vector<std::string> gemm;             ///< GEMM tables
  std::vector<std::string> collectives;      ///< tables of collectives, "8=FILE" where the file does not say the number of GPUs
  std::optional<hardware::GpuProfile> like;  ///< without a GEMM table: the GPU whose efficiencies are taken over
};

struct OpsResult {
  std::optional<GemmFit> gemm;
  std::vector<CollectiveFit> collectives;
  std::vector<TableSource> gemm_sources;
  std::vector<std::vector<TableSource>> collective_sources;  ///< of each collective
  std::string profile;                                       ///< the partial GPU profile as TOML, which extends the base
  std::vector<std::string> notes;                            ///< what a person should know: scaled figures, collectives without a table
};

/// Reads the tables, fits them and writes the profile. Of a collective and number of GPUs that several tables have, all rows are fitted together.
OpsResult calibrate_ops(const OpsRequest& request);

}  // namespace joulecast::calibration
