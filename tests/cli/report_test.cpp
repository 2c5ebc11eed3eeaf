// report.html and `joulecast report`: made from a folder's files alone, safe against names, and drawn in a browser.
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/browser.hpp"
#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

std::string scenario(const std::string& name) { return (source() / "scenarios" / name).string(); }

Ended in(const Scratch& scratch, const std::vector<std::string>& words) { return run_joulecast(words, {scratch.path().string(), {}, 0}); }

/// What would make a browser fetch something: none of it may stand in a page.
void check_asks_for_nothing(const std::string& page) {
  for (const char* loads : {"src=\"http", "src='http", "href=\"http", "@import", "url(http", "<link", "<img", "<iframe", "sourceMappingURL"}) {
    CAPTURE(loads);
    CHECK_THAT(page, !Contains(loads));
  }
  CHECK_THAT(page, Contains("default-src 'none'"));
}

/// Opens it in both themes: every chart is drawn and says what it shows in numbers, no error, no request, no sideways scrolling.
void check_is_drawn(const fs::path& page, int charts) {
  for (const bool dark : {false, true}) {
    const auto browsed = browse(page, dark);
    if (!browsed) {
      WARN("skipped: no Chromium here (apt-get install chromium), so nobody looked at the page");
      return;
    }
    CAPTURE(page.string(), dark, browsed->console, browsed->requests);
    CHECK(browsed->console.empty());
    CHECK(browsed->requests.empty());
    REQUIRE(browsed->frames.size() == 2);
    for (const Shown& frame : browsed->frames) {
      CAPTURE(frame.width, frame.blank, frame.silent, frame.errors);
      CHECK(frame.dark == dark);
      CHECK(frame.charts >= charts);
      CHECK(frame.blank.empty());
      CHECK(frame.silent.empty());
      CHECK(frame.errors.empty());
      CHECK(frame.overflow_px <= 0);
    }
  }
}

}  // namespace

TEST_CASE("a run of an hour leaves a page under 3 MB that asks for nothing, and report makes the same bytes again") {
  const Scratch scratch;
  const Ended run = in(scratch, {"run", scenario("quickstart.toml"), "--set", "time.duration='1 h'", "--set", "time.bin='1 s'", "--out", "run"});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const std::string page = read_text(scratch.path() / "run/report.html");
  CHECK(page.size() > 300000);  // the libraries are in it
  CHECK(page.size() < 3000000);
  check_asks_for_nothing(page);
  // The headline stands in the HTML itself, for a reader without JavaScript.
  CHECK_THAT(page, Contains("<caption>Energy and power</caption>") && Contains("<th scope=\"row\">Per output token</th>"));
  const Ended again = in(scratch, {"report", "run", "--out", "again.html"});
  CHECK(again.code == 0);
  CHECK_THAT(again.out, Contains("again.html"));
  CHECK(read_text(scratch.path() / "again.html") == page);
  check_is_drawn(scratch.path() / "run/report.html", 8);
}

TEST_CASE("a page that asks for something is caught") {
  const Scratch scratch;
  const std::string page = scratch.write("asks.html", "<!doctype html><html><head></head><body><img src=\"http://127.0.0.1:9/x.png\"></body></html>");
  if (const auto browsed = browse(page, false)) CHECK_FALSE(browsed->requests.empty());
}

TEST_CASE("names of users' things are text in a page, never HTML") {
  const Scratch scratch;
  // Names that become folders and groups have no slash, so that no </script> can stand in one.
  const std::string named = "name='''<script>alert(1)<img src=x onerror=alert(2)>&\"'{{data}}'''";
  const std::string traffic = "traffic.'<script>alert(3)<script>'={requests='azure-2023-conv',request_rate='2 /s'}";
  const Ended run = in(scratch, {"run", scenario("quickstart.toml"), "--set", named, "--set", traffic, "--set", "time.duration='20 s'", "--set",
                                 "time.warmup='2 s'", "--out", "run"});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const std::string page = read_text(scratch.path() / "run/report.html");
  CHECK_THAT(page, !Contains("<script>alert") && !Contains("<img") && !Contains("</script><script>alert"));
  CHECK_THAT(page, Contains("&lt;script&gt;alert(1)") && Contains("&lt;script&gt;alert(3)") && Contains("\\u003cscript>"));
  check_is_drawn(scratch.path() / "run/report.html", 6);
}

