#include "cli/plan_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast plan scenarios/plan-azure-conv-8x.toml
  joulecast plan mine.toml --set plan.growth=1.3 --set 'plan.limits.power="69 kW"'
  joulecast plan mine.toml --set 'plan.choose.node=["dgx-h100", "hgx-b200"]' --json | jq .winner

Finds the cheapest, the most frugal and the smallest fleets of whole nodes that hold every SLO of the scenario with `survive` nodes down and `growth`
times its load. Each fleet that holds is written as plans/NAME.toml, which `joulecast run` runs. `joulecast schema plan` shows the keys. Exit code 3
where no fleet holds what is asked.)";

}  // namespace

PlanSyntax::PlanSyntax(CLI::App& app, detail::Common& common)
    : common_(common),
      plan_(detail::add_command(app, "plan", "The fleet to buy: the fewest nodes that hold every SLO, what they cost and draw", kExamples)) {
  plan_->add_option("SCENARIO", arguments_.path, "The scenario file (TOML), with [plan]")->required()->option_text(" ");
  plan_->add_option("--set", arguments_.sets, "Changes one key; may be given again")->option_text("KEY=VALUE")->allow_extra_args(false)->take_all();
  detail::add_text(plan_, "--seed", seed_, "N", "Seed of the random streams, instead of the file's");
  detail::add_text(plan_, "--out", arguments_.out, "DIR", "Results' folder (default: runs/NAME-HASH)");
  plan_->add_flag("--force", arguments_.force, "Replaces results that are there");
  detail::add_text(plan_, "-j,--threads", threads_, "N", "Candidates at once (default: the cores); the result is the same for any number");
  detail::add_common(plan_, common);
}

std::optional<PlanArguments> PlanSyntax::chosen() const {
  if (!plan_->parsed()) return std::nullopt;
  PlanArguments arguments = arguments_;
  arguments.json = common_.json;
  if (!seed_.empty()) arguments.seed = detail::whole_number<std::uint64_t>("--seed", seed_, 0, UINT64_MAX);
  if (!threads_.empty()) arguments.threads = detail::whole_number<int>("-j", threads_, 1, 1024);
  return arguments;
}

}  // namespace joulecast::cli
