#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/philox.hpp"
#include "base/quantity.hpp"
#include "config/node.hpp"

namespace joulecast::traces {

/// A joint histogram of the tokens in and out of a trace's requests, with the trace's rate and burstiness.
class LengthHistogram {
 public:
  /// One axis of a cell: the least, the most and the sum of the values of its requests.
  struct Axis {
    std::int32_t least = 1, most = 1;
    std::int64_t sum = 1;
  };
  struct Cell {
    std::int64_t count = 1;
    Axis input, output;
  };
  /// What a file says of the trace.
  struct Facts {
    std::string title, source, licence;
    std::optional<Hertz> request_rate;
    std::optional<double> burstiness;  ///< shape of the gamma law whose gaps have the trace's mean and variance
  };

  /// Cells with count >= 1 and count * least <= sum <= count * most on both axes, 1 <= least <= most (checked).
  explicit LengthHistogram(std::vector<Cell> cells, Facts facts = {});

  /// Reads a TOML file of `tools/make-length-histogram`. UserError: faults of the file, totals that are not those of the cells.
  static LengthHistogram read(const std::string& path);
  static LengthHistogram read(const config::Node& root);

  /// Tokens in and out: a cell by its count, then each axis on its own: uniform over the whole numbers up to the cell's mean or over those above
  /// it, the two parts weighted so that the cell's mean is exact. Hence the means of both axes are those of the trace.
  std::pair<std::int32_t, std::int32_t> draw(Stream& stream) const;

  const Facts& facts() const { return facts_; }
  const std::vector<Cell>& cells() const { return cells_; }
  std::int64_t requests() const { return requests_; }
  double mean_input() const;
  double mean_output() const;
  std::int32_t most_input() const;
  std::int32_t most_output() const;

 private:
  /// Uniform over least .. split, or with probability `above` over split + 1 .. most.
  struct Law {
    std::int32_t least = 1, split = 1, most = 1;
    double above = 0;
  };
  static Law law(const Axis& axis, std::int64_t count);
  static std::int32_t draw(const Law& law, Stream& stream);

  std::vector<Cell> cells_;
  Facts facts_;
  std::vector<std::pair<Law, Law>> laws_;
  std::vector<std::int64_t> up_to_;  ///< requests in the cells up to this one
  std::int64_t requests_ = 0;
};

}  // namespace joulecast::traces
