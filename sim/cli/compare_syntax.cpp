#include "cli/compare_syntax.hpp"

#include "cli/draws_option_impl.hpp"
#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

using detail::add_text;
using detail::whole_number;

constexpr const char* kExamples = R"(Examples:
  joulecast compare scenarios/compare-routers.toml
  joulecast compare mine.toml --set compare.replications=16 --set 'compare.resample={what="arrivals",blocks="5 min"}'
  joulecast compare mine.toml --uncertainty 100
  joulecast compare mine.toml --set 'compare.hold="slo"' --json | jq .arm

Runs the arms of [compare] on the same requests and shows what each differs from the reference by, with an interval where replications are asked for.
`joulecast schema compare` shows the keys. Results go to runs/NAME-HASH as a run's do.)";

}  // namespace

CompareSyntax::CompareSyntax(CLI::App& app, detail::Common& common)
    : common_(common),
      compare_(
          detail::add_command(app, "compare", "Runs arms of a scenario on the same requests: what differs, and by how much for sure", kExamples)) {
  ScenarioArguments& scenario = arguments_.scenario;
  compare_->add_option("SCENARIO", scenario.path, "The scenario file (TOML)")->required()->option_text(" ");
  compare_->add_option("--set", scenario.sets, "Changes one key; may be given again")->option_text("KEY=VALUE")->allow_extra_args(false)->take_all();
  add_text(compare_, "--seed", seed_, "N", "Seed of the random streams, instead of the file's");
  add_text(compare_, "--out", arguments_.out, "DIR", "Results' folder (default: runs/NAME-HASH)");
  compare_->add_flag("--force", arguments_.force, "Replaces results that are there");
  add_text(compare_, "--uncertainty", uncertainty_, "N",
           "Draws profiles' errors N times, the same in all arms: intervals of levels and of differences");
  add_text(compare_, "-j,--threads", threads_, "N", "Runs at once (default: the cores); the result is the same for any number");
  detail::add_common(compare_, common);
}

std::optional<CompareArguments> CompareSyntax::chosen() const {
  if (!compare_->parsed()) return std::nullopt;
  CompareArguments chosen = arguments_;
  chosen.json = common_.json;
  if (!seed_.empty()) chosen.scenario.seed = whole_number<std::uint64_t>("--seed", seed_, 0, UINT64_MAX);
  if (!threads_.empty()) chosen.threads = whole_number<int>("-j", threads_, 1, 1024);
  chosen.uncertainty = detail::draws_of(uncertainty_);
  return chosen;
}

}  // namespace joulecast::cli
