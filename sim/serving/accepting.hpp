#pragma once

#include <cstddef>
#include <vector>

#include "serving/routing.hpp"

namespace joulecast::serving {

/// Of other views those whose replicas take requests; all of them where none does.
class Accepting final : public engine::Views<ReplicaView> {
 public:
  Accepting(const engine::Views<ReplicaView>& all, Time now) : all_(all) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all.at(i, now).accepting) positions_.push_back(i);
    }
    if (!positions_.empty()) return;
    for (std::size_t i = 0; i < all.size(); ++i) positions_.push_back(i);
  }
  std::size_t size() const override { return positions_.size(); }
  ReplicaView at(std::size_t position, Time now) const override { return all_.at(positions_[position], now); }
  /// The position among all.
  std::size_t whole(std::size_t position) const { return positions_[position]; }

 private:
  const engine::Views<ReplicaView>& all_;
  std::vector<std::size_t> positions_;
};

}  // namespace joulecast::serving
