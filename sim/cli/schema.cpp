#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/parameter_text.hpp"
#include "config/node.hpp"
#include "config/record.hpp"
#include "scenario/load.hpp"

namespace joulecast::cli {
namespace {

using config::Parameter;
using report::Ink;
using Json = nlohmann::ordered_json;

void print_keys(const std::vector<Parameter>& keys, const std::string& path, Console& console) {
  const auto is_table = [](const Parameter& p) { return !p.nested.empty(); };
  const auto is_only_a_table = [&](const Parameter& p) { return is_table(p) && (p.type == "table" || p.type == "tables"); };
  for (const Parameter& p : keys) {
    if (is_only_a_table(p)) continue;
    print_parameter(p, 2, console);
  }
  for (const Parameter& p : keys) {
    if (!is_table(p)) continue;
    const std::string name = (path.empty() ? "" : path + ".") + p.key + (p.type == "tables" ? ".NAME" : "");
    console.print(fmt::format("\n{}{}\n", console.inked(Ink::heading, "[" + name + "]"), console.inked(Ink::dim, p.required ? "  required" : "")));
    if (!p.text.empty() && is_only_a_table(p)) console.print(wrapped(p.text, console.width(), 2));
    print_keys(p.nested, name, console);
  }
}

/// The parameter that a dotted path names; names of tables in it ("pool.chat.replicas") are passed over.
const Parameter& find(std::span<const Parameter> keys, std::string_view path) {
  const std::string whole(path);
  const Parameter* found = nullptr;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string part(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
    const Parameter* next = nullptr;
    std::vector<std::string> names;
    for (const Parameter& p : keys) {
      names.push_back(p.key);
      if (p.key == part) next = &p;
    }
    if (next == nullptr && found != nullptr && found->type == "tables" && !path.empty()) continue;
    if (next == nullptr) {
      const std::string nearest = config::nearest(part, names);
      throw UserError(
          {}, fmt::format("a scenario has no key \"{}\"", whole),
          nearest.empty() ? "`joulecast schema` lists all keys" : fmt::format("did you mean \"{}\"? `joulecast schema` lists all keys", nearest));
    }
    found = next;
    keys = found->nested;
  }
  return *found;
}

}  // namespace

int schema(const SchemaArguments& arguments, Console& console) {
  std::vector<Parameter> keys = scenario::schema();
  std::string path;
  if (!arguments.key.empty()) {
    keys = {find(keys, arguments.key)};
    path = arguments.key.substr(0, arguments.key.rfind('.') == std::string::npos ? 0 : arguments.key.rfind('.'));
  }
  if (arguments.json) {
    Json out = {{"schema", 1}};
    for (const Parameter& p : keys) out["keys"].push_back(parameter_json(p));
    console.print(out.dump(2) + "\n");
  } else {
    print_keys(keys, path, console);
  }
  return kDone;
}

}  // namespace joulecast::cli
