#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace joulecast::hardware {

/// Contexts of decoding sequences as three figures: mean, longest (tokens) and variance (tokens squared).
struct ContextSpread {
  double mean = 0, longest = 0, variance = 0;

  /// The share of long sequences in the batch of two lengths that has this mean, longest and variance: v / (v + (longest - mean)^2). 0 where all are
  /// equal.
  double share_of_long() const {
    const double above = longest - mean;
    return above > 0 && variance > 0 ? variance / (variance + above * above) : 0;
  }
};

/// How far attention of a batch of uneven contexts lies between that of a batch of their mean and that of a batch of the longest: alpha in
///   t = t(mean) + alpha * (t(longest) - t(mean)),
/// by (alone or beside a prompt chunk, sequences, share of long sequences). Measured with batches of two lengths; a batch of other lengths is read as
/// the one of two lengths that has its mean, longest and variance.
class UnevenContexts {
 public:
  /// One measured batch: `sequences` of which `share` are long, beside a chunk or not, and its times (any unit).
  struct Sample {
    bool mixed = false;
    double sequences = 0, share = 0;
    double at_mean = 0, at_longest = 0, uneven = 0;
  };
  /// alpha of so many sequences, by rising share of long ones.
  using Row = std::vector<std::pair<double, double>>;
  using Rows = std::map<double, Row>;

  UnevenContexts() = default;
  UnevenContexts(Rows alone, Rows beside_chunk) : alone_(std::move(alone)), beside_chunk_(std::move(beside_chunk)) {}
  /// The alpha that fits the samples of a cell best (least squares of relative times, kept within 0 and 1); shares are gathered at 1/16, 1/8, 1/4, 1/2,
  /// 3/4 and 0.9, smaller ones left out.
  static UnevenContexts fitted(const std::vector<Sample>& samples);

  /// 0 for a single sequence, for equal ones, and where nothing was measured. Linear in the share and in the logarithm of the sequences, constant
  /// outside.
  double alpha(bool beside_chunk, double sequences, double share) const;
  bool empty() const { return alone_.empty() && beside_chunk_.empty(); }
  const Rows& rows(bool beside_chunk) const { return beside_chunk ? beside_chunk_ : alone_; }

 private:
  Rows alone_, beside_chunk_;
};

/// Reads skew.csv as published beside LLMServingSim: n, ratio, pc (tokens of the chunk, 0 for none), t_mean_us, t_max_us, t_skew_us. The three times are
/// sums of three measurements, which cancels here. Throws UserError with the place of a fault.
UnevenContexts read_uneven_contexts(const std::string& path);

}  // namespace joulecast::hardware
