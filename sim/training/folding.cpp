#include "training/folding.hpp"

#include <algorithm>

namespace joulecast::training {

bool ReplicaClass::sound() const {
  return std::all_of(slowdown.begin(), slowdown.end(), [](double each) { return each == 1; });
}

std::vector<ReplicaClass> fold(const std::vector<std::vector<double>>& slowdown, bool unfold) {
  std::vector<ReplicaClass> classes;
  for (std::size_t r = 0; r < slowdown.size(); ++r) {
    const auto replica = static_cast<std::int32_t>(r);
    const auto same = std::find_if(classes.begin(), classes.end(), [&](const ReplicaClass& each) { return each.slowdown == slowdown[r]; });
    if (unfold || same == classes.end()) {
      classes.push_back({replica, {replica}, slowdown[r], 0});
    } else {
      same->replicas.push_back(replica);
    }
  }
  return classes;
}

}  // namespace joulecast::training
