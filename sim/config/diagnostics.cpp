#include "config/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace joulecast::config {

void Diagnostics::error(Place place, std::string what, std::string remedy) {
  faults_.push_back({std::move(place), std::move(what), std::move(remedy)});
}

void Diagnostics::throw_if_failed() const {
  if (faults_.empty()) return;
  std::vector<UserFault> sorted = faults_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const UserFault& a, const UserFault& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) < std::tie(b.place.file, b.place.line, b.place.column);
  });
  throw UserError(std::move(sorted));
}

}  // namespace joulecast::config
