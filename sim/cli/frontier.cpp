#include "study/frontier.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/scenario_input.hpp"
#include "policy/clocks/clock_export.hpp"
#include "report/html/page.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using scenario::ClockPlanFigures;

double saving(const study::Frontier& frontier, const study::FrontierRow& row) { return ClockPlanFigures::saving(row.figures, frontier.highest); }
double slowdown(const study::Frontier& frontier, const study::FrontierRow& row) { return ClockPlanFigures::slowdown(row.figures, frontier.highest); }

void write_file(const std::string& path, const std::string& text, const char* option) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw UserError(Place{path}, fmt::format("cannot write here ({})", option), "choose another file");
}

std::string table_text(const study::Frontier& frontier, const std::vector<study::FrontierRow>& rows, const report::Style& style) {
  const auto heading = [](const char* text) { return report::Cell{text, report::Ink::heading, true}; };
  report::Table table;
  table.row({report::words("Frontier of " + frontier.job, report::Ink::heading), heading("iteration s"), heading("GPU kJ"), heading("saves"),
             heading("slower"), heading("bound kJ")});
  const auto add = [&](const std::string& what, double seconds, double joules, double saves, double slower, double bound) {
    table.row({report::words("  " + what),
               {fmt::format("{:.4f}", seconds)},
               {fmt::format("{:.3f}", joules / 1e3)},
               {fmt::format("{:.2f} %", 100 * saves)},
               {fmt::format("{:.2f} %", 100 * slower)},
               {bound > 0 ? fmt::format("{:.3f}", bound / 1e3) : std::string(report::kUnknown)}});
  };
  add("highest clocks", frontier.highest.seconds, frontier.highest.joules, 0, 0, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add(fmt::format("{}", i), rows[i].figures.seconds, rows[i].figures.joules, saving(frontier, rows[i]), slowdown(frontier, rows[i]),
        rows[i].bound_joules);
  }
  return table.text(style);
}

std::string csv_text(const study::Frontier& frontier, const std::vector<study::FrontierRow>& rows) {
  std::string text = "deadline_s,iteration_s,iteration_joules,saving,slowdown,bound_joules\n";
  for (const auto& row : rows) {
    text += fmt::format("{},{},{},{},{},{}\n", row.deadline_s, row.figures.seconds, row.figures.joules, saving(frontier, row),
                        slowdown(frontier, row), row.bound_joules);
  }
  return text;
}

nlohmann::ordered_json json_of(const study::Frontier& frontier, const std::vector<study::FrontierRow>& rows) {
  nlohmann::ordered_json object = {{"job", frontier.job},
                                   {"replicas", frontier.replicas},
                                   {"highest_clocks", {{"iteration_s", frontier.highest.seconds}, {"iteration_joules", frontier.highest.joules}}}};
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const auto& row : rows) {
    points.push_back({{"deadline_s", row.deadline_s},
                      {"iteration_s", row.figures.seconds},
                      {"iteration_joules", row.figures.joules},
                      {"saving", saving(frontier, row)},
                      {"slowdown", slowdown(frontier, row)},
                      {"bound_joules", row.bound_joules}});
  }
  object["points"] = std::move(points);
  return object;
}

}  // namespace

int frontier(const FrontierArguments& arguments, Console& console) {
  const scenario::Scenario scenario = load_scenario(arguments.scenario);
  const scenario::TrainingJob& job = study::find_job(scenario, arguments.job);
  const study::Frontier frontier = study::frontier(scenario, job, arguments.at.empty() ? arguments.points : 2);
  std::vector<study::FrontierRow> rows = frontier.rows;
  if (!arguments.at.empty()) rows = {study::row_at(frontier, study::deadline_of(frontier, arguments.at))};
  if (!arguments.csv.empty()) write_file(arguments.csv, csv_text(frontier, rows), "--csv");
  if (!arguments.export_file.empty()) {
    const study::FrontierRow& chosen = arguments.at.empty() ? study::row_at(frontier, frontier.highest.seconds) : rows.front();
    write_file(arguments.export_file, policy::clock_list_csv(policy::clock_list(frontier.iteration, chosen.plan)), "--export");
  }
  if (!arguments.html.empty()) write_file(arguments.html, report::html_frontier(json_of(frontier, rows).dump()), "--html");
  console.print(arguments.json ? json_of(frontier, rows).dump(2) + "\n" : table_text(frontier, rows, console.style()));
  console.flush();
  return kDone;
}

}  // namespace joulecast::cli
