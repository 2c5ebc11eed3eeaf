#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "base/error.hpp"
#include "cli/build_info.hpp"
#include "cli/calibrate_syntax.hpp"
#include "cli/command_page.hpp"
#include "cli/compare_syntax.hpp"
#include "cli/docs_syntax.hpp"
#include "cli/draws_option_impl.hpp"
#include "cli/import_syntax.hpp"
#include "cli/new_syntax.hpp"
#include "cli/options_impl.hpp"
#include "cli/plan_syntax.hpp"
#include "cli/record_syntax.hpp"
#include "cli/report_syntax.hpp"
#include "cli/sweep_syntax.hpp"
#include "config/node.hpp"

namespace joulecast::cli {
namespace {

using detail::add_common;
using detail::add_text;
using detail::usage_error;
using detail::whole_number;

constexpr const char* kMainExamples = R"(Examples:
  joulecast run scenarios/quickstart.toml
  joulecast check scenarios/quickstart.toml --set pool.chat.replicas=4
  joulecast schema pool
  joulecast profiles

A command's own help: joulecast COMMAND --help
Exit codes: 0 done, 1 our fault, 2 input or usage, 3 an SLO that is required was not met, 130 interrupted.)";

constexpr const char* kRunExamples = R"(Examples:
  joulecast run scenarios/quickstart.toml
  joulecast run mine.toml --set pool.chat.replicas=4 --set 'pool.chat.sm_clock="1410 MHz"'
  joulecast run mine.toml --set 'traffic.chat.requests={file="conv.csv",format="azure"}' --out results/conv
  joulecast run mine.toml --uncertainty 100
  joulecast run mine.toml --json | jq .energy_joules

Results go to runs/NAME-HASH, where HASH stands for the whole input: the same input again is already there.
A pool, a traffic or a key is named as in the file, with dots; a --set value is any TOML value, paths in it are relative to where you stand.)";

constexpr const char* kCheckExamples = R"(Examples:
  joulecast check scenarios/quickstart.toml
  joulecast check mine.toml --set pool.chat.tensor_parallel_size=8

Nothing is simulated and nothing is written.)";

constexpr const char* kSchemaExamples = R"(Examples:
  joulecast schema
  joulecast schema pool
  joulecast schema traffic.slo)";

constexpr const char* kProfilesExamples = R"(Examples:
  joulecast profiles
  joulecast profiles "H100 SXM"
  joulecast profiles --pairs
  joulecast profiles dgx-h100 --json)";

constexpr const char* kFrontierExamples = R"(Examples:
  joulecast frontier scenarios/training-gpt3-175b-a100.toml
  joulecast frontier mine.toml --job night --points 50 --csv frontier.csv
  joulecast frontier mine.toml --at 1.05 --export clocks.csv

What an iteration of a training job takes at the least for each time that it may take. --export writes, stage by stage, each pass and its clock.)";

constexpr const char* kValidateExamples = R"(Examples:
  joulecast validate --data ~/measured
  joulecast validate --only engine
  JOULECAST_DATA=~/measured joulecast validate --json

Entries whose data is not there are skipped. Only entries of kind "measured" are evidence; one that misses its tolerance is a result and
exits 0. An entry of kind "exact" or "regression" that fails exits 1.)";

/// What CLI11 fills; texts are checked after it is done so that every message names its remedy.
struct Raw : detail::Common {
  std::string seed, threads, points, uncertainty;
  RunArguments run;
  CheckArguments check;
  SchemaArguments schema;
  ProfilesArguments profiles;
  ValidateArguments validate;
  FrontierArguments frontier;
};

/// "joulecast calibrate ops".
std::string path_of(const CLI::App& app) { return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name(); }

/// The command that the words name, down to a command's own: nothing where they name none.
const CLI::App* deepest(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  if (parsed.empty()) return nullptr;
  const CLI::App* further = deepest(*parsed.front());
  return further != nullptr ? further : parsed.front();
}

/// A help text with the program's name in its usage line and single empty lines.
std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  const std::string path = path_of(app);
  text.replace(text.find("Usage: "), 7, "\nUsage: " + path.substr(0, path.size() - app.get_name().size()));
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

ColorChoice color_choice(const std::string& text) {
  if (text == "auto") return ColorChoice::automatic;
  if (text == "always") return ColorChoice::always;
  if (text == "never") return ColorChoice::never;
  usage_error(fmt::format("--color \"{}\" is none of auto, always, never", text), "auto colours a terminal and nothing else");
}

void add_scenario(CLI::App* app, ScenarioArguments& scenario, Raw& raw) {
  app->add_option("SCENARIO", scenario.path, "The scenario file (TOML)")->required()->option_text(" ");
  app->add_option("--set", scenario.sets, "Changes one key; may be given again")->option_text("KEY=VALUE")->allow_extra_args(false)->take_all();
  add_text(app, "--seed", raw.seed, "N", "Seed of the random streams, instead of the file's");
}

