#include "hardware/profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/profile_matrix.hpp"
#include "cli/share.hpp"
#include "config/node.hpp"
#include "hardware/fabric/fabric_profile.hpp"
#include "hardware/gpu.hpp"
#include "hardware/node.hpp"
#include "hardware/tier.hpp"
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
                              {"model", "Models", hardware::model_folder(share), {}},
                              {"fabric", "Fabrics", hardware::fabric_folder(share), {}}};
  for (Listing& listing : all) listing.entries = hardware::list_profiles(listing.folder);
  return all;
}

template <class Load>
auto load_all(const Listing& listing, const Load& load) {
  config::Diagnostics diagnostics;
  std::vector<decltype(load(std::string(), diagnostics))> loaded;
  for (const auto& entry : listing.entries) loaded.push_back(load(entry.path, diagnostics));
  diagnostics.throw_if_failed();
  return loaded;
}

std::vector<hardware::GpuProfile> gpus_of(const Listing& listing) { return load_all(listing, hardware::load_gpu); }
std::vector<llm::Architecture> models_of(const Listing& listing) { return load_all(listing, llm::load_architecture); }

std::string names(const std::vector<std::string>& aliases) { return fmt::format("{}", fmt::join(aliases, ", ")); }

void list_gpus(const Listing& listing, Console& console) {
  report::Table table;
  table.row({words(listing.title, Ink::heading),
             {"memory", Ink::heading},
             {"limit", Ink::heading},
             words("tier", Ink::heading),
             {"J/token", Ink::heading},
             words("also", Ink::heading)});
  for (const auto& gpu : gpus_of(listing)) {
    const bool datasheet = hardware::tier(gpu) == hardware::Tier::datasheet;
    table.row({words(gpu.name),
               {fmt::format("{:.0f} GB", gpu.memory.value.si() * 1e-9)},
               {fmt::format("{:g} W", gpu.power_limit.standard.value.si())},
               words(std::string(hardware::name(hardware::tier(gpu))), datasheet ? Ink::warn : Ink::plain),
               {"+-" + report::percent(gpu.bottom_up_error.value)},
               words(names(gpu.aliases), Ink::dim)});
  }
  console.print(table.text(console.style()) + "\n");
}

void list_names(const Listing& listing, Console& console) {
  report::Table table;
  table.row({words(listing.title, Ink::heading), words("also", Ink::heading)});
  for (const auto& entry : listing.entries) table.row({words(entry.name), words(names(entry.aliases), Ink::dim)});
  console.print(table.text(console.style()) + "\n");
}

Json matrix_json(const std::vector<MatrixRow>& rows) {
  Json out = Json::array();
  for (const MatrixRow& row : rows) {
    for (const MatrixCell& cell : row.cells) {
      Json one = {{"gpu", row.gpu},
                  {"model", row.model},
                  {"tensor_parallel_size", cell.tensor_parallel},
                  {"tier", std::string(hardware::name(row.tier))},
                  {"error", cell.error},
                  {"layers_measured", cell.layers_measured},
                  {"serves", cell.serves}};
      if (!cell.why_not.empty()) one["why_not"] = cell.why_not;
      out.push_back(std::move(one));
    }
  }
  return out;
}

/// One line a pair: the error of joules a token where the model fits, a star where its layers were measured there.
void print_matrix(const std::vector<MatrixRow>& rows, Console& console) {
  report::Table table;
  table.row({words("GPU", Ink::heading),
             words("model", Ink::heading),
             words("tier", Ink::heading),
             {"TP 1", Ink::heading},
             {"TP 2", Ink::heading},
             {"TP 4", Ink::heading},
             {"TP 8", Ink::heading}});
  for (const MatrixRow& row : rows) {
    std::vector<report::Cell> cells = {words(row.gpu), words(row.model), words(std::string(hardware::name(row.tier)))};
    for (const MatrixCell& cell : row.cells) {
      cells.push_back({cell.serves ? fmt::format("+-{}{}", report::percent(cell.error), cell.layers_measured ? "*" : "") : "-"});
    }
    table.row(std::move(cells));
  }
  console.print(table.text(console.style()));
  console.print(
      console.inked(Ink::dim, "+-: 80 % of joules a token; * whole layers of the model were measured there; - does not fit or can't be split") +
      "\n\n");
}

