#include "traces/grid/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/format.hpp"
#include "traces/grid/gaps.hpp"

namespace joulecast::traces {
namespace {

std::string plural(std::size_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

/// Puts the rows in order of time and says how much of it was another.
void sort_rows(RawSeries& raw) {
  const auto earlier = [](const SeriesRow& a, const SeriesRow& b) { return a.at_ns < b.at_ns; };
  std::size_t inversions = 0;
  for (std::size_t i = 1; i < raw.rows.size(); ++i) inversions += earlier(raw.rows[i], raw.rows[i - 1]) ? 1 : 0;
  if (inversions == 0) return;
  if (inversions + 1 == raw.rows.size()) {
    raw.notes.emplace_back("the file has the newest row first");
  } else {
    raw.notes.push_back(fmt::format("{} stood before an earlier one", plural(inversions, "row")));
  }
  std::stable_sort(raw.rows.begin(), raw.rows.end(), earlier);
}

/// Leaves out the second of two equal rows; two values for one moment are a fault.
void drop_doubles(RawSeries& raw, const SeriesClock& clock, const std::string& file) {
  std::vector<SeriesRow> kept;
  std::size_t doubles = 0;
  for (const SeriesRow& row : raw.rows) {
    if (kept.empty() || kept.back().at_ns != row.at_ns) {
      kept.push_back(row);
      continue;
    }
    const SeriesRow& first = kept.back();
    if (first.value != row.value || first.end_ns != row.end_ns) {
      const std::string where = first.line > 0 ? fmt::format(" (line {} has another)", first.line) : "";
      throw UserError({file, std::max(first.line, row.line), row.line > 0 ? 1 : 0},
                      fmt::format("a second value for {}{}", clock.text(row.at_ns), where),
                      "keep one of the rows; where the file holds several series, say which one is meant");
    }
    ++doubles;
  }
  if (doubles > 0) raw.notes.push_back(fmt::format("{} left out that stood twice", plural(doubles, "row")));
  raw.rows = std::move(kept);
}

/// The distance that at least half of all neighbours have.
std::optional<std::int64_t> usual_distance(const std::vector<SeriesRow>& rows) {
  std::map<std::int64_t, std::size_t> counts;
  for (std::size_t i = 1; i < rows.size(); ++i) ++counts[rows[i].at_ns - rows[i - 1].at_ns];
  for (const auto& [distance, count] : counts) {
    if (2 * count >= rows.size() - 1) return distance;
  }
  return std::nullopt;
}

std::int64_t resolution_of(const RawSeries& raw, const SeriesOptions& options, const std::string& file) {
  if (options.resolution) return static_cast<std::int64_t>(options.resolution->si() * 1e9);
  if (const auto distance = raw.rows.size() > 1 ? usual_distance(raw.rows) : std::nullopt) return *distance;
  throw UserError({file, 0, 0}, raw.rows.size() == 1 ? "one row does not say how long it lasts" : "rows are at no usual distance from one another",
                  "add resolution = \"1 h\", how long a row lasts");
}

/// Gives every row its interval.
void find_intervals(RawSeries& raw, const SeriesOptions& options, const SeriesClock& clock, const std::string& file) {
  const bool open = std::any_of(raw.rows.begin(), raw.rows.end(), [](const SeriesRow& row) { return !row.end_ns; });
  const std::int64_t resolution = open ? resolution_of(raw, options, file) : 0;
  std::size_t shorter = 0;
  for (std::size_t i = 0; i < raw.rows.size(); ++i) {
    SeriesRow& row = raw.rows[i];
    const SeriesRow* next = i + 1 < raw.rows.size() ? &raw.rows[i + 1] : nullptr;
    if (!row.end_ns && raw.ends) {
      row.end_ns = row.at_ns;
      const std::int64_t before = i > 0 ? *raw.rows[i - 1].end_ns : row.at_ns - resolution;
      row.at_ns = std::max(row.at_ns - resolution, before);
      shorter += *row.end_ns - row.at_ns < resolution ? 1 : 0;
    } else if (!row.end_ns) {
      row.end_ns = row.at_ns + resolution;
      if (next != nullptr && next->at_ns < *row.end_ns) {
        row.end_ns = next->at_ns;
        ++shorter;
      }
    }
    if (i == 0 || raw.rows[i - 1].end_ns <= row.at_ns) continue;
    throw UserError({file, row.line, row.line > 0 ? 1 : 0},
                    fmt::format("the row begins at {}, before the one from {} ends", clock.text(row.at_ns), clock.text(raw.rows[i - 1].at_ns)),
                    "keep the rows of one resolution, or correct the interval");
  }
  if (shorter > 0) {
    raw.notes.push_back(fmt::format("{} shorter than {}", plural(shorter, "row"), duration_text(static_cast<double>(resolution) * 1e-9)));
  }
}

}  // namespace

Series assemble(RawSeries raw, const SeriesOptions& options, const std::string& file) {
  const SeriesClock clock(raw.zone);
  if (raw.rows.empty()) throw UserError({file, 0, 0}, "the series has no row", "give a file with rows, or state which of its series is meant");
  sort_rows(raw);
  drop_doubles(raw, clock, file);
  find_intervals(raw, options, clock, file);
  fill_gaps(raw, options.gaps, clock, file);
  Series series;
  for (const SeriesRow& row : raw.rows) {
    series.start_ns.push_back(row.at_ns);
    series.value.push_back(*row.value);
  }
  series.end_ns = *raw.rows.back().end_ns;
  series.unit = raw.unit;
  series.notes = std::move(raw.notes);
  return series;
}

}  // namespace joulecast::traces