std::vector<std::string> names_of_options(const CLI::App* app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// Words that no option or argument took.
void refuse_extras(const CLI::App& app, const CLI::App* command) {
  std::vector<std::string> extras = command != nullptr ? command->remaining() : app.remaining();
  if (extras.empty()) return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  const std::string help = path_of(command != nullptr ? *command : app) + " --help";
  const bool option = word.starts_with("-");
  std::vector<std::string> known;
  if (option) {
    known = names_of_options(command != nullptr ? command : &app);
  } else if (command == nullptr) {
    for (const CLI::App* sub : app.get_subcommands({})) known.push_back(sub->get_name());
  }
  const std::string nearest = config::nearest(word, known);
  const std::string what = option ? "option" : (command == nullptr ? "command" : "argument");
  usage_error(fmt::format("unknown {} \"{}\"", what, word), nearest.empty()
                                                                ? fmt::format("`{}` lists what there is", help)
                                                                : fmt::format("did you mean {}? `{}` lists what there is", nearest, help));
}

/// The commands and their options.
struct Syntax {
  Raw raw;
  CLI::App app{"How many joules large language models take, how fast, and at what cost: a discrete-event simulator."};
  CLI::App *run, *check, *schema, *profiles, *policies, *validate, *frontier;
  std::optional<CompareSyntax> compare;
  std::optional<CalibrateSyntax> calibrate;
  std::optional<RecordSyntax> record;
  std::optional<NewSyntax> new_from;
  std::optional<PlanSyntax> plan;
  std::optional<DocsSyntax> docs;
  std::optional<SweepSyntax> sweep;
  std::optional<ImportSyntax> import_from;
  std::optional<ReportSyntax> report;

  Syntax() {
    app.name("joulecast");
    app.formatter(std::make_shared<detail::Help>());
    app.set_help_flag("-h,--help", "This help");
    app.set_version_flag(
        "--version",
        [] {
          const BuildInfo build = build_info();
          return fmt::format("joulecast {} ({}), {}, {}\n", build.version, build.commit, build.compiler, build.build_type);
        },
        "The version and the build");
    app.footer(kMainExamples);
    app.allow_extras();
    app.add_option("--color", raw.color)->group("");

    run = command("run", "Runs a scenario and reports energy, latency, cost and carbon", kRunExamples);
    add_scenario(run, raw.run.scenario, raw);
    add_text(run, "--out", raw.run.out, "DIR", "Results' folder (default: runs/NAME-HASH)");
    run->add_flag("--force", raw.run.force, "Replaces results that are there");
    run->add_flag("--requests", raw.run.requests, "Writes requests.csv, a line a request");
    run->add_flag("--timeline", raw.run.timeline, "Writes timeline.json, an iteration of each training job, for Perfetto");
    add_text(run, "--uncertainty", raw.uncertainty, "N",
             "Draws profiles' errors and the seed N times: intervals on every headline figure, and what they come from");
    add_text(run, "-j,--threads", raw.threads, "N", "Threads (default: the cores); the result is the same for any number");
    add_common(run, raw);
    run->add_flag("--step-mode", raw.run.step_mode, "One event a step instead of stretches: the same result, slower")->group("Checks");
    run->add_option("--fingerprint", raw.run.fingerprint, "Writes a rolling hash of every entity at every grid point")
        ->option_text("FILE")
        ->group("Checks");

    compare.emplace(app, raw);

    plan.emplace(app, raw);
    sweep.emplace(app, raw);

    check = command("check", "Says what would run, without running it: GPUs, watts, KV blocks, load", kCheckExamples);
    add_scenario(check, raw.check.scenario, raw);
    add_common(check, raw);

    schema = command("schema", "Every key of a scenario file: type, unit, default, bounds", kSchemaExamples);
    schema->add_option("KEY", raw.schema.key, "A table or key, with dots")->option_text(" ");
    add_common(schema, raw);

    profiles = command("profiles", "The GPUs, nodes and models that are shipped; with a name: each figure and its source", kProfilesExamples);
    profiles->add_option("NAME", raw.profiles.name, "A GPU, node or model")->option_text(" ");
    profiles->add_flag("--pairs", raw.profiles.pairs, "GPU x model x tensor parallelism: tier and error");
    add_common(profiles, raw);
    policies = command("policies", "The policies and their parameters", "");
    add_common(policies, raw);

    validate = command("validate", "Compares joulecast with what others measured and with closed forms", kValidateExamples);
    add_text(validate, "--data", raw.validate.data, "DIR", "Folder of measured data (default: JOULECAST_DATA)");
    add_text(validate, "--only", raw.validate.only, "PREFIX", "Entries whose id begins so");
    add_common(validate, raw);

    calibrate.emplace(app, raw);
    record.emplace(app, raw);
    new_from.emplace(app, raw);
    report.emplace(app, raw);

    frontier = command("frontier", "The time-energy frontier of a training job, and the clocks of any point on it", kFrontierExamples);
    add_scenario(frontier, raw.frontier.scenario, raw);
    add_text(frontier, "--job", raw.frontier.job, "NAME", "The job (default: the only one)");
    add_text(frontier, "--points", raw.points, "N", "How many deadlines (default: 25)");
    add_text(frontier, "--at", raw.frontier.at, "DEADLINE", "One deadline: \"28.5 s\", or a factor on the time at highest clocks");
    add_text(frontier, "--csv", raw.frontier.csv, "FILE", "Writes the table there too");
    add_text(frontier, "--html", raw.frontier.html, "FILE", "Writes a page with the curve there too");
    add_text(frontier, "--export", raw.frontier.export_file, "FILE", "Writes the clocks of the plan at --at (default: as fast as at highest clocks)");
    add_common(frontier, raw);

    import_from.emplace(app, raw);

    docs.emplace(app, raw);
  }

  CLI::App* command(const std::string& name, const std::string& text, const char* examples) { return detail::add_command(app, name, text, examples); }

  Command chosen() {
    RunArguments& a = raw.run;
    if (run->parsed()) {
      a.json = raw.json;
      a.scenario.seed = seed();
      a.uncertainty = detail::draws_of(raw.uncertainty);
      if (!raw.threads.empty()) a.threads = whole_number<int>("-j", raw.threads, 1, 1024);
      return a;
    }
    if (auto chosen = compare->chosen()) return *std::move(chosen);
    if (check->parsed()) {
      raw.check.json = raw.json;
      raw.check.scenario.seed = seed();
      return raw.check;
    }
    if (schema->parsed()) {
      raw.schema.json = raw.json;
      return raw.schema;
    }
    if (profiles->parsed()) {
      raw.profiles.json = raw.json;
      return raw.profiles;
    }
    if (policies->parsed()) return PoliciesArguments{raw.json};
    if (auto chosen = calibrate->chosen()) return *std::move(chosen);
    if (auto chosen = sweep->chosen()) return *std::move(chosen);
    if (auto chosen = record->chosen()) return *std::move(chosen);
    if (auto chosen = new_from->chosen()) return *std::move(chosen);
    if (auto chosen = plan->chosen()) return *std::move(chosen);
    if (auto chosen = report->chosen()) return *std::move(chosen);
    if (frontier->parsed()) {
      raw.frontier.json = raw.json;
      raw.frontier.scenario.seed = seed();
      if (!raw.points.empty()) raw.frontier.points = whole_number<int>("--points", raw.points, 2, 1000);
      return raw.frontier;
    }
    if (auto chosen = docs->chosen()) return *std::move(chosen);
    if (auto chosen = import_from->chosen()) return *std::move(chosen);
    raw.validate.json = raw.json;
    return raw.validate;
  }

  std::optional<std::uint64_t> seed() const {
    if (raw.seed.empty()) return std::nullopt;
    return whole_number<std::uint64_t>("--seed", raw.seed, 0, UINT64_MAX);
  }
};

}  // namespace

