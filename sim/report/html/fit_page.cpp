#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "report/html/page_content.hpp"
#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all{""};
  for (const char c : line) {
    if (c == ',') {
      all.emplace_back();
    } else if (c != '\r') {
      all.back() += c;
    }
  }
  return all;
}

/// points.csv, one entry a curve: {x_unit, unit, x, measured, fitted}.
Json curves(const std::string& text) {
  Json all = Json::object();
  std::size_t at = std::min(text.size(), text.find('\n')) + 1;
  while (at < text.size()) {
    const std::size_t end = std::min(text.size(), text.find('\n', at));
    const std::vector<std::string> row = cells(text.substr(at, end - at));
    at = end + 1;
    if (row.size() < 7) continue;
    Json& curve = all[row[0]];
    curve["x_unit"] = row[2];
    curve["unit"] = row[6];
    curve["x"].push_back(std::strtod(row[1].c_str(), nullptr));
    curve["measured"].push_back(std::strtod(row[3].c_str(), nullptr));
    curve["fitted"].push_back(std::strtod(row[4].c_str(), nullptr));
  }
  return all;
}

std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return key;
}

FigureTable quality(const Json& all) {
  FigureTable table{"Fitted against measured", {"Curve", "Points", "Median residual", "Largest residual"}, {}};
  for (const auto& [name, curve] : all.items()) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < curve["x"].size(); ++i) {
      const double measured = curve["measured"][i];
      if (measured != 0) shares.push_back(std::abs(curve["fitted"][i].get<double>() / measured - 1));
    }
    if (shares.empty()) continue;
    std::sort(shares.begin(), shares.end());
    table.rows.push_back({words_of(name), fmt::format("{}", shares.size()), fmt::format("{:.2f} %", 100 * shares[shares.size() / 2]),
                          fmt::format("{:.2f} %", 100 * shares.back())});
  }
  return table;
}

FigureTable floors(const Json& fit) {
  FigureTable table{"Floors", {"State", "Watts of a GPU", "Error", "Phases"}, {}};
  if (!fit.contains("floors")) return table;
  for (const auto& [name, floor] : fit["floors"].items()) {
    table.rows.push_back(
        {words_of(name), three_digits(floor.value("watts", 0.0)), percent(floor.value("error", 0.0)), fmt::format("{}", floor.value("phases", 0))});
  }
  return table;
}

}  // namespace

PageContent fit_content(const std::filesystem::path& folder) {
  const Json fit = json_file(folder / "report.json", 1);
  PageContent page;
  page.kind = "fit";
  const Json log = fit.value("log", Json::object());
  page.title = "Fit of " + std::filesystem::path(log.value("file", "a log")).filename().string();
  page.subtitle = fmt::format("{} rows of {}, beside the profile {}", log.value("rows", 0), log.value("format", "a log"), fit.value("base", ""));
  for (const Json& warning : fit.value("warnings", Json::array())) page.warnings.push_back(warning.get<std::string>());
  const Json points = curves(text_file(folder / "points.csv"));
  for (FigureTable table : {floors(fit), quality(points)}) {
    if (!table.rows.empty()) page.tables.push_back(std::move(table));
  }
  FigureTable refused{"Not identified by this log", {"Figure", "Why", "Measure"}, {}};
  for (const Json& each : fit.value("refused", Json::array())) {
    refused.rows.push_back({each.value("name", ""), each.value("why", ""), each.value("measure", "")});
  }
  if (!refused.rows.empty()) page.tables.push_back(std::move(refused));
  page.data["curves"] = points;
  page.data["fit"] = fit;
  page.data["scenario"] = text_file(folder / "gpu.toml");
  return page;
}

}  // namespace joulecast::report
