#include "hardware/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/share.hpp"
#include "config/node.hpp"
#include "hardware/gpu.hpp"
#include "hardware/node.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using Json = nlohmann::ordered_json;
using hardware::FigureLine;
using report::Ink;
using report::words;

struct Listing {
  const char* what;
  const char* title;
  std::string folder;
  std::vector<hardware::ProfileEntry> entries;
};

std::vector<Listing> listings(const std::string& share) {
  std::vector<Listing> all = {{"gpu", "GPUs", hardware::gpu_folder(share), {}},
                              {"node", "Nodes", hardware::node_folder(share), {}},
                              {"model", "Models", hardware::model_folder(share), {}}};
  for (Listing& listing : all) listing.entries = hardware::list_profiles(listing.folder);
  return all;
}

void list(const std::vector<Listing>& all, bool json, Console& console) {
  if (json) {
    Json out;
    for (const Listing& listing : all) {
      for (const auto& entry : listing.entries) out[listing.what].push_back({{"name", entry.name}, {"aliases", entry.aliases}, {"file", entry.path}});
    }
    console.print(out.dump(2) + "\n");
    return;
  }
  for (const Listing& listing : all) {
    report::Table table;
    table.row({words(listing.title, Ink::heading), words("also", Ink::heading)});
    for (const auto& entry : listing.entries) table.row({words(entry.name), words(fmt::format("{}", fmt::join(entry.aliases, ", ")), Ink::dim)});
    console.print(table.text(console.style()) + "\n");
  }
  console.print(console.inked(Ink::dim, "Each figure and its source: joulecast profiles NAME") + "\n");
}

void show(const std::string& title, const std::string& file, const std::vector<FigureLine>& lines, bool json, Console& console) {
  if (json) {
    Json out = {{"name", title}, {"file", file}};
    for (const FigureLine& line : lines) {
      Json figure = {{"key", line.key}, {"value", line.value}, {"kind", std::string(hardware::name(line.kind))}, {"source", line.source}};
      if (line.error) figure["error"] = *line.error;
      out["figures"].push_back(figure);
    }
    console.print(out.dump(2) + "\n");
    return;
  }
  console.print(fmt::format("{}  {}\n", console.inked(Ink::heading, title), console.inked(Ink::dim, file)));
  report::Table table;
  table.row(
      {words("figure", Ink::heading), {"SI value", Ink::heading}, {"+-", Ink::heading}, words("kind", Ink::heading), words("source", Ink::heading)});
  for (const FigureLine& line : lines) {
    table.row({words(line.key),
               {fmt::format("{:.6g}", line.value)},
               {line.error ? report::percent(*line.error) : ""},
               words(std::string(hardware::name(line.kind))),
               words(line.source, Ink::dim)});
  }
  console.print(table.text(console.style()));
}

const hardware::ProfileEntry* find(const Listing& listing, const std::string& wanted) {
  const auto same = [&](const std::string& name) { return name == wanted; };
  for (const auto& entry : listing.entries) {
    if (same(entry.name) || std::any_of(entry.aliases.begin(), entry.aliases.end(), same)) return &entry;
  }
  return nullptr;
}

}  // namespace

int profiles(const ProfilesArguments& arguments, Console& console) {
  const std::vector<Listing> all = listings(share_folder());
  if (arguments.name.empty()) {
    list(all, arguments.json, console);
    return kDone;
  }
  config::Diagnostics diagnostics;
  if (const auto* gpu = find(all[0], arguments.name)) {
    const hardware::GpuProfile profile = hardware::load_gpu(gpu->path, diagnostics);
    diagnostics.throw_if_failed();
    show(profile.name, gpu->path, hardware::figures(profile), arguments.json, console);
  } else if (const auto* node = find(all[1], arguments.name)) {
    const hardware::NodeProfile profile = hardware::load_node(node->path, diagnostics);
    diagnostics.throw_if_failed();
    show(profile.name, node->path, hardware::figures(profile), arguments.json, console);
  } else if (const auto* model = find(all[2], arguments.name)) {
    const config::Node file = config::parse_file(model->path);
    console.print(config::write(file));
  } else {
    std::vector<std::string> names;
    for (const Listing& listing : all) {
      for (const auto& entry : listing.entries) names.push_back(entry.name);
    }
    const std::string nearest = config::nearest(arguments.name, names);
    throw UserError(
        {}, fmt::format("no GPU, node or model is called \"{}\"", arguments.name),
        nearest.empty() ? "`joulecast profiles` lists them" : fmt::format("did you mean \"{}\"? `joulecast profiles` lists them", nearest));
  }
  return kDone;
}

}  // namespace joulecast::cli
