#include "report/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "report/html/assets.hpp"
#include "report/html/page_content.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

PageContent content_of(const fs::path& folder) {
  if (!fs::is_directory(folder)) {
    throw UserError(Place{folder.string()}, fs::exists(folder) ? "is a file: a folder of results is read" : "is not there",
                    "name the folder that a command wrote, as runs/NAME-HASH");
  }
  if (fs::exists(folder / "compare.json")) return compare_content(folder);
  if (fs::exists(folder / "sweep.json")) return sweep_content(folder);
  if (fs::exists(folder / "plan.json")) return plan_content(folder);
  if (fs::exists(folder / "summary.json")) return run_content(folder);
  if (fs::exists(folder / "report.json") && fs::exists(folder / "gpu.toml")) return fit_content(folder);
  throw UserError(Place{folder.string()}, "holds no results: none of summary.json, compare.json, sweep.json, plan.json, report.json is there",
                  "name the folder that a command wrote, as runs/NAME-HASH");
}

/// JSON inside a script element: no "<" stands in it, so nothing ends the element.
std::string script_json(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// The template with each {{name}} replaced, once.
std::string filled(std::string_view form, const std::vector<std::pair<std::string_view, std::string>>& fields) {
  std::string out;
  for (std::size_t at = 0; at < form.size();) {
    const std::size_t open = form.find("{{", at);
    out += form.substr(at, open == std::string_view::npos ? open : open - at);
    if (open == std::string_view::npos) break;
    const std::size_t close = form.find("}}", open);
    const std::string_view name = form.substr(open + 2, close - open - 2);
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; });
    JOULECAST_CHECK(found != fields.end(), fmt::format("the page's template asks for \"{}\"", name));
    out += found->second;
    at = close + 2;
  }
  return out;
}

std::string page_of(PageContent content) {
  std::string tables, warnings;
  for (const FigureTable& table : content.tables) tables += html(table);
  for (const std::string& warning : content.warnings) warnings += fmt::format("<p class=\"warning\" role=\"note\">{}</p>\n", html_text(warning));
  content.data["kind"] = content.kind;
  return filled(kPageTemplate, {{"title", html_text(content.title)},
                                {"subtitle", html_text(content.subtitle)},
                                {"warnings", warnings},
                                {"tables", tables},
                                {"style", std::string(kPageStyle)},
                                {"data", script_json(content.data)},
                                {"libraries", std::string(kChartLibraries)},
                                {"scripts", std::string(kPageScripts)}});
}

}  // namespace

Json json_file(const fs::path& path, int schema) {
  const Json value = Json::parse(text_file(path), nullptr, false);
  const char* remedy = "make the results again: the command that wrote them, with --force";
  if (!value.is_object()) throw UserError(Place{path.string()}, fs::exists(path) ? "is no JSON object" : "is not there", remedy);
  if (schema > 0 && (!value.contains("schema") || value["schema"] != schema)) {
    throw UserError(Place{path.string()},
                    fmt::format("has schema {}, and this version reads {}", value.contains("schema") ? value["schema"].dump() : "nothing", schema),
                    remedy);
  }
  return value;
}

Json steady_facts(const fs::path& folder) {
  Json steady = Json::object();
  if (!fs::exists(folder / "run.json")) return steady;
  const Json facts = json_file(folder / "run.json", 0);
  for (const char* key : {"version", "git_hash", "compiler", "seed", "inputs"}) {
    if (facts.contains(key)) steady[key] = facts[key];
  }
  return steady;
}

std::string text_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string html_report(const fs::path& folder) { return page_of(content_of(folder)); }

std::string html_frontier(const std::string& frontier_json) { return page_of(frontier_content(Json::parse(frontier_json))); }

std::string report_tables(const fs::path& folder, TableFormat format) {
  std::string out;
  for (const FigureTable& table : content_of(folder).tables) {
    out += (out.empty() ? "" : "\n") + (format == TableFormat::markdown ? markdown(table) : latex(table));
  }
  return out;
}

std::string version_of_results(const fs::path& folder) {
  const Json facts = Json::parse(text_file(folder / "run.json"), nullptr, false);
  return facts.is_object() && facts.contains("version") && facts["version"].is_string() ? facts["version"].get<std::string>() : "";
}

}  // namespace joulecast::report
