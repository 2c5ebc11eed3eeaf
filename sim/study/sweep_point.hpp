#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenario/load_sweep.hpp"
#include "study/figures.hpp"
#include "study/slo_load.hpp"

namespace joulecast::study {

/// What a point of a sweep gave.
struct PointOutcome {
  std::vector<FigureValue> figures;     ///< those of `figures_of`, energy and power at all four boundaries; empty where it failed
  std::vector<Attainment> attainments;  ///< of every traffic with an SLO
  std::string failure;                  ///< the fault that was found on the way; "" where there was none

  /// Whether every stated SLO holds; absent where none is stated or the point failed.
  std::optional<bool> slo_held() const;
};

/// Runs a point on one thread. A UserError is its failure; nullopt where it was stopped.
std::optional<PointOutcome> run_point(const scenario::SweepFile& file, std::size_t point, const std::atomic<bool>* stop);

/// A point as it would run, before it did.
struct ListedPoint {
  std::vector<std::size_t> at;        ///< which value each dimension has
  std::vector<std::string> settings;  ///< what `--set` would say to get there
  std::string hash;                   ///< scenario::run_hash: what is kept of it is kept under this name; "" where it can't run
  std::string failure;                ///< why it can't run; "" where it can
};

/// All points of a sweep, with what names it as a whole.
struct ListedSweep {
  std::vector<ListedPoint> points;
  std::vector<std::string> traffics, jobs;  ///< of any point, in the order in which they first come
  std::vector<std::string> required_slo;    ///< traffics whose SLO is required at some point
  std::vector<scenario::Input> inputs;
  std::string hash;  ///< of the dimensions, the settings and all points: 16 hexadecimal digits
};

/// Looks up and checks every point, on `threads` threads. Throws UserError where none can run, with the faults of all, each once; where an objective is no
/// figure of the scenario too.
ListedSweep list_points(const scenario::SweepFile& file, int threads);

}  // namespace joulecast::study
