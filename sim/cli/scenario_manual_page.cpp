#include <fmt/format.h>

#include "cli/manual_page.hpp"

namespace joulecast::cli {
namespace {

using config::Parameter;

constexpr const char* kHead = R"(.SH NAME
joulecast\-scenario \- the scenario files of joulecast
.SH DESCRIPTION
A scenario is a TOML file. Things are named tables, [pool.chat]; quantities are strings with a unit, "1410 MHz", "0.08 USD/kWh"; an unknown key is a fault,
named with its place and the nearest known key.
.B extends = \(dqother.toml\(dq
takes another file and changes it.
Every key below can be changed on the command line:
.B joulecast run FILE \-\-set pool.chat.replicas=4.
Paths in a file are relative to it.
.PP
Bounds are in SI units. NAME stands for a name of your own.
.SH KEYS
)";

constexpr const char* kFoot = R"(.SH EXAMPLE
.EX
schema = 1
[site.here]
pue = 1.25
price = "0.08 USD/kWh"
carbon = "380 g/kWh"
[pool.chat]
node = "dgx\-h100"
model = "meta\-llama/Llama\-3.1\-70B\-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure\-2023\-conv"
request_rate = "4 /s"
length_prediction = "mean"
slo = { ttft = "2 s", tpot = "80 ms", attainment = "99 %" }
.EE
.SH SEE ALSO
.BR joulecast (1);
.B joulecast policies
lists the policies and their parameters,
.B joulecast profiles
the GPUs, nodes, models and fabrics.
)";

std::string properties(const Parameter& p) {
  if (p.later) return "not yet supported";
  std::string text = p.type;
  if (!p.unit.empty()) text += " in " + p.unit;
  if (!p.bounds.empty()) text += ", " + p.bounds;
  if (p.required) text += ", required";
  if (!p.default_text.empty()) text += ", default " + p.default_text;
  return text;
}

void add_table(const std::vector<Parameter>& keys, const std::string& path, std::string& out) {
  for (const Parameter& p : keys) {
    if (!p.nested.empty() && (p.type == "table" || p.type == "tables")) continue;
    out += fmt::format(".TP\n\\fB{}\\fR  (\\fI{}\\fR)\n{}\n", manual_text(p.key), manual_text(properties(p)),
                       p.text.empty() ? "\\&" : manual_text(p.text));
  }
  for (const Parameter& p : keys) {
    if (p.nested.empty()) continue;
    const std::string name = (path.empty() ? "" : path + ".") + p.key + (p.type == "tables" ? ".NAME" : "");
    out += fmt::format(".SS [{}]\n", manual_text(name));
    if (!p.text.empty()) out += manual_text(p.text) + (p.required ? "; required" : "") + ".\n";
    add_table(p.nested, name, out);
  }
}

}  // namespace

std::string scenario_manual_page(const std::vector<Parameter>& keys, const std::string& version) {
  std::string out = fmt::format(".TH JOULECAST\\-SCENARIO 5 \"\" \"joulecast {}\" \"joulecast manual\"\n.ad l\n.nh\n", manual_text(version));
  out += kHead;
  add_table(keys, "", out);
  return out + kFoot;
}

}  // namespace joulecast::cli
