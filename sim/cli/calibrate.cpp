#include <variant>

#include "cli/commands.hpp"

namespace joulecast::cli {
namespace {

struct Dispatch {
  Console& console;
  int operator()(const CalibrateCompareArguments& a) const { return calibrate_compare(a, console); }
  int operator()(const CalibrateInspectArguments& a) const { return calibrate_inspect(a, console); }
  int operator()(const CalibrateOpsArguments& a) const { return calibrate_ops(a, console); }
  int operator()(const CalibrateFitArguments& a) const { return calibrate_fit(a, console); }
  int operator()(const CalibrateServingArguments& a) const { return calibrate_serving(a, console); }
  int operator()(const CalibrateStagesArguments& a) const { return calibrate_stages(a, console); }
  int operator()(const CalibrateTokensArguments& a) const { return calibrate_tokens(a, console); }
};

}  // namespace

int calibrate(const CalibrateArguments& arguments, Console& console) { return std::visit(Dispatch{console}, arguments); }

}  // namespace joulecast::cli
