#include "traces/power/kernel_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "traces/delimited.hpp"
#include "traces/excerpt.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

/// A clock in MHz or "auto"; nothing where the row was cut off.
std::optional<std::optional<Hertz>> clock_cell(Delimited& rows, std::size_t column) {
  if (rows.cell(column) == "auto") return std::optional<Hertz>{};
  const auto megahertz = positive_cell(rows, column, "a clock in MHz, or auto,");
  if (!megahertz) return std::nullopt;
  return std::optional<Hertz>(Hertz(*megahertz * 1e6));
}

std::optional<ClockPair> pair_cells(Delimited& rows, std::size_t memory, std::size_t core) {
  const auto m = clock_cell(rows, memory);
  const auto c = clock_cell(rows, core);
  if (!m || !c) return std::nullopt;
  return ClockPair{*m, *c};
}

bool is_forward(Delimited& rows, std::size_t column) {
  const std::string_view phase = rows.cell(column);
  if (phase != "fwd" && phase != "bwd") rows.refuse(column, "fwd or bwd", "name the pass that the row belongs to", false);
  return phase == "fwd";
}

/// A change in percent, as a fraction; more than -100.
std::optional<double> change_cell(Delimited& rows, std::size_t column, std::string_view what) {
  const auto percent = number_cell(rows, column, what);
  if (percent && *percent <= -100) rows.refuse(column, "a change of more than -100 %", "write the change in percent of auto", false);
  return percent ? std::optional<double>(*percent / 100) : std::nullopt;
}

[[noreturn]] void torn_row(const Delimited& rows) { throw UserError(rows.line_place(), "the last row is cut off", "finish the row, or delete it"); }

enum KernelColumn : std::size_t {
  id,
  section,
  phase,
  kernel,
  repeat,
  auto_time,
  auto_energy,
  min_time,
  max_time,
  min_energy,
  max_energy,
  best_mem,
  best_core,
  best_time,
  best_energy
};

std::optional<KernelRow> kernel_row(Delimited& rows) {
  KernelRow row;
  const auto number = whole_cell(rows, id, "a kernel's number");
  row.section = excerpt(rows.cell(section));
  row.forward = is_forward(rows, phase);
  row.kernel = excerpt(rows.cell(kernel));
  const auto calls = whole_cell(rows, repeat, "a number of calls");
  if (calls && *calls < 1) rows.refuse(repeat, "at least one call", "delete the row of a kernel that is not called", false);
  const auto t = positive_cell(rows, auto_time, "a time in seconds");
  const auto e = positive_cell(rows, auto_energy, "an energy in joules");
  const auto t0 = positive_cell(rows, min_time, "a time in seconds");
  const auto t1 = positive_cell(rows, max_time, "a time in seconds");
  const auto e0 = positive_cell(rows, min_energy, "an energy in joules");
  const auto e1 = positive_cell(rows, max_energy, "an energy in joules");
  const auto best = pair_cells(rows, best_mem, best_core);
  const auto dt = change_cell(rows, best_time, "a change in percent");
  const auto de = change_cell(rows, best_energy, "a change in percent");
  if (!number || !calls || !t || !e || !t0 || !t1 || !e0 || !e1 || !best || !dt || !de) return std::nullopt;
  row.id = *number;
  row.repeat = *calls;
  row.auto_time = Seconds(*t);
  row.auto_energy = Joules(*e);
  row.least_time = Seconds(*t0);
  row.most_time = Seconds(*t1);
  row.least_energy = Joules(*e0);
  row.most_energy = Joules(*e1);
  row.best = *best;
  row.best_time_change = *dt;
  row.best_energy_change = *de;
  return row;
}

}  // namespace

std::string text(const ClockPair& pair) {
  const auto part = [](const std::optional<Hertz>& clock) { return clock ? fmt::format("{:g}", clock->si() / 1e6) : std::string("auto"); };
  return part(pair.memory) + "/" + part(pair.core);
}

std::vector<KernelRow> read_kernel_table(TextLines lines) {
  Delimited rows(std::move(lines), {{{"kernel_id"}},
                                    {{"section"}},
                                    {{"phase"}},
                                    {{"kernel"}},
                                    {{"repeat"}},
                                    {{"auto_time_s"}},
                                    {{"auto_energy_J"}},
                                    {{"min_time_s"}},
                                    {{"max_time_s"}},
                                    {{"min_energy_J"}},
                                    {{"max_energy_J"}},
                                    {{"best_mem_mhz"}},
                                    {{"best_core_mhz"}},
                                    {{"best_time_pct"}},
                                    {{"best_energy_pct"}}});
  std::vector<KernelRow> kernels;
  std::set<std::int32_t> ids;
  while (rows.next()) {
    const auto row = kernel_row(rows);
    if (!row) break;
    if (!ids.insert(row->id).second) rows.refuse(id, "a number that no other row has", "number the kernels in the order of their calls", false);
    kernels.push_back(*row);
  }
  if (rows.torn()) torn_row(rows);
  if (kernels.empty()) throw UserError({rows.line_place().file, 0, 0}, "a table without kernels", "it needs a row a kernel");
  return kernels;
}

PassTable read_pass_table(TextLines lines) {
  enum : std::size_t { pass, memory, core, time, energy };
  Delimited rows(std::move(lines), {{{"pass"}}, {{"mem_mhz"}}, {{"core_mhz"}}, {{"time_pct_change"}}, {{"energy_pct_change"}}});
  PassTable table;
  while (rows.next()) {
    std::vector<PassRow>& of_pass = is_forward(rows, pass) ? table.forward : table.backward;
    const auto clocks = pair_cells(rows, memory, core);
    const auto dt = change_cell(rows, time, "a change in percent");
    const auto de = change_cell(rows, energy, "a change in percent");
    if (!clocks || !dt || !de) break;
    if (std::any_of(of_pass.begin(), of_pass.end(), [&](const PassRow& row) { return row.clocks == *clocks; })) {
      throw UserError(rows.place(memory), fmt::format("{} for the second time in this pass", text(*clocks)), "keep one of the rows");
    }
    of_pass.push_back({*clocks, *dt, *de});
  }
  if (rows.torn()) torn_row(rows);
  for (const auto* of_pass : {&table.forward, &table.backward}) {
    if (of_pass->empty()) {
      throw UserError({rows.line_place().file, 0, 0}, fmt::format("no rows for the {} pass", of_pass == &table.forward ? "forward" : "backward"),
                      "it needs a row a pass and pair of clocks");
    }
  }
  return table;
}

}  // namespace joulecast::traces
