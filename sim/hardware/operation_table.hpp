#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "config/node.hpp"

namespace joulecast::hardware {

/// A measured curve y(x) through knots, both positive, x rising. Between knots linear in x, or linear in the logarithms of both (what GEMM-like
/// operations look like on a dense axis). Outside, the edge value scaled by form(x)/form(edge), so that nothing jumps: `at(x)` takes the
/// constant below the first knot (launch-bound) and proportionality above the last; `at(x, form)` takes the caller's form on both sides.
class Curve {
 public:
  enum class Scale : std::uint8_t { linear, logarithmic };
  using Form = std::function<double(double)>;

  Curve() = default;
  /// At least one knot; checks order and sign (Bug).
  Curve(std::vector<double> x, std::vector<double> y, Scale scale);

  double at(double x) const;
  double at(double x, const Form& form) const;
  std::span<const double> knots() const { return x_; }
  std::span<const double> values() const { return y_; }
  double first() const { return x_.front(); }
  double last() const { return x_.back(); }

 private:
  double inside(double x) const;

  std::vector<double> x_, y_;
  Scale scale_ = Scale::linear;
};

/// A measured surface y(row, x): a curve over x (linear) at each row knot; the curves may have different knots, and reach differently far. Between
/// rows linear in the row, or in the logarithms; below the first row the first row's value; above the last row proportional to the row.
class Surface {
 public:
  Surface() = default;
  Surface(std::vector<double> rows, std::vector<Curve> curves, Curve::Scale row_scale = Curve::Scale::linear);

  double at(double row, double x) const;
  std::span<const double> rows() const { return rows_; }
  std::span<const Curve> curves() const { return curves_; }
  /// The knots over x of the rows that `row` lies between, merged and sorted: between two neighbours y(row, .) is linear.
  std::vector<double> knots_at(double row) const;

 private:
  std::vector<double> rows_;
  std::vector<Curve> curves_;
  Curve::Scale row_scale_ = Curve::Scale::linear;
};

/// Measured times of operations on one GPU model, all of one layer and of one GPU's share of the heads; bf16, head size 128, no window.
class OperationTables {
 public:
  /// Attention of `sequences` decoding ones that read a mean of `context` tokens each (the new one included), `heads` query and `kv_heads` key heads.
  struct GenerationAttention {
    std::int64_t heads = 0, kv_heads = 0;
    Surface seconds;  ///< (sequences, context)
  };
  /// Causal attention of one whole prompt of so many tokens, nothing before it.
  struct ContextAttention {
    std::int64_t heads = 0, kv_heads = 0;
    Curve seconds;  ///< tokens
  };
  /// vLLM's custom all-reduce in a node: `graph` inside CUDA graphs (decode steps), `eager` outside (steps above 512 tokens).
  struct AllReduce {
    std::int64_t gpus = 0;
    Curve graph_seconds, eager_seconds;  ///< bytes of the message a GPU holds
  };

  /// Reads `[generation_attention.*]`, `[context_attention.*]` and `[all_reduce.*]` (microseconds, bytes) of a table file. Throws UserError
  /// with all faults: a missing or unknown key, lists of unequal length, knots that do not rise, values that are not positive.
  static OperationTables read(const config::Node& root);
  static OperationTables read_file(const std::string& path) { return read(config::parse_file(path)); }

  /// The table of exactly these heads, or nullptr.
  const GenerationAttention* generation_attention(std::int64_t heads, std::int64_t kv_heads) const;
  const ContextAttention* context_attention(std::int64_t heads, std::int64_t kv_heads) const;
  const AllReduce* all_reduce(std::int64_t gpus) const;

  /// Seconds of generation attention for heads that are not in the table too: the largest table with the same query heads a key head whose key
  /// heads divide `kv_heads` serves, at (kv_heads of the call / kv_heads of the table) times the sequences: a kernel's blocks are (sequence, key
  /// head) pairs. `table` is null where there is none.
  struct ScaledGeneration {
    const GenerationAttention* table = nullptr;
    std::int64_t sequence_factor = 1;

    double seconds(double sequences, double context) const;
    /// Knots over the mean context between which the seconds are linear.
    std::vector<double> knots(double sequences) const;
  };
  ScaledGeneration scaled_generation(std::int64_t heads, std::int64_t kv_heads) const;

  const std::string& source() const { return source_; }
  /// Median and worst relative error of interpolation at measured points that the file leaves out (the file's own statement).
  double median_error() const { return median_error_; }
  double worst_error() const { return worst_error_; }

 private:
  std::string source_;
  double median_error_ = 0, worst_error_ = 0;
  std::vector<GenerationAttention> generation_;
  std::vector<ContextAttention> context_;
  std::vector<AllReduce> all_reduce_;
};

/// Attention of a chunk of `tokens` > 0 after `context` >= 0 tokens from a curve of whole prompts: t(context + tokens) - t(context), no less than
/// t(tokens); beyond the curve's last knot it grows with the square of the tokens.
double chunk_attention(const Curve& whole_prompts, double tokens, double context);

}  // namespace joulecast::hardware
