#include "traces/power/stage_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "traces/delimited.hpp"
#include "traces/power/number_cells.hpp"

namespace joulecast::traces {
namespace {

enum Wanted : std::size_t { stage_column, instruction_column, frequency_column, time_column, energy_column };
constexpr const char* kPasses[] = {"forward", "backward"};
/// No pipeline is deeper; a larger number in the column is no stage.
constexpr std::int32_t kMostStages = 4096;

/// One line of the file.
struct Line {
  std::int32_t stage;
  int pass;
  double megahertz;
  StageProfileRow row;
  int number;
};

std::optional<int> pass_of(std::string_view text) {
  for (int pass = 0; pass < 2; ++pass) {
    if (text == kPasses[pass]) return pass;
  }
  return std::nullopt;
}

std::vector<Line> read_lines(Delimited& rows) {
  std::vector<Line> lines;
  while (rows.next()) {
    const auto stage = whole_cell(rows, stage_column, "a stage, counted from 0");
    const auto pass = pass_of(rows.cell(instruction_column));
    if (stage && *stage >= kMostStages) rows.refuse(stage_column, fmt::format("a stage below {}", kMostStages), "count stages from 0", false);
    if (!pass) rows.refuse(instruction_column, "forward or backward", "profile only these two passes, or rename the instruction", false);
    const auto megahertz = positive_cell(rows, frequency_column, "a clock in MHz");
    const auto time = positive_cell(rows, time_column, "a time in seconds");
    const auto energy = positive_cell(rows, energy_column, "an energy in joules");
    if (!stage || !megahertz || !time || !energy) break;
    lines.push_back({*stage, *pass, *megahertz, {Hertz(*megahertz * 1e6), Seconds(*time), Joules(*energy)}, rows.line_place().line});
  }
  if (rows.torn()) {
    throw UserError(rows.line_place(), "the last row is cut off", "finish the row, or delete it if the profile is whole without it");
  }
  if (lines.empty()) throw UserError({rows.line_place().file, 0, 0}, "a profile without rows", "it needs a row a stage, pass and clock");
  return lines;
}

void find_doubles(const std::vector<Line>& lines, const std::string& file, std::vector<UserFault>& faults) {
  std::map<std::tuple<std::int32_t, int, double>, int> known;
  for (const Line& line : lines) {
    const auto [first, fresh] = known.try_emplace({line.stage, line.pass, line.megahertz}, line.number);
    if (fresh) continue;
    faults.push_back(
        {{file, line.number, 1},
         fmt::format("stage {}, {} at {} MHz for the second time, first on line {}", line.stage, kPasses[line.pass], line.megahertz, first->second),
         "keep one of the rows, or write their mean"});
  }
}

/// A pass that has no row at all, or not at a clock that other passes have.
void find_gaps(const std::vector<Line>& lines, std::int32_t stages, const std::string& file, std::vector<UserFault>& faults) {
  std::set<double> clocks;
  std::map<std::pair<std::int32_t, int>, std::set<double>> there;
  for (const Line& line : lines) {
    clocks.insert(line.megahertz);
    there[{line.stage, line.pass}].insert(line.megahertz);
  }
  for (std::int32_t stage = 0; stage < stages; ++stage) {
    for (int pass = 0; pass < 2; ++pass) {
      const std::set<double>& own = there[{stage, pass}];
      if (own.empty()) {
        faults.push_back({{file, 0, 0},
                          fmt::format("no row for stage {}, {}; the file has stages up to {}", stage, kPasses[pass], stages - 1),
                          "profile that pass, and number stages from 0 without a gap"});
        continue;
      }
      for (const double clock : clocks) {
        if (own.count(clock) != 0) continue;
        faults.push_back({{file, 0, 0},
                          fmt::format("no row for stage {}, {} at {} MHz, a clock that other passes have", stage, kPasses[pass], clock),
                          "profile it, or delete that clock everywhere"});
      }
    }
  }
}

}  // namespace

StageProfile read_stage_profile(TextLines text) {
  Delimited rows(std::move(text), {{{"stage"}}, {{"instruction"}}, {{"frequency"}}, {{"time"}}, {{"energy"}}});
  const std::vector<Line> lines = read_lines(rows);
  StageProfile profile;
  profile.file = rows.line_place().file;
  std::int32_t stages = 0;
  for (const Line& line : lines) stages = std::max(stages, line.stage + 1);
  std::vector<UserFault> faults;
  find_doubles(lines, profile.file, faults);
  find_gaps(lines, stages, profile.file, faults);
  constexpr std::size_t kMostFaults = 20;
  if (faults.size() > kMostFaults) faults.resize(kMostFaults);
  if (!faults.empty()) throw UserError(std::move(faults));
  profile.stages.resize(static_cast<std::size_t>(stages));
  for (const Line& line : lines) {
    StageProfile::Stage& stage = profile.stages[static_cast<std::size_t>(line.stage)];
    (line.pass == 0 ? stage.forward : stage.backward).push_back(line.row);
  }
  for (StageProfile::Stage& stage : profile.stages) {
    for (auto* pass : {&stage.forward, &stage.backward}) {
      std::sort(pass->begin(), pass->end(), [](const StageProfileRow& a, const StageProfileRow& b) { return a.clock > b.clock; });
    }
  }
  profile.rows = static_cast<std::int32_t>(lines.size());
  return profile;
}

}  // namespace joulecast::traces
