#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/parameter_text.hpp"
#include "policy/registry.hpp"

namespace joulecast::cli {

int policies(const PoliciesArguments& arguments, Console& console) {
  using report::Ink;
  if (arguments.json) {
    nlohmann::ordered_json out = {{"schema", 1}};
    out["policies"] = nlohmann::ordered_json::array();
    for (const policy::RoutingPolicy& entry : policy::routing_policies()) {
      nlohmann::ordered_json row = {{"name", entry.name}, {"chooses", entry.chooses}, {"text", entry.text}};
      for (const config::Parameter& p : entry.parameters) row["parameters"].push_back(parameter_json(p));
      out["policies"].push_back(std::move(row));
    }
    console.print(out.dump(2) + "\n");
    return kDone;
  }
  console.print(console.inked(Ink::heading, "[router] replica") + console.inked(Ink::dim, "  chooses a replica for each request") + "\n");
  for (const policy::RoutingPolicy& entry : policy::routing_policies()) {
    console.print(fmt::format("  {}\n{}", console.inked(Ink::heading, entry.name), wrapped(entry.text, console.width(), 6)));
    for (const config::Parameter& p : entry.parameters) print_parameter(p, 6, console);
  }
  console.print("\nWith parameters, a policy is a table of its own: [policy.NAME] with use = \"...\", and replica = \"NAME\".\n");
  return kDone;
}

}  // namespace joulecast::cli
