#include "cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace joulecast::cli {
namespace {

constexpr const char* kDescription = R"(.SH DESCRIPTION
joulecast is a discrete\-event simulator for the energy of large language models in datacenters: for traffic and training jobs on a fleet under policies
it says how many joules, how fast, at what cost and carbon, and how sure that is.
A scenario is a TOML file; its keys are in
.BR joulecast\-scenario (5).
Results go to standard output, messages to standard error.
)";

constexpr const char* kRest = R"(.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
A fault of joulecast itself, or standard output that did not take everything.
.TP
.B 2
A fault of the input or of the usage. Every fault is named with its place and what to do; nothing is written.
.TP
.B 3
No setting holds what was asked, or an SLO with
.B required = true
is not met.
.TP
.B 130
Interrupted by Ctrl\-C.
.SH ENVIRONMENT
.TP
.B JOULECAST_DATA
The folder of measured data that
.B joulecast validate
compares with.
.TP
.B JOULECAST_SHARE
The folder with hardware_profiles/ and workloads/ (default: share/joulecast beside the program's bin/).
.TP
.B NO_COLOR
Set to anything but nothing, no output has colour.
.SH FILES
.TP
.I runs/NAME\-HASH/
The results of a run: run.json, scenario.resolved.toml, summary.json, summary.csv, report.txt, results.h5 and, where asked for, requests.csv and timeline.json.
.TP
.I share/joulecast/hardware_profiles/
GPUs, nodes and fabrics, every figure with its source.
.TP
.I share/joulecast/workloads/
Model architectures, length histograms, energy beliefs.
.TP
.I share/joulecast/scenarios/
Scenarios that run as they are.
)";

std::string title(std::string_view name, int section, const std::string& version) {
  return fmt::format(".TH {} {} \"\" \"joulecast {}\" \"joulecast manual\"\n.ad l\n.nh\n", manual_text(name), section, manual_text(version));
}

std::string option_head(const OptionPage& option) {
  std::string head;
  for (const std::string& name : option.names) head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", manual_text(name));
  if (!option.value.empty()) head += fmt::format("{}\\fI{}\\fR", head.empty() ? "" : " ", manual_text(option.value));
  return head;
}

std::string synopsis(const CommandPage& command) {
  std::string line = fmt::format("\\fB{}\\fR", manual_text(command.path));
  if (!command.commands.empty()) line += " \\fICOMMAND\\fR";
  for (const OptionPage& option : command.options) {
    if (!option.names.empty()) continue;
    const std::string argument = fmt::format("\\fI{}\\fR", manual_text(option.value));
    line += option.required ? " " + argument : " [" + argument + "]";
  }
  return line + " [\\fIOPTION\\fR]...\n";
}

/// The examples of a help text keep their lines, its paragraphs do not.
std::string footer_text(const std::string& footer) {
  std::string out;
  bool example = false;
  std::size_t at = 0;
  while (at < footer.size()) {
    const std::size_t end = std::min(footer.find('\n', at), footer.size());
    const std::string line = footer.substr(at, end - at);
    at = end + 1;
    const bool indented = line.starts_with("  ");
    if (indented != example) out += indented ? ".PP\n.EX\n" : ".EE\n.PP\n";
    example = indented;
    if (!line.empty()) {
      out += manual_text(line) + "\n";
    } else if (!out.ends_with(".PP\n")) {
      out += ".PP\n";
    }
  }
  if (example) out += ".EE\n";
  return out;
}

std::string options_text(const CommandPage& command) {
  std::string out;
  for (const OptionPage& option : command.options) {
    const std::string also = std::string(option.required && !option.names.empty() ? "; required" : "") +
                             (option.again && option.text.find("again") == std::string::npos ? "; may be given again" : "");
    out += fmt::format(".TP\n{}\n{}{}.\n", option_head(option), manual_text(option.text), also);
  }
  return out;
}

std::string command_text(const CommandPage& command) {
  std::string out =
      fmt::format(".SS {}\n{}.PP\n{}.\n", manual_text(command.path.substr(command.path.find(' ') + 1)), synopsis(command), manual_text(command.text));
  if (command.commands.empty()) out += options_text(command);
  if (command.commands.empty() && !command.footer.empty()) out += ".PP\n" + footer_text(command.footer);
  for (const CommandPage& below : command.commands) out += command_text(below);
  return out;
}

/// Two paragraph breaks in a row, or one where nothing stands before it, are one too many for a manual's checker.
std::string tidy(std::string text) {
  for (const auto& [twice, once] : {std::pair<std::string_view, std::string_view>{".PP\n.PP\n", ".PP\n"}, {".PP\n.SS", ".SS"}, {".PP\n.SH", ".SH"}}) {
    for (std::size_t at; (at = text.find(twice)) != std::string::npos;) text.replace(at, twice.size(), once);
  }
  return text;
}

}  // namespace

std::string manual_page(const CommandPage& program, const std::string& version) {
  std::string out = title("JOULECAST", 1, version);
  out += ".SH NAME\njoulecast \\- joules of large language models, how fast, and at what cost: a simulator\n.SH SYNOPSIS\n" + synopsis(program);
  out += kDescription;
  out += ".SH OPTIONS\n" + options_text(program);
  out += ".SH COMMANDS\n";
  for (const CommandPage& command : program.commands) out += command_text(command);
  out += kRest;
  std::string examples = program.footer.substr(0, program.footer.find("\n\n"));
  examples.erase(0, examples.find('\n') + 1);
  out += ".SH EXAMPLES\n" + footer_text(examples);
  out += ".SH SEE ALSO\n.BR joulecast\\-scenario (5),\n.BR nvidia\\-smi (1)\n";
  return tidy(std::move(out));
}

}  // namespace joulecast::cli
