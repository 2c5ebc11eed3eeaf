#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/build_info.hpp"
#include "cli/commands.hpp"
#include "report/html/page.hpp"

namespace joulecast::cli {

namespace fs = std::filesystem;

namespace {

/// Whole or not at all: written beside and renamed.
void write_whole(const fs::path& path, const std::string& text) {
  const fs::path aside = fmt::format("{}.partial-{}", path.string(), ::getpid());
  std::ofstream file(aside, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) fs::rename(aside, path, error);
  if (file && !error) return;
  std::error_code ignored;
  fs::remove(aside, ignored);
  throw UserError(Place{path.string()}, "cannot write the page here", "choose a file that you may write, where there is room, with --out");
}

void refuse_other_version(const fs::path& folder) {
  const std::string then = report::version_of_results(folder);
  const BuildInfo build = build_info();
  if (then.empty() || then == build.version) return;
  throw UserError(Place{(folder / "run.json").string()}, fmt::format("joulecast {} wrote these results, and this is {}", then, build.version),
                  "make the results again with this version, or the page with that one");
}

}  // namespace

int report(const ReportArguments& arguments, Console& console) {
  const fs::path folder = arguments.folder;
  refuse_other_version(folder);
  if (!arguments.table.empty()) {
    console.print(report::report_tables(folder, arguments.table == "latex" ? report::TableFormat::latex : report::TableFormat::markdown));
    return kDone;
  }
  const std::string page = report::html_report(folder);
  const fs::path out = arguments.out.empty() ? folder / report::kReportFile : fs::path(arguments.out);
  write_whole(out, page);
  if (arguments.json) {
    console.print(nlohmann::ordered_json{{"page", out.string()}, {"bytes", page.size()}}.dump(2) + "\n");
  } else {
    console.print(fmt::format("{}: {:.0f} kB, one file; open it in a browser\n", out.string(), static_cast<double>(page.size()) * 1e-3));
  }
  return kDone;
}

}  // namespace joulecast::cli
