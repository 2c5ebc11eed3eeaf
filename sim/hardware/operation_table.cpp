#include "hardware/operation_table.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

/// Index of the knot at or below x, such that a next knot exists; x lies between the first and the last of at least two knots.
std::size_t interval(std::span<const double> knots, double x) {
  const auto above = std::upper_bound(knots.begin(), knots.end() - 1, x);
  return static_cast<std::size_t>(above - knots.begin()) - 1;
}

double between(double x0, double y0, double x1, double y1, double x, Curve::Scale scale) {
  if (x == x0) return y0;
  if (x == x1) return y1;
  if (scale == Curve::Scale::linear) return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
  return y0 * std::exp(std::log(y1 / y0) * (std::log(x / x0) / std::log(x1 / x0)));
}

}  // namespace

Curve::Curve(std::vector<double> x, std::vector<double> y, Scale scale) : x_(std::move(x)), y_(std::move(y)), scale_(scale) {
  JOULECAST_CHECK(!x_.empty() && x_.size() == y_.size(), "a curve has as many values as knots, at least one");
  for (std::size_t i = 0; i < x_.size(); ++i) {
    JOULECAST_CHECK(y_[i] > 0 && (i == 0 ? x_[0] >= 0 : x_[i] > x_[i - 1]), "knots rise and values are positive");
  }
  JOULECAST_CHECK(scale_ == Scale::linear || x_.front() > 0, "a logarithmic axis has positive knots");
}

double Curve::inside(double x) const {
  if (x_.size() == 1) return y_.front();
  const std::size_t i = interval(x_, x);
  return between(x_[i], y_[i], x_[i + 1], y_[i + 1], x, scale_);
}

double Curve::at(double x) const {
  if (x <= first()) return y_.front();
  if (x >= last()) return last() > 0 ? y_.back() * (x / last()) : y_.back();
  return inside(x);
}

double Curve::at(double x, const Form& form) const {
  if (x < first()) return y_.front() * (form(x) / form(first()));
  if (x > last()) return y_.back() * (form(x) / form(last()));
  return inside(x);
}

Surface::Surface(std::vector<double> rows, std::vector<Curve> curves, Curve::Scale row_scale)
    : rows_(std::move(rows)), curves_(std::move(curves)), row_scale_(row_scale) {
  JOULECAST_CHECK(!rows_.empty() && rows_.size() == curves_.size(), "a surface has as many curves as rows, at least one");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    JOULECAST_CHECK(i == 0 ? rows_[0] > 0 : rows_[i] > rows_[i - 1], "rows rise and are positive");
  }
}

double Surface::at(double row, double x) const {
  if (row <= rows_.front()) return curves_.front().at(x);
  if (row >= rows_.back()) return curves_.back().at(x) * (row / rows_.back());
  const std::size_t i = interval(rows_, row);
  return between(rows_[i], curves_[i].at(x), rows_[i + 1], curves_[i + 1].at(x), row, row_scale_);
}

std::vector<double> Surface::knots_at(double row) const {
  std::size_t from = 0, to = 0;
  if (row >= rows_.back()) {
    from = to = rows_.size() - 1;
  } else if (row > rows_.front()) {
    from = interval(rows_, row);
    to = row == rows_[from] ? from : from + 1;
  }
  std::vector<double> knots;
  for (std::size_t i = from; i <= to; ++i) knots.insert(knots.end(), curves_[i].knots().begin(), curves_[i].knots().end());
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  return knots;
}

const OperationTables::GenerationAttention* OperationTables::generation_attention(std::int64_t heads, std::int64_t kv_heads) const {
  for (const auto& table : generation_) {
    if (table.heads == heads && table.kv_heads == kv_heads) return &table;
  }
  return nullptr;
}

const OperationTables::ContextAttention* OperationTables::context_attention(std::int64_t heads, std::int64_t kv_heads) const {
  for (const auto& table : context_) {
    if (table.heads == heads && table.kv_heads == kv_heads) return &table;
  }
  return nullptr;
}

const OperationTables::AllReduce* OperationTables::all_reduce(std::int64_t gpus) const {
  for (const auto& table : all_reduce_) {
    if (table.gpus == gpus) return &table;
  }
  return nullptr;
}

OperationTables::ScaledGeneration OperationTables::scaled_generation(std::int64_t heads, std::int64_t kv_heads) const {
  ScaledGeneration best;
  for (const auto& table : generation_) {
    if (table.heads * kv_heads != heads * table.kv_heads || kv_heads % table.kv_heads != 0) continue;
    if (best.table == nullptr || table.kv_heads > best.table->kv_heads) best = {&table, kv_heads / table.kv_heads};
  }
  return best;
}

double OperationTables::ScaledGeneration::seconds(double sequences, double context) const {
  return table->seconds.at(static_cast<double>(sequence_factor) * sequences, context);
}

std::vector<double> OperationTables::ScaledGeneration::knots(double sequences) const {
  return table->seconds.knots_at(static_cast<double>(sequence_factor) * sequences);
}

double chunk_attention(const Curve& whole_prompts, double tokens, double context) {
  const auto whole = [&](double n) { return n > whole_prompts.last() ? whole_prompts.at(n, [](double x) { return x * x; }) : whole_prompts.at(n); };
  const double alone = whole(tokens);
  return context > 0 ? std::max(alone, whole(context + tokens) - whole(context)) : alone;
}

}  // namespace joulecast::hardware
