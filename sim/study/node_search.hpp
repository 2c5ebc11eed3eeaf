#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "study/load_search.hpp"

namespace joulecast::study {

struct TriedNodes {
  int nodes = 0;
  Judgement judgement;
};

struct FoundNodes {
  std::optional<int> nodes;       ///< the fewest that hold; absent where not even `most` do
  bool monotone = true;           ///< no smaller fleet held than one that did not
  std::vector<TriedNodes> tried;  ///< each number once, in the order in which they were
};

/// The fewest nodes, `least` .. `most`, that hold, each judged by `judge`, a simulation. From `guess` in steps of 1, 2, 4, .. up while none holds, or down while
/// all do; then the bracket is halved. That finds where holding begins if it is monotone in the nodes; as a simulation may not be, the fleet one smaller than the
/// found one has always been tried and failed (unless the found one is `least`), and so has the one two smaller: where that holds, `monotone` is false and the
/// larger one stays the answer.
FoundNodes search_nodes(const std::function<Judgement(int)>& judge, int least, int guess, int most);

}  // namespace joulecast::study
