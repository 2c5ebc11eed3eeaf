#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/share.hpp"
#include "report/table.hpp"
#include "validation/ml_energy.hpp"
#include "validation/registry.hpp"
#include "validation/steady_decode.hpp"

namespace joulecast::cli {
namespace {

using validation::Kind;
using validation::Outcome;
using validation::Verdict;

std::string data_folder(const ValidateArguments& arguments) {
  std::string folder = arguments.data;
  if (folder.empty()) {
    if (const char* given = std::getenv("JOULECAST_DATA")) folder = given;
  }
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw UserError({}, fmt::format("the folder of measured data \"{}\" does not exist", folder),
                    "give the right one with --data, or leave it out: then what needs data is skipped");
  }
  return folder;
}

void print_json(const std::vector<Outcome>& outcomes, Console& console) {
  nlohmann::ordered_json out;
  out["entries"] = nlohmann::ordered_json::array();
  for (const Outcome& outcome : outcomes) {
    const validation::Entry& entry = outcome.entry;
    nlohmann::ordered_json row = {{"id", entry.id}};
    if (outcome.ours) row["ours"] = outcome.ours->value;
    row["expected"] = entry.expected;
    row["unit"] = entry.unit;
    row["tolerance"] = entry.tolerance;
    row["kind"] = std::string(name(entry.kind));
    row["verdict"] = std::string(name(outcome.verdict));
    out["entries"].push_back(std::move(row));
  }
  console.print(out.dump(2) + "\n");
}

std::string distance(const Outcome& outcome) {
  if (!outcome.ours) return "";
  const double difference = outcome.ours->value - outcome.entry.expected;
  if (outcome.ours->standard_error > 0) return fmt::format("{:+.2f} se", difference / outcome.ours->standard_error);
  if (outcome.entry.expected == 0) return fmt::format("{:+.3g}", difference);
  return fmt::format("{:+.2f} %", 100 * difference / outcome.entry.expected);
}

void print_table(const std::vector<Outcome>& outcomes, Console& console) {
  using report::Ink;
  using report::words;
  report::Table table;
  table.row({words("id", Ink::heading),
             {"ours", Ink::heading},
             {"expected", Ink::heading},
             words("unit", Ink::heading),
             {"off by", Ink::heading},
             words("allowed", Ink::heading),
             words("kind", Ink::heading),
             words("verdict", Ink::heading)});
  int count[3] = {};
  for (const Outcome& outcome : outcomes) {
    const validation::Entry& entry = outcome.entry;
    ++count[static_cast<int>(outcome.verdict)];
    const std::size_t standard = entry.tolerance.find("standard errors");
    constexpr Ink inks[] = {Ink::good, Ink::bad, Ink::dim};
    table.row({words(entry.id),
               {outcome.ours ? fmt::format("{:.8g}", outcome.ours->value) : ""},
               {fmt::format("{:.8g}", entry.expected)},
               words(entry.unit),
               {distance(outcome)},
               words(standard == std::string::npos ? entry.tolerance : entry.tolerance.substr(0, standard) + "se"),
               words(std::string(name(entry.kind))),
               words(std::string(name(outcome.verdict)), inks[static_cast<int>(outcome.verdict)])});
  }
  console.print(table.text(console.style()));
  console.print(fmt::format("\n{} pass, {} fail, {} skipped; only `measured` is evidence\n", count[0], count[1], count[2]));
}

}  // namespace

int validate(const ValidateArguments& arguments, Console& console) {
  const std::string data = data_folder(arguments);
  const validation::Sources sources{data, share_folder()};
  const std::vector<Outcome> outcomes =
      validation::validate(validation::comparisons(sources), sources, arguments.only, [&](const validation::Entry& entry) {
        if (console.messages_on_terminal()) console.message(fmt::format("{} ...", entry.id));
      });
  if (outcomes.empty()) {
    throw UserError({}, fmt::format("no entry's id begins with \"{}\"", arguments.only), "`joulecast validate` without --only lists all");
  }
  if (arguments.json) {
    print_json(outcomes, console);
  } else {
    print_table(outcomes, console);
    if (std::string_view("serving").starts_with(arguments.only)) {
      const std::string table = validation::steady_decode_table(sources);
      if (!table.empty()) console.print("\n" + table);
      const std::string unseen = validation::ml_energy_table(sources);
      if (!unseen.empty()) console.print("\n" + unseen);
    }
  }
  const auto skipped = std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& o) { return o.verdict == Verdict::skipped; });
  if (skipped > 0 && data.empty()) console.note("some entries need measured data: name its folder with --data or JOULECAST_DATA");
  const bool ours = std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& o) {
    return o.verdict == Verdict::fail && (o.entry.kind == Kind::exact || o.entry.kind == Kind::regression);
  });
  return ours ? kOurFailure : kDone;
}

}  // namespace joulecast::cli
