#include "calibration/calibrate_ops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "calibration/ops_profile.hpp"

namespace joulecast::calibration {
namespace {

std::vector<GemmRow> gemm_rows(const std::vector<std::string>& paths, std::vector<TableSource>& sources) {
  std::vector<GemmRow> rows;
  for (const std::string& path : paths) {
    TableSource& source = sources.emplace_back(table_source(path));
    const auto more = read_gemm_table(path, {}, source);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  const auto key = [](const GemmRow& row) { return std::tuple(row.m, row.n, row.k, row.seconds); };
  std::sort(rows.begin(), rows.end(), [key](const GemmRow& a, const GemmRow& b) { return key(a) < key(b); });
  return rows;
}

/// "8=FILE" as (8, FILE), else (0, FILE).
std::pair<std::int64_t, std::string> counted(const std::string& text) {
  std::int64_t gpus = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), gpus);
  if (fault == std::errc{} && end != text.data() + text.size() && *end == '=') return {gpus, std::string(end + 1, text.data() + text.size())};
  return {0, text};
}

}  // namespace

OpsResult calibrate_ops(const OpsRequest& request) {
  OpsResult result;
  if (!request.gemm.empty()) {
    result.gemm = fit_gemm(gemm_rows(request.gemm, result.gemm_sources), request.base.peak_bf16.value, request.base.memory_bandwidth.value);
  } else if (request.like) {
    result.notes.push_back(
        fmt::format("GEMM efficiencies are {}'s, scaled by peak and bandwidth and not measured on this GPU: modelled", request.like->name));
  }
  struct Gathered {
    std::vector<CollectiveRow> rows;
    std::vector<TableSource> sources;
  };
  std::map<CollectiveRows::key_type, Gathered> gathered;
  for (const std::string& text : request.collectives) {
    const auto [gpus, path] = counted(text);
    TableSource source = table_source(path);
    CollectiveRows rows;
    read_collective_table(path, gpus, rows, source);
    for (const auto& [key, sizes] : rows) {
      gathered[key].rows.insert(gathered[key].rows.end(), sizes.begin(), sizes.end());
      gathered[key].sources.push_back(source);
    }
  }
  for (auto& [key, part] : gathered) {
    std::stable_sort(part.rows.begin(), part.rows.end(), [](const CollectiveRow& a, const CollectiveRow& b) { return a.bytes < b.bytes; });
    result.collectives.push_back(fit_collective(key.first, key.second, part.rows));
    result.collective_sources.push_back(std::move(part.sources));
  }
  if (gathered.empty()) result.notes.push_back(fmt::format("no table of collectives was given: they are {}'s", request.base.name));
  result.profile = ops_profile(request, result);
  return result;
}

}  // namespace joulecast::calibration
