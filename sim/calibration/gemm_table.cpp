#include "calibration/gemm_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "base/error.hpp"
#include "calibration/number_cell.hpp"

namespace joulecast::calibration {
namespace {

using traces::Column;
using traces::Delimited;
using traces::TextLines;

class Keeper {
 public:
  Keeper(const GemmShapes& shapes, TableSource& source) : shapes_(shapes), source_(source) {}

  void offer(const GemmRow& row) {
    if (row.seconds < shapes_.least_seconds) return source_.drop(fmt::format("below {:g} us", shapes_.least_seconds * 1e6));
    if (row.m > shapes_.most_m) return source_.drop(fmt::format("of more than {} rows", shapes_.most_m));
    if (std::min(row.n, row.k) < shapes_.least_width || std::max(row.n, row.k) > shapes_.most_width) {
      return source_.drop(fmt::format("of widths outside {} .. {}", shapes_.least_width, shapes_.most_width));
    }
    rows_.push_back(row);
  }

  std::vector<GemmRow> take() {
    const auto key = [](const GemmRow& row) { return std::tuple(row.m, row.n, row.k, row.seconds); };
    std::sort(rows_.begin(), rows_.end(), [key](const GemmRow& a, const GemmRow& b) { return key(a) < key(b); });
    const auto last = std::unique(rows_.begin(), rows_.end());
    for (auto at = last; at != rows_.end(); ++at) source_.drop("repeated");
    rows_.erase(last, rows_.end());
    source_.used = rows_.size();
    return std::move(rows_);
  }

 private:
  const GemmShapes& shapes_;
  TableSource& source_;
  std::vector<GemmRow> rows_;
};

std::vector<GemmRow> read_aiconfigurator(const std::string& path, Keeper& keeper, TableSource& source) {
  Delimited rows(TextLines(path), {{{"gemm_dtype"}}, {{"m"}}, {{"n"}}, {{"k"}}, {{"latency"}}});
  while (rows.next()) {
    if (rows.cell(0) != "bfloat16" && rows.cell(0) != "float16") {
      source.drop("of dtype " + std::string(rows.cell(0)));
      continue;
    }
    keeper.offer({count_cell(rows, 1), count_cell(rows, 2), count_cell(rows, 3), positive_cell(rows, 4) * 1e-3});
  }
  return keeper.take();
}

std::vector<GemmRow> read_vidur(const std::string& path, Keeper& keeper) {
  Delimited rows(TextLines(path), {{{"n_head"}},
                                   {{"n_kv_head"}},
                                   {{"n_embd"}},
                                   {{"n_expanded_embd"}},
                                   {{"use_gated_mlp"}},
                                   {{"num_tokens"}},
                                   {{"num_tensor_parallel_workers"}},
                                   {{"time_stats.attn_pre_proj.median"}},
                                   {{"time_stats.attn_post_proj.median"}},
                                   {{"time_stats.mlp_up_proj.median"}},
                                   {{"time_stats.mlp_down_proj.median"}}});
  while (rows.next()) {
    const std::int64_t heads = count_cell(rows, 0);
    const std::int64_t hidden = count_cell(rows, 2);
    const std::int64_t inner = count_cell(rows, 3);
    const std::int64_t gated = rows.cell(4) == "True" ? 2 : 1;
    const std::int64_t m = count_cell(rows, 5);
    const std::int64_t t = count_cell(rows, 6);
    const std::int64_t qkv = hidden / heads * (heads + 2 * count_cell(rows, 1));
    const std::array<GemmRow, 4> four = {{{m, qkv / t, hidden, positive_cell(rows, 7) * 1e-3},
                                          {m, hidden, hidden / t, positive_cell(rows, 8) * 1e-3},
                                          {m, gated * inner / t, hidden, positive_cell(rows, 9) * 1e-3},
                                          {m, hidden, inner / t, positive_cell(rows, 10) * 1e-3}}};
    for (const GemmRow& row : four) keeper.offer(row);
  }
  return keeper.take();
}

}  // namespace

double GemmRow::flops() const { return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }

double GemmRow::bytes() const {
  const auto [a, b, c] = std::tuple{static_cast<double>(m), static_cast<double>(n), static_cast<double>(k)};
  return 2.0 * (a * c + c * b + a * b);
}

std::vector<GemmRow> read_gemm_table(const std::string& path, const GemmShapes& shapes, TableSource& source) {
  Keeper keeper(shapes, source);
  const std::string header = header_of(path);
  if (header.find("gemm_dtype") != std::string::npos) return read_aiconfigurator(path, keeper, source);
  if (header.find("mlp_up_proj") != std::string::npos) return read_vidur(path, keeper);
  throw UserError(Place{path, 1, 1}, "the header is that of no GEMM table known here",
                  "give a gemm table of aiconfigurator (gemm_dtype,m,n,k,latency) or an mlp.csv of vidur");
}

}  // namespace joulecast::calibration
