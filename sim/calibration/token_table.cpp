#include "calibration/token_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.hpp"
#include "calibration/number_cell.hpp"

namespace joulecast::calibration {
namespace {

using traces::Column;
using traces::Delimited;
using traces::TextLines;

/// Positions of the wanted columns.
enum : std::size_t { kInput, kOutput, kEnergy, kSeconds, kModel, kSystem, kPhase };

struct Form {
  std::vector<Column> columns;
  double joules_a_unit = 1;
};

bool in_millijoules(const std::string& header) { return header.find("GPU Energy (mJ)") != std::string::npos; }

Form form_of(const std::string& path) {
  const std::string header = header_of(path);
  if (header.find("Number of Input Tokens") != std::string::npos) {
    return {{{{"Number of Input Tokens"}},
             {{"Number of Output Tokens", "Output Token Limit"}},
             {{in_millijoules(header) ? "GPU Energy (mJ)" : "GPU Energy (J)"}},
             {{"Runtime (s)"}, false},
             {{"Model"}, false},
             {{"System", "System Name"}, false},
             {{"Phase"}, false}},
            in_millijoules(header) ? 1e-3 : 1};
  }
  return {{{{"tokens_in", "input_tokens", "prompt_tokens", "tin"}},
           {{"tokens_out", "output_tokens", "completion_tokens", "generated_tokens", "tout"}},
           {{"joules", "energy_joules", "energy_j", "energy(J)"}},
           {{"seconds", "runtime_s", "time_s", "latency_s", "runtime(s)"}, false},
           {{"model"}, false},
           {{"system", "gpu"}, false},
           {{"phase"}, false}},
          1};
}

std::string cell_of(const Delimited& rows, std::size_t column) { return rows.has(column) ? std::string(rows.cell(column)) : std::string(); }

TokenSweep& sweep_of(std::vector<TokenSweep>& sweeps, const std::string& model, const std::string& system) {
  for (TokenSweep& sweep : sweeps) {
    if (sweep.model == model && sweep.system == system) return sweep;
  }
  sweeps.push_back({model, system, {}});
  return sweeps.back();
}

void check_systems(const std::vector<TokenSweep>& sweeps, const std::string& path) {
  for (const TokenSweep& sweep : sweeps) {
    std::vector<std::string> systems;
    for (const TokenSweep& other : sweeps) {
      if (other.model == sweep.model) systems.push_back(other.system);
    }
    if (systems.size() == 1) continue;
    throw UserError(Place{path, 0, 0}, fmt::format("\"{}\" was measured on several systems: {}", sweep.model, fmt::join(systems, ", ")),
                    fmt::format("choose one: --system \"{}\"", systems.front()));
  }
}

}  // namespace

std::vector<TokenSweep> read_token_table(const std::string& path, const TokenFilter& filter, TableSource& source) {
  const Form form = form_of(path);
  Delimited rows(TextLines(path), form.columns);
  std::vector<TokenSweep> sweeps;
  std::vector<std::string> models;
  while (rows.next()) {
    if (rows.has(kPhase) && rows.cell(kPhase).find("inference") == std::string_view::npos) {
      source.drop("of phase " + std::string(rows.cell(kPhase)));
      continue;
    }
    const std::string model = cell_of(rows, kModel), system = cell_of(rows, kSystem);
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
    if ((!filter.model.empty() && model != filter.model) || (!filter.system.empty() && system != filter.system)) {
      source.drop("of another model or system");
      continue;
    }
    const std::string_view energy = rows.cell(kEnergy);
    if (energy.empty() || energy == "0" || energy == "0.0") {
      source.drop("without energy");
      continue;
    }
    TokenRow row;
    row.input = static_cast<double>(count_cell(rows, kInput));
    row.output = static_cast<double>(count_cell(rows, kOutput));
    row.joules = positive_cell(rows, kEnergy) * form.joules_a_unit;
    if (rows.has(kSeconds) && !rows.cell(kSeconds).empty()) row.seconds = positive_cell(rows, kSeconds);
    sweep_of(sweeps, model, system).rows.push_back(row);
    ++source.used;
  }
  if (sweeps.empty()) {
    const std::string wanted = filter.model.empty() ? filter.system : filter.model;
    throw UserError(Place{path, 0, 0}, wanted.empty() ? "no row of an inference" : fmt::format("no row of \"{}\"", wanted),
                    models.empty() ? "give a table with requests" : fmt::format("the table has the models {}", fmt::join(models, ", ")));
  }
  check_systems(sweeps, path);
  return sweeps;
}

}  // namespace joulecast::calibration
