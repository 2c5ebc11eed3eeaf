#include "traces/requests/length_mix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::traces {

LengthMix::LengthMix(LengthHistogram only) { parts_.emplace_back(1.0, std::move(only)); }

LengthMix::LengthMix(std::vector<std::pair<double, LengthHistogram>> parts) : parts_(std::move(parts)) {
  double sum = 0;
  for (const auto& [share, lengths] : parts_) {
    JOULECAST_CHECK(share > 0, "a histogram without a share of the mix");
    sum += share;
  }
  JOULECAST_CHECK(std::abs(sum - 1) < 1e-9, "shares of a mix that do not add up to 1");
}

std::pair<std::int32_t, std::int32_t> LengthMix::draw(Stream& stream) const {
  if (parts_.size() == 1) return parts_.front().second.draw(stream);
  double left = stream.uniform();
  std::size_t part = 0;
  while (part + 1 < parts_.size() && left >= parts_[part].first) left -= parts_[part++].first;
  return parts_[part].second.draw(stream);
}

double LengthMix::mean_input() const {
  double mean = 0;
  for (const auto& [share, lengths] : parts_) mean += share * lengths.mean_input();
  return mean;
}

double LengthMix::mean_output() const {
  double mean = 0;
  for (const auto& [share, lengths] : parts_) mean += share * lengths.mean_output();
  return mean;
}

std::int32_t LengthMix::most_input() const {
  std::int32_t most = 0;
  for (const auto& [share, lengths] : parts_) most = std::max(most, lengths.most_input());
  return most;
}

std::int32_t LengthMix::most_output() const {
  std::int32_t most = 0;
  for (const auto& [share, lengths] : parts_) most = std::max(most, lengths.most_output());
  return most;
}

}  // namespace joulecast::traces
