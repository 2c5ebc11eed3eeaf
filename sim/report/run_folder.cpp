#include "report/run_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "report/html/page.hpp"
#include "report/requests_csv.hpp"
#include "report/results_h5.hpp"
#include "report/summary.hpp"
#include "report/uncertainty_csv.hpp"

namespace joulecast::report {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRunFile = "run.json";
constexpr const char* kElsewhere = "choose another folder with --out";

[[noreturn]] void refuse(const fs::path& path, const std::string& what, const std::string& remedy) {
  throw UserError(Place{path.string()}, what, remedy);
}

void need(const std::error_code& error, const fs::path& path, const char* what) {
  if (error) refuse(path, fmt::format("cannot {}: {}", what, error.message()), "choose a folder that you may write to, with --out");
}

/// `path` without a slash at its end, which would hide the name.
fs::path named(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

fs::path beside(const fs::path& path, const char* what) {
  return path.parent_path() / fmt::format("{}.{}-{}", path.filename().string(), what, ::getpid());
}

}  // namespace

Occupant occupant(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return Occupant::nothing;
  if (!fs::is_directory(status)) return Occupant::something_else;
  if (fs::is_empty(path, error)) return Occupant::empty_folder;
  std::ifstream file(path / kRunFile);
  const auto run = nlohmann::json::parse(file, nullptr, false);
  if (!run.is_object() || !run.contains("inputs")) return Occupant::something_else;
  return run.contains("partial") && run["partial"] == true ? Occupant::partial_run : Occupant::whole_run;
}

RunFolder::RunFolder(fs::path path, bool force) : path_(named(path)), aside_(beside(path_, "partial")), force_(force) {
  switch (occupant(path_)) {
    case Occupant::nothing:
    case Occupant::empty_folder:
      return;
    case Occupant::whole_run:
    case Occupant::partial_run:
      if (!force_) refuse(path_, "holds the results of another run", std::string(kElsewhere) + ", or replace them with --force");
      return;
    case Occupant::something_else:
      refuse(path_, "is there and holds no results of a run", kElsewhere);
  }
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  if (open_) fs::remove_all(aside_, ignored);
}

const fs::path& RunFolder::open() {
  std::error_code error;
  fs::remove_all(aside_, error);
  fs::create_directories(aside_, error);
  need(error, aside_, "make this folder");
  open_ = true;
  return aside_;
}

void RunFolder::write(const std::string& name, const std::string& content) {
  std::ofstream file(aside_ / name, std::ios::binary);
  file << content;
  file.close();
  if (!file)
    refuse(aside_ / name, "cannot write this file", "see that there is room and that you may write here, or choose another folder with --out");
}

void RunFolder::commit() {
  std::error_code error;
  const fs::path old = beside(path_, "replaced");
  const Occupant there = occupant(path_);
  const bool replace = force_ && (there == Occupant::whole_run || there == Occupant::partial_run);
  if (replace) {
    fs::rename(path_, old, error);
    need(error, path_, "move the old results away");
  }
  fs::rename(aside_, path_, error);
  if (error && replace) {
    std::error_code ignored;
    fs::rename(old, path_, ignored);
  }
  need(error, path_, "give the results this name");
  open_ = false;
  if (replace) fs::remove_all(old, error);
}

void write_run(const fs::path& path, bool force, const scenario::Result& result, const RunFiles& files) {
  RunFolder folder(path, force);
  const fs::path aside = folder.open();
  if (!files.resolved_scenario.empty()) folder.write("scenario.resolved.toml", files.resolved_scenario);
  if (!files.timeline.empty()) folder.write("timeline.json", files.timeline);
  if (!files.report_text.empty()) folder.write("report.txt", files.report_text);
  folder.write("summary.json", summary_json(result, files.uncertainty));
  folder.write("summary.csv", summary_csv(result, files.uncertainty));
  write_results_h5(result, aside / "results.h5", files.uncertainty, files.iterations);
  if (files.uncertainty != nullptr) folder.write("uncertainty.csv", uncertainty_csv(*files.uncertainty));
  if (files.requests) {
    std::ofstream file(aside / "requests.csv", std::ios::binary);
    write_requests_csv(result, file);
    file.close();
    if (!file) refuse(aside / "requests.csv", "cannot write this file", "see that there is room, or run without it");
  }
  folder.write(kRunFile, run_json(files.facts, result, files.partial));
  folder.write(kReportFile, html_report(aside));
  folder.commit();
}

}  // namespace joulecast::report
