#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace joulecast::config {

/// Collects every fault of an input, so that a person sees all of them at once.
class Diagnostics {
 public:
  void error(Place place, std::string what, std::string remedy);
  void note(std::string text) { notes_.push_back(std::move(text)); }

  bool failed() const { return !faults_.empty(); }
  std::size_t count() const { return faults_.size(); }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Throws UserError with all faults, in the order of file and line, if there is any.
  void throw_if_failed() const;

 private:
  std::vector<UserFault> faults_;
  std::vector<std::string> notes_;
};

}  // namespace joulecast::config