TEST_CASE("a page of a run with feeds and training shows limits and an iteration") {
  const Scratch scratch;
  const Ended run = in(scratch, {"run", scenario("training-and-serving.toml"), "--set", "time.duration='12 min'", "--out", "run"});
  CAPTURE(run.err);
  REQUIRE(run.code == 0);
  const std::string page = read_text(scratch.path() / "run/report.html");
  const std::size_t at = page.find("id=\"data\">") + 10;
  const json data = json::parse(page.substr(at, page.find("</script>", at) - at));
  CHECK(data["power"]["place"][0]["usable_watts"] == Approx(0.8 * 69e3));
  REQUIRE(data["iteration"].size() == 1);
  CHECK(data["iteration"][0]["lanes"] == json{"stage 0", "stage 1"});
  CHECK_THAT(page, Contains("<caption>Feeds</caption>") && Contains("<caption>Training</caption>"));
  check_is_drawn(scratch.path() / "run/report.html", 10);
}

TEST_CASE("comparisons and frontiers have pages, too") {
  const Scratch scratch;
  REQUIRE(in(scratch, {"compare", scenario("compare-routers.toml"), "--set", "time.duration='20 s'", "--set", "time.warmup='2 s'", "--set",
                       "compare.replications=3", "--out", "arms"})
              .code == 0);
  const std::string page = read_text(scratch.path() / "arms/report.html");
  check_asks_for_nothing(page);
  REQUIRE(in(scratch, {"report", "arms"}).code == 0);
  CHECK(read_text(scratch.path() / "arms/report.html") == page);
  check_is_drawn(scratch.path() / "arms/report.html", 2);
  REQUIRE(in(scratch, {"frontier", scenario("training-perseus-gpt3-1.3b-a100.toml"), "--points", "5", "--html", "frontier.html"}).code == 0);
  check_is_drawn(scratch.path() / "frontier.html", 1);
}

TEST_CASE("--table prints a run's tables for a paper or a repository") {
  const Scratch scratch;
  REQUIRE(in(scratch, {"run", scenario("quickstart.toml"), "--set", "name='50 % of a_b & c|d'", "--set", "time.duration='20 s'", "--set",
                       "time.warmup='2 s'", "--out", "run"})
              .code == 0);
  const Ended markdown = in(scratch, {"report", "run", "--table", "markdown"});
  CHECK(markdown.code == 0);
  CHECK_THAT(markdown.out, Contains("### Energy and power\n\n|  | GPUs | Chassis AC | IT | Facility | 80 % interval |\n| --- | ---: |") &&
                               Contains("| Per output token |"));
  const Ended latex = in(scratch, {"report", "run", "--table", "latex"});
  CHECK_THAT(latex.out, Contains("\\begin{tabular}{lrrrrr}") && Contains("80 \\% interval \\\\\n    \\midrule") && Contains("$\\pm$"));
  CHECK_THAT(in(scratch, {"report", "run", "--table", "word"}).err, Contains("--table \"word\" is neither markdown nor latex"));
  CHECK(in(scratch, {"report", "run", "--table", "latex", "--out", "x"}).code == 2);
}

TEST_CASE("report refuses what it cannot read, by name, and writes nothing") {
  const Scratch scratch;
  const Ended missing = in(scratch, {"report", "nowhere"});
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("nowhere") && Contains("is not there"));
  fs::create_directories(scratch.path() / "empty");
  CHECK_THAT(in(scratch, {"report", "empty"}).err, Contains("holds no results"));
  REQUIRE(in(scratch, {"run", scenario("quickstart.toml"), "--set", "time.duration='20 s'", "--set", "time.warmup='2 s'", "--out", "run"}).code == 0);
  fs::remove(scratch.path() / "run/report.html");
  const std::string facts = read_text(scratch.path() / "run/run.json");
  json other = json::parse(facts);
  other["version"] = "9.8.7";
  scratch.write("run/run.json", other.dump());
  const Ended version = in(scratch, {"report", "run"});
  CHECK(version.code == 2);
  CHECK_THAT(version.err, Contains("joulecast 9.8.7 wrote these results"));
  scratch.write("run/run.json", facts);
  json summary = json::parse(read_text(scratch.path() / "run/summary.json"));
  summary["schema"] = 7;
  const std::string kept = read_text(scratch.path() / "run/summary.json");
  scratch.write("run/summary.json", summary.dump());
  CHECK_THAT(in(scratch, {"report", "run"}).err, Contains("summary.json") && Contains("has schema 7, and this version reads 1"));
  scratch.write("run/summary.json", kept);
  scratch.write("run/results.h5", "no HDF5");
  CHECK_THAT(in(scratch, {"report", "run"}).err, Contains("results.h5") && Contains("cannot be read as HDF5"));
  CHECK_FALSE(fs::exists(scratch.path() / "run/report.html"));
}
