#pragma once

#include "cli/arguments.hpp"
#include "cli/console.hpp"

namespace joulecast::cli {

/// What a command ends with; the same for scripts and people.
enum ExitCode : int {
  kDone = 0,
  kOurFailure = 1,
  kBadInput = 2,
  kNotHeld = 3,  ///< no setting holds what was asked, or an SLO with `required = true` is not met
  kInterrupted = 130,
};

/// One function a subcommand, each in a file of its name: does it, prints it, returns the exit code. They throw UserError and Bug.
int run(const RunArguments& arguments, Console& console);
int compare(const CompareArguments& arguments, Console& console);
int plan(const PlanArguments& arguments, Console& console);
int sweep(const SweepArguments& arguments, Console& console);
int check(const CheckArguments& arguments, Console& console);
int schema(const SchemaArguments& arguments, Console& console);
int profiles(const ProfilesArguments& arguments, Console& console);
int policies(const PoliciesArguments& arguments, Console& console);
int validate(const ValidateArguments& arguments, Console& console);
int frontier(const FrontierArguments& arguments, Console& console);
int import_command(const ImportArguments& arguments, Console& console);
int new_command(const NewArguments& arguments, Console& console);
int docs(const DocsArguments& arguments, Console& console);
int complete(const CompleteArguments& arguments, Console& console);
int report(const ReportArguments& arguments, Console& console);
int record(const RecordArguments& arguments, Console& console);
int calibrate(const CalibrateArguments& arguments, Console& console);
/// `calibrate compare` of a folder with scenario.toml and power.csv.
bool is_power_run(const std::string& folder);
int compare_power(const CalibrateCompareArguments& arguments, Console& console);
int calibrate_compare(const CalibrateCompareArguments& arguments, Console& console);
int calibrate_inspect(const CalibrateInspectArguments& arguments, Console& console);
int calibrate_ops(const CalibrateOpsArguments& arguments, Console& console);
int calibrate_fit(const CalibrateFitArguments& arguments, Console& console);
int calibrate_serving(const CalibrateServingArguments& arguments, Console& console);
int calibrate_stages(const CalibrateStagesArguments& arguments, Console& console);
int calibrate_tokens(const CalibrateTokensArguments& arguments, Console& console);

}  // namespace joulecast::cli
