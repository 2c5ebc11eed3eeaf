#include "cli/report_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast report runs/quickstart-7b9c2d41e0aa
  joulecast report runs/quickstart-7b9c2d41e0aa --out quickstart.html
  joulecast report runs/compare-routers-52a4 --table latex > arms.tex

Makes the page that `run`, `compare` and `calibrate fit` leave as report.html again, from the files of their folder: one file that needs no network.
--table prints the tables instead, for a paper (latex, with the package booktabs) or a repository (markdown).)";

}  // namespace

ReportSyntax::ReportSyntax(CLI::App& app, detail::Common& common)
    : report_(detail::add_command(app, "report", "Makes a folder of results into a page, or into tables for a paper", kExamples)), common_(&common) {
  report_->add_option("DIR", arguments_.folder, "The folder that a command wrote")->required()->option_text(" ");
  detail::add_text(report_, "--out", arguments_.out, "FILE", "The page's file (default: report.html in the folder)");
  detail::add_text(report_, "--table", arguments_.table, "FORMAT", "Prints tables instead: markdown or latex");
  detail::add_common(report_, common);
}

std::optional<ReportArguments> ReportSyntax::chosen() const {
  if (!report_->parsed()) return std::nullopt;
  ReportArguments arguments = arguments_;
  arguments.json = common_->json;
  if (report_->count("--table") > 0 && arguments.table != "markdown" && arguments.table != "latex") {
    detail::usage_error(fmt::format("--table \"{}\" is neither markdown nor latex", arguments.table), "for example: --table markdown");
  }
  if (!arguments.table.empty() && (!arguments.out.empty() || arguments.json)) {
    detail::usage_error("--table prints tables, so it goes with neither --out nor --json", "send them to a file with > FILE, or leave --table out");
  }
  return arguments;
}

}  // namespace joulecast::cli
