#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/html/figure_table.hpp"

namespace joulecast::report {

/// What a page shows: tables that C++ writes, and data that the scripts draw.
struct PageContent {
  std::string title, kind;  ///< kind: what the scripts choose by: "run", "compare", ..
  std::string subtitle;
  std::vector<FigureTable> tables;
  nlohmann::ordered_json data;
  std::vector<std::string> warnings;
};

/// A file of a folder as JSON, with its schema checked where `schema` > 0; throws UserError where it is none or of another schema.
nlohmann::ordered_json json_file(const std::filesystem::path& path, int schema);
/// Its text; "" where it is not there.
std::string text_file(const std::filesystem::path& path);

/// What run.json says of the program and the inputs; how the run went is left out, so that equal results have equal pages.
nlohmann::ordered_json steady_facts(const std::filesystem::path& folder);

PageContent run_content(const std::filesystem::path& folder);
PageContent compare_content(const std::filesystem::path& folder);
PageContent sweep_content(const std::filesystem::path& folder);
PageContent plan_content(const std::filesystem::path& folder);
PageContent fit_content(const std::filesystem::path& folder);
PageContent frontier_content(const nlohmann::ordered_json& frontier);

}  // namespace joulecast::report
