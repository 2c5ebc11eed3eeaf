#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "study/sweep_axis.hpp"
#include "study/sweep_point.hpp"

namespace joulecast::study {

struct SweptPoint {
  ListedPoint listed;
  std::vector<double> values;           ///< by figure of the sweep; NaN where it is not known
  std::vector<Attainment> attainments;  ///< of every traffic with an SLO
  std::optional<bool> slo_held;         ///< absent where none is stated or the point failed
  bool on_front = false;                ///< of the points that hold every stated SLO
  std::string failure;                  ///< why it has no figures; "" where it has
};

/// A finished sweep: what the files and tables are made from. The same for any number of threads, ranks and shards.
struct Sweep {
  std::string name, hash;
  std::uint64_t seed = 0;
  metering::Boundary boundary = metering::Boundary::facility;
  std::vector<Axis> axes;                             ///< the dimensions; points are in row-major order of them
  std::vector<Figure> figures;                        ///< that any point has
  std::vector<std::string> objectives;                ///< keys of figures
  std::vector<std::optional<std::size_t>> best;       ///< by objective: the first of the best points that hold every SLO
  std::vector<std::string> traffics, jobs, required;  ///< by name; traffics whose SLO is required
  std::vector<SweptPoint> points;
  std::vector<scenario::Input> inputs;

  std::size_t failed() const;
  bool states_slo() const;
  /// How many points hold every stated SLO, of those that ran.
  std::size_t holding() const;
};

/// Puts together what the points gave, one outcome a point. Throws UserError where every point failed.
Sweep gather_sweep(const scenario::SweepFile& file, const ListedSweep& listed, const std::vector<PointOutcome>& outcomes);

/// Called with a point and what it gave; from any thread, one call at a time. A call that throws ends the sweep with that.
using PointDone = std::function<void(std::size_t point, const PointOutcome& outcome)>;

/// Runs points, several at once and each on one thread. Those that are stopped give nothing.
void run_points(const scenario::SweepFile& file, const std::vector<std::size_t>& points, int threads, const std::atomic<bool>* stop,
                const PointDone& done);

}  // namespace joulecast::study
