#include "traces/grid/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/format.hpp"

namespace joulecast::traces {
namespace {

constexpr std::int64_t kMostSteps = 10'000'000;

/// Time between two rows that have values; `steps` in lengths of the row before it.
struct Gap {
  std::int64_t from, to, steps;
  int line;  ///< of the row behind it
};

std::string count_of(std::int64_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

/// Rows without a value, at the ends left out for good, elsewhere until the gap is filled.
void drop_empty(RawSeries& raw, const std::string& file) {
  const auto has_value = [](const SeriesRow& row) { return row.value.has_value(); };
  const auto first = std::find_if(raw.rows.begin(), raw.rows.end(), has_value);
  if (first == raw.rows.end()) throw UserError({file, 0, 0}, "no row of the series has a value", "give a file that has some");
  const auto last = std::find_if(raw.rows.rbegin(), raw.rows.rend(), has_value);
  const auto at_ends = (first - raw.rows.begin()) + (last - raw.rows.rbegin());
  const auto all = std::count_if(raw.rows.begin(), raw.rows.end(), [&](const SeriesRow& row) { return !has_value(row); });
  if (at_ends > 0) raw.notes.push_back(fmt::format("{} without a value at the ends of the file left out", count_of(at_ends, "row")));
  if (all > at_ends) raw.notes.push_back(fmt::format("{} without a value", count_of(all - at_ends, "row")));
  std::erase_if(raw.rows, [&](const SeriesRow& row) { return !has_value(row); });
}

std::vector<Gap> find_gaps(const std::vector<SeriesRow>& rows) {
  std::vector<Gap> gaps;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const SeriesRow& before = rows[i - 1];
    const std::int64_t from = *before.end_ns, to = rows[i].at_ns, step = from - before.at_ns;
    if (from < to) gaps.push_back({from, to, (to - from + step - 1) / step, rows[i].line});
  }
  return gaps;
}

/// The rows that lead in steps of the row before from its value to that of the row behind.
void interpolate(std::vector<SeriesRow>& out, const SeriesRow& behind, std::int64_t steps) {
  const SeriesRow before = out.back();
  const std::int64_t step = *before.end_ns - before.at_ns;
  for (std::int64_t k = 1; k <= steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps + 1);
    const std::int64_t from = *before.end_ns + (k - 1) * step;
    out.push_back({from, std::min(from + step, behind.at_ns), *before.value + share * (*behind.value - *before.value), 0});
  }
}

}  // namespace

std::string SeriesClock::text(std::int64_t utc_ns) const {
  return zone_ ? local_text(zone_->local(utc_ns)) + " " + zone_->name() : local_text(utc_ns) + " UTC";
}

void fill_gaps(RawSeries& raw, Gaps policy, const SeriesClock& clock, const std::string& file) {
  drop_empty(raw, file);
  const std::vector<Gap> gaps = find_gaps(raw.rows);
  if (gaps.empty()) return;
  const Gap& longest = *std::max_element(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.steps < b.steps; });
  std::int64_t steps = 0;
  for (const Gap& gap : gaps) steps = std::min(steps + gap.steps, 2 * kMostSteps);
  const auto described = [&](const Gap& gap) {
    const std::string length = duration_text(static_cast<double>(gap.to - gap.from) * 1e-9);
    return fmt::format("from {} on for {} ({})", clock.text(gap.from), length, count_of(gap.steps, "step"));
  };
  if (policy == Gaps::error) {
    std::string what = fmt::format("the series has {}: {}", count_of(static_cast<std::int64_t>(gaps.size()), "gap"), described(gaps.front()));
    if (gaps.size() > 1) what += fmt::format("; the longest {}", described(longest));
    throw UserError({file, gaps.front().line, gaps.front().line > 0 ? 1 : 0}, what,
                    "add what is missing, or choose gaps = \"hold\" (the last value goes on) or gaps = \"interpolate\"");
  }
  if (policy == Gaps::interpolate && steps > kMostSteps) {
    throw UserError({file, longest.line, longest.line > 0 ? 1 : 0}, fmt::format("a gap too long to fill step by step: {}", described(longest)),
                    "choose gaps = \"hold\", or cut the file to the time of the run");
  }
  std::vector<SeriesRow> filled;
  auto gap = gaps.begin();
  for (const SeriesRow& row : raw.rows) {
    if (!filled.empty() && *filled.back().end_ns < row.at_ns) {
      if (policy == Gaps::interpolate) {
        interpolate(filled, row, gap->steps);
      } else {
        filled.back().end_ns = row.at_ns;
      }
      ++gap;
    }
    filled.push_back(row);
  }
  raw.rows = std::move(filled);
  raw.notes.push_back(fmt::format("{} of {} filled ({}), the longest {}", count_of(static_cast<std::int64_t>(gaps.size()), "gap"),
                                  count_of(steps, "step"), policy == Gaps::hold ? "the last value goes on" : "interpolated", described(longest)));
}

}  // namespace joulecast::traces