void list(const std::vector<Listing>& all, bool pairs, bool json, Console& console) {
  if (json) {
    Json out;
    for (const Listing& listing : all) {
      for (const auto& entry : listing.entries) out[listing.what].push_back({{"name", entry.name}, {"aliases", entry.aliases}, {"file", entry.path}});
    }
    out["pair"] = matrix_json(profile_matrix(gpus_of(all[0]), models_of(all[2])));
    console.print(out.dump(2) + "\n");
    return;
  }
  if (pairs) {
    print_matrix(profile_matrix(gpus_of(all[0]), models_of(all[2])), console);
    return;
  }
  list_gpus(all[0], console);
  list_names(all[1], console);
  list_names(all[2], console);
  list_names(all[3], console);
  console.print(
      console.inked(Ink::dim,
                    "Each figure and its source, and what it serves: joulecast profiles NAME; GPU x model x TP: joulecast profiles --pairs") +
      "\n");
}

void show(const std::string& title, const std::string& file, const std::vector<FigureLine>& lines, const std::vector<MatrixRow>& pairs, bool json,
          Console& console) {
  if (json) {
    Json out = {{"name", title}, {"file", file}};
    if (!pairs.empty()) out["pair"] = matrix_json(pairs);
    for (const FigureLine& line : lines) {
      Json figure = {{"key", line.key}, {"value", line.value}, {"kind", std::string(hardware::name(line.kind))}, {"source", line.source}};
      if (line.error) figure["error"] = *line.error;
      out["figures"].push_back(figure);
    }
    console.print(out.dump(2) + "\n");
    return;
  }
  console.print(fmt::format("{}  {}\n", console.inked(Ink::heading, title), console.inked(Ink::dim, file)));
  if (!pairs.empty()) print_matrix(pairs, console);
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
    list(all, arguments.pairs, arguments.json, console);
    return kDone;
  }
  config::Diagnostics diagnostics;
  if (const auto* gpu = find(all[0], arguments.name)) {
    const hardware::GpuProfile profile = hardware::load_gpu(gpu->path, diagnostics);
    diagnostics.throw_if_failed();
    const std::string warning = hardware::warning(profile);
    if (!warning.empty()) console.note(warning);
    show(profile.name, gpu->path, hardware::figures(profile), profile_matrix({profile}, models_of(all[2])), arguments.json, console);
  } else if (const auto* node = find(all[1], arguments.name)) {
    const hardware::NodeProfile profile = hardware::load_node(node->path, diagnostics);
    diagnostics.throw_if_failed();
    show(profile.name, node->path, hardware::figures(profile), {}, arguments.json, console);
  } else if (const auto* fabric = find(all[3], arguments.name)) {
    const hardware::FabricProfile profile = hardware::load_fabric(fabric->path, diagnostics);
    diagnostics.throw_if_failed();
    show(profile.name, fabric->path, hardware::figures(profile), {}, arguments.json, console);
  } else if (const auto* model = find(all[2], arguments.name)) {
    const llm::Architecture shape = llm::load_architecture(model->path, diagnostics);
    diagnostics.throw_if_failed();
    const auto pairs = profile_matrix(gpus_of(all[0]), {shape});
    if (arguments.json) {
      console.print(Json{{"name", shape.name}, {"file", model->path}, {"source", shape.source}, {"pair", matrix_json(pairs)}}.dump(2) + "\n");
    } else {
      console.print(config::write(config::parse_file(model->path)) + "\n");
      print_matrix(pairs, console);
    }
  } else {
    std::vector<std::string> known;
    for (const Listing& listing : all) {
      for (const auto& entry : listing.entries) known.push_back(entry.name);
    }
    const std::string nearest = config::nearest(arguments.name, known);
    throw UserError(
        {}, fmt::format("no GPU, node, model or fabric is called \"{}\"", arguments.name),
        nearest.empty() ? "`joulecast profiles` lists them" : fmt::format("did you mean \"{}\"? `joulecast profiles` lists them", nearest));
  }
  return kDone;
}

}  // namespace joulecast::cli
