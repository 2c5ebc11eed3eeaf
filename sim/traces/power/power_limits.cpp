#include "traces/power/power_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "traces/delimited.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

enum Wanted : std::size_t { dataset, network, batch_size, optimizer, power_limit, time_per_epoch, average_power };

void note_excess(const Delimited& rows, const std::string& job, const PowerLimitRow& row, double tolerance, PowerLimitTable& table) {
  const double excess = row.power / row.limit - 1;
  if (excess <= tolerance) return;
  table.notes.push_back(fmt::format("{}: {} under a limit of {:g} W drew {:.1f} W, {:.1f} % above it", rows.line_place().text(), job, row.limit.si(),
                                    row.power.si(), 100 * excess));
}

}  // namespace

PowerLimitTable read_power_limits(TextLines lines, double tolerance) {
  Delimited rows(
      std::move(lines),
      {{{"dataset"}}, {{"network"}}, {{"batch_size"}}, {{"optimizer"}}, {{"power_limit"}}, {{"time_per_epoch"}}, {{"average_power", "avg_power"}}});
  PowerLimitTable table;
  std::map<std::array<std::string, 4>, std::size_t> known;
  while (rows.next()) {
    const std::array<std::string, 4> key = {excerpt(rows.cell(dataset)), excerpt(rows.cell(network)), excerpt(rows.cell(batch_size)),
                                            excerpt(rows.cell(optimizer))};
    const auto limit = positive_cell(rows, power_limit, "a power limit in watts");
    const auto time = positive_cell(rows, time_per_epoch, "a time in seconds");
    const auto power = positive_cell(rows, average_power, "a mean power in watts");
    if (!limit || !time || !power) break;
    const auto [place, fresh] = known.try_emplace(key, table.jobs.size());
    if (fresh) table.jobs.push_back({key[0], key[1], key[2], key[3], {}});
    PowerLimitJob& job = table.jobs[place->second];
    const PowerLimitRow row{Watts(*limit), Seconds(*time), Watts(*power)};
    if (std::any_of(job.rows.begin(), job.rows.end(), [&](const PowerLimitRow& other) { return other.limit == row.limit; })) {
      throw UserError(rows.place(power_limit), fmt::format("{} under a limit of {:g} W for the second time", job.name(), *limit),
                      "keep one of the rows, or write their mean");
    }
    note_excess(rows, job.name(), row, tolerance, table);
    job.rows.push_back(row);
  }
  if (rows.torn()) throw UserError(rows.line_place(), "the last row is cut off", "finish the row, or delete it");
  if (table.jobs.empty()) throw UserError({rows.line_place().file, 0, 0}, "a table without rows", "it needs a row a job and power limit");
  for (PowerLimitJob& job : table.jobs) {
    std::sort(job.rows.begin(), job.rows.end(), [](const PowerLimitRow& a, const PowerLimitRow& b) { return a.limit > b.limit; });
  }
  return table;
}

}  // namespace joulecast::traces