std::variant<Arguments, Answer> parse_arguments(int count, const char* const* values) {
  // The words of a line that is still being written are no command line yet.
  if (count > 1 && std::string_view(values[1]) == "complete") return Arguments{ColorChoice::never, CompleteArguments{{values + 2, values + count}}};
  Syntax syntax;
  CLI::App& app = syntax.app;
  if (count <= 1) return Answer{help_of(app), false};
  try {
    app.parse(count, values);
  } catch (const CLI::CallForVersion& version) {
    return Answer{version.what()};
  } catch (const CLI::Success&) {
    const CLI::App* asked = deepest(app);
    return Answer{help_of(asked == nullptr ? app : *asked)};
  } catch (const CLI::ParseError& error) {
    const CLI::App* parsed = deepest(app);
    usage_error(error.what(),
                parsed == nullptr ? "`joulecast --help` lists what there is" : fmt::format("`{} --help` shows how it is called", path_of(*parsed)));
  }
  const CLI::App* command = deepest(app);
  if (command == nullptr) {
    refuse_extras(app, nullptr);
    usage_error("no command", "`joulecast --help` lists the commands");
  }
  if (syntax.calibrate->parsed_alone()) syntax.calibrate->refuse();
  for (const CLI::App* each = command; each->get_parent() != nullptr; each = each->get_parent()) refuse_extras(app, each);
  refuse_extras(app, nullptr);
  return Arguments{color_choice(syntax.raw.color), syntax.chosen()};
}

CommandPage command_line() { return page_of(Syntax().app); }

}  // namespace joulecast::cli
