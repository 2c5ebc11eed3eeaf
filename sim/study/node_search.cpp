#include "study/node_search.hpp"

#include <algorithm>

namespace joulecast::study {

FoundNodes search_nodes(const std::function<Judgement(int)>& judge, int least, int guess, int most) {
  FoundNodes found;
  if (least > most) return found;
  const auto holds = [&](int nodes) {
    for (const TriedNodes& each : found.tried) {
      if (each.nodes == nodes) return each.judgement.held;
    }
    found.tried.push_back({nodes, judge(nodes)});
    return found.tried.back().judgement.held;
  };
  int good = std::clamp(guess, least, most), bad = least - 1;
  for (int step = 1; !holds(good); step *= 2) {
    bad = good;
    if (good == most) return found;
    good = std::min(most, good + step);
  }
  for (int step = 1, next = good - 1; bad < least && next >= least; step *= 2, next = std::max(least, good - step)) {
    if (holds(next)) {
      good = next;
      if (next == least) break;
    } else {
      bad = next;
    }
  }
  while (good - bad > 1) {
    const int middle = bad + (good - bad) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  found.nodes = good;
  if (good - 2 >= least && holds(good - 2)) found.monotone = false;
  return found;
}

}  // namespace joulecast::study
