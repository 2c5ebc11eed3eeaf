#include "traces/requests/length_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::traces {
namespace {

bool fits(const LengthHistogram::Axis& axis, std::int64_t count) {
  return axis.least >= 1 && axis.least <= axis.most && axis.sum >= count * axis.least && axis.sum <= count * axis.most;
}

double mean(const std::vector<LengthHistogram::Cell>& cells, std::int64_t requests, LengthHistogram::Axis LengthHistogram::Cell::*axis) {
  std::int64_t sum = 0;
  for (const auto& cell : cells) sum += (cell.*axis).sum;
  return static_cast<double>(sum) / static_cast<double>(requests);
}

}  // namespace

LengthHistogram::LengthHistogram(std::vector<Cell> cells, Facts facts) : cells_(std::move(cells)), facts_(std::move(facts)) {
  JOULECAST_CHECK(!cells_.empty(), "a length histogram without cells");
  for (const Cell& cell : cells_) {
    JOULECAST_CHECK(cell.count >= 1 && fits(cell.input, cell.count) && fits(cell.output, cell.count), "a cell whose sums are outside its bounds");
    requests_ += cell.count;
    up_to_.push_back(requests_);
    laws_.emplace_back(law(cell.input, cell.count), law(cell.output, cell.count));
  }
}

LengthHistogram::Law LengthHistogram::law(const Axis& axis, std::int64_t count) {
  Law law{axis.least, axis.most, axis.most, 0};
  const double wanted = static_cast<double>(axis.sum) / static_cast<double>(count);
  const auto split = static_cast<std::int32_t>(axis.sum / count);
  if (split >= axis.most) {
    law.least = axis.most;
    return law;
  }
  law.split = split;
  const double lower = 0.5 * (static_cast<double>(axis.least) + split);
  const double upper = 0.5 * (split + 1.0 + axis.most);
  law.above = (wanted - lower) / (upper - lower);
  return law;
}

std::int32_t LengthHistogram::draw(const Law& law, Stream& stream) {
  if (law.least == law.most) return law.most;
  const bool above = law.above > 0 && stream.uniform() < law.above;
  const std::int32_t from = above ? law.split + 1 : law.least;
  const std::int32_t to = above ? law.most : law.split;
  if (from == to) return from;
  return from + static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(to - from) + 1));
}

std::pair<std::int32_t, std::int32_t> LengthHistogram::draw(Stream& stream) const {
  const auto pick = static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(requests_)));
  const auto cell = static_cast<std::size_t>(std::upper_bound(up_to_.begin(), up_to_.end(), pick) - up_to_.begin());
  const auto& [input, output] = laws_[cell];
  const std::int32_t in = draw(input, stream);
  return {in, draw(output, stream)};
}

double LengthHistogram::mean_input() const { return mean(cells_, requests_, &Cell::input); }
double LengthHistogram::mean_output() const { return mean(cells_, requests_, &Cell::output); }

std::int32_t LengthHistogram::most_input() const {
  return std::max_element(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.input.most < b.input.most; })->input.most;
}

std::int32_t LengthHistogram::most_output() const {
  return std::max_element(cells_.begin(), cells_.end(), [](const Cell& a, const Cell& b) { return a.output.most < b.output.most; })->output.most;
}

}  // namespace joulecast::traces
