#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <variant>

#include "base/error.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"

namespace {

using namespace joulecast;

struct Dispatch {
  cli::Console& console;
  int operator()(const cli::RunArguments& a) const { return cli::run(a, console); }
  int operator()(const cli::CompareArguments& a) const { return cli::compare(a, console); }
  int operator()(const cli::PlanArguments& a) const { return cli::plan(a, console); }
  int operator()(const cli::SweepArguments& a) const { return cli::sweep(a, console); }
  int operator()(const cli::CheckArguments& a) const { return cli::check(a, console); }
  int operator()(const cli::SchemaArguments& a) const { return cli::schema(a, console); }
  int operator()(const cli::ProfilesArguments& a) const { return cli::profiles(a, console); }
  int operator()(const cli::PoliciesArguments& a) const { return cli::policies(a, console); }
  int operator()(const cli::ValidateArguments& a) const { return cli::validate(a, console); }
  int operator()(const cli::FrontierArguments& a) const { return cli::frontier(a, console); }
  int operator()(const cli::ImportArguments& a) const { return cli::import_command(a, console); }
  int operator()(const cli::CalibrateArguments& a) const { return cli::calibrate(a, console); }
  int operator()(const cli::NewArguments& a) const { return cli::new_command(a, console); }
  int operator()(const cli::DocsArguments& a) const { return cli::docs(a, console); }
  int operator()(const cli::CompleteArguments& a) const { return cli::complete(a, console); }
  int operator()(const cli::ReportArguments& a) const { return cli::report(a, console); }
  int operator()(const cli::RecordArguments& a) const { return cli::record(a, console); }
};

std::string command_line(int count, char** values) {
  std::string line;
  for (int i = 0; i < count; ++i) line += fmt::format("{}{}", i == 0 ? "" : " ", values[i]);
  return line;
}

}  // namespace

int main(int count, char** values) {
  cli::Console console(cli::ColorChoice::automatic);
  try {
    const auto parsed = cli::parse_arguments(count, values);
    int code = cli::kDone;
    if (const auto* answer = std::get_if<cli::Answer>(&parsed)) {
      if (!answer->asked) {
        console.message(answer->text);
        return cli::kBadInput;
      }
      console.print(answer->text);
    } else {
      const auto& arguments = std::get<cli::Arguments>(parsed);
      console = cli::Console(arguments.color);
      code = std::visit(Dispatch{console}, arguments.command);
    }
    if (!console.flush()) {
      console.message("error: standard output did not take all results");
      return cli::kOurFailure;
    }
    return code;
  } catch (const UserError& error) {
    console.errors(error);
    return cli::kBadInput;
  } catch (const std::bad_alloc&) {
    console.message("error: not enough memory for this run\n  a shorter duration, a wider `bin` or fewer requests need less");
    return cli::kOurFailure;
  } catch (const std::exception& error) {
    console.bug(error.what(), command_line(count, values));
    return cli::kOurFailure;
  }
}
