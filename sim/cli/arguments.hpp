#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/calibrate_arguments.hpp"
#include "cli/docs_arguments.hpp"
#include "cli/import_arguments.hpp"
#include "cli/new_arguments.hpp"
#include "cli/plan_arguments.hpp"
#include "cli/record_arguments.hpp"
#include "cli/report_arguments.hpp"
#include "cli/scenario_arguments.hpp"
#include "cli/sweep_arguments.hpp"

namespace joulecast::cli {

enum class ColorChoice : std::uint8_t { automatic, always, never };

struct RunArguments {
  ScenarioArguments scenario;
  std::string out;        ///< the results' folder; "" makes it from the scenario's name and hash
  bool force = false;     ///< replaces results that are there
  bool requests = false;  ///< writes requests.csv
  bool timeline = false;  ///< writes timeline.json
  int uncertainty = 0;    ///< draws of errors and seeds; 0: none
  bool step_mode = false;
  int threads = 0;          ///< 0: one a core
  std::string fingerprint;  ///< the file that gets the fingerprints; "" keeps none
  bool json = false;
};

struct CompareArguments {
  ScenarioArguments scenario;
  std::string out;      ///< as of a run
  bool force = false;   ///< likewise
  int uncertainty = 0;  ///< draws of errors; 0: none
  int threads = 0;      ///< runs at once; 0: one a core
  bool json = false;
};

struct CheckArguments {
  ScenarioArguments scenario;
  bool json = false;
};

struct SchemaArguments {
  std::string key;  ///< "" shows all, "pool" or "pool.sm_clock" a part
  bool json = false;
};

struct FrontierArguments {
  ScenarioArguments scenario;
  std::string job;  ///< "" where there is one
  int points = 25;
  std::string at;           ///< a deadline: "28.5 s", or a factor on the time at highest clocks; "" for the whole frontier
  std::string csv;          ///< the table's file; "" for none
  std::string html;         ///< the page's file; "" for none
  std::string export_file;  ///< the clocks' file; "" for none
  bool json = false;
};

struct ProfilesArguments {
  std::string name;    ///< "" lists, a name shows each figure with its source
  bool pairs = false;  ///< lists GPU x model x tensor parallelism
  bool json = false;
};

struct PoliciesArguments {
  bool json = false;
};

struct ValidateArguments {
  std::string data;  ///< "" takes JOULECAST_DATA
  std::string only;  ///< ids that begin so
  bool json = false;
};

using Command = std::variant<RunArguments, CheckArguments, SchemaArguments, ProfilesArguments, PoliciesArguments, ValidateArguments,
                             CalibrateArguments, FrontierArguments, ImportArguments, RecordArguments, CompareArguments, NewArguments, PlanArguments,
                             DocsArguments, CompleteArguments, SweepArguments, ReportArguments>;

struct Arguments {
  ColorChoice color = ColorChoice::automatic;
  Command command;
};

/// Text that answers by itself: help or version, or the help that a call without a command gets as a message.
struct Answer {
  std::string text;
  bool asked = true;
};

/// What the command line says. Throws UserError for a usage that is not known, each fault with its remedy.
std::variant<Arguments, Answer> parse_arguments(int count, const char* const* values);

}  // namespace joulecast::cli
