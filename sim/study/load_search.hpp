#pragma once

#include <functional>
#include <optional>
#include <vector>

namespace joulecast::study {

/// What a load came to.
struct Judgement {
  bool held = false;
  double margin = 0;  ///< by how much: the least, over the traffics, of attainment less what is required
};

struct TriedLoad {
  double load = 0;
  Judgement judgement;
};

/// Loads are factors on what the scenario says.
struct LoadBounds {
  double least = 1.0 / 1024, most = 1024;
  double precision = 0.01;  ///< relative
};

struct FoundLoad {
  std::optional<double> load;    ///< the greatest tried up to which every tried one held; absent where not even the least did
  bool bounded = false;          ///< a greater one was tried and did not hold
  bool monotone = true;          ///< no load held above one that did not
  double rise = 0;               ///< the most by which the margin was greater at a greater load
  std::vector<TriedLoad> tried;  ///< in the order in which they were
};

/// The load that just holds, each judged by `judge`, a simulation.
///
/// From 1 the load is doubled while it holds, or halved while it does not; then the bracket is halved, geometrically, until its ends are no further apart than
/// `precision`. That finds the one place where holding ends if holding is monotone in the load. As this is not sure of a simulation, two more loads are tried:
/// one four steps of `precision` below the found one, which must hold (else the search goes on below it), and one four steps above what failed, which must
/// not (else `monotone` is false: the load stays the lower one). So every load that was tried up to the found one held.
FoundLoad search_load(const std::function<Judgement(double)>& judge, const LoadBounds& bounds = {});

}  // namespace joulecast::study
