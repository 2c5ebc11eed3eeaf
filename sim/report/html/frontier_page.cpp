#include <fmt/format.h>

#include <string>

#include "report/html/page_content.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

std::string percent_of(double share) { return fmt::format("{:.2f} %", 100 * share); }

}  // namespace

PageContent frontier_content(const Json& frontier) {
  PageContent page;
  page.kind = "frontier";
  page.title = "Frontier of " + frontier.value("job", "");
  page.subtitle = fmt::format("the least energy of an iteration for each time that it may take; {} replicas", frontier.value("replicas", 1));
  FigureTable table{"Points of the frontier", {"Point", "Iteration", "GPU energy", "Saves", "Slower", "Bound"}, {}};
  const Json& highest = frontier["highest_clocks"];
  table.rows.push_back(
      {"highest clocks", scaled(seconds(), highest["iteration_s"]), scaled(joules(), highest["iteration_joules"]), "0", "0", std::string(kUnknown)});
  std::size_t number = 0;
  for (const Json& point : frontier["points"]) {
    table.rows.push_back({fmt::format("{}", number++), scaled(seconds(), point["iteration_s"]), scaled(joules(), point["iteration_joules"]),
                          percent_of(point["saving"]), percent_of(point["slowdown"]),
                          point["bound_joules"].get<double>() > 0 ? scaled(joules(), point["bound_joules"]) : std::string(kUnknown)});
  }
  table.note = "Bound: no plan of that time can take less.";
  page.tables.push_back(std::move(table));
  page.data["frontier"] = frontier;
  return page;
}

}  // namespace joulecast::report
