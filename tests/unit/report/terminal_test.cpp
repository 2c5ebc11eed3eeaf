#include "report/terminal.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "report/numbers.hpp"
#include "unit/report/sample.hpp"

using namespace joulecast;
using namespace joulecast::report;
using Catch::Contains;

namespace {

/// The line that begins with `start`, its runs of spaces made one.
std::string line_of(const std::string& text, const std::string& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string squeezed;
    for (std::string word; words >> word;) squeezed += (squeezed.empty() ? "" : " ") + word;
    if (squeezed.rfind(start, 0) == 0) return squeezed;
  }
  return {};
}

}  // namespace

// The GPUs' figures are 6408 kJ = 1.78 kWh, 3.56 kW on average and 4000 + 560 W at their peak.
TEST_CASE("the terminal shows the figures at every boundary") {
  const std::string text = terminal_report(test::sample(), {});
  CHECK_THAT(text, Contains("12,003 arrived, 12,000 completed, 3 unfinished · 13,900,000 tokens in, 2,400,000 out"));
  CHECK_THAT(text, Contains("Audit     exact: states = bins = classes = devices · 99.9 % of the active joules are a request's"));
  CHECK_THAT(line_of(text, "energy"), Catch::StartsWith("energy kWh 1.78 "));
  CHECK_THAT(line_of(text, "power, mean"), Catch::StartsWith("power, mean kW 3.56 "));
  CHECK_THAT(line_of(text, "power, peak 15 min"), Catch::StartsWith("power, peak 15 min kW 4.56 "));
  CHECK_THAT(line_of(text, "per output token"), Catch::StartsWith("per output token J 2.67 "));
  CHECK_THAT(line_of(text, "per request"), Catch::StartsWith("per request J 534 "));
  CHECK_THAT(line_of(text, "active"), Catch::StartsWith("active 1.33 74.9 %"));
  CHECK(line_of(text, "spin wait").empty());
  CHECK(line_of(text, "chat 12,000") == "chat 12,000 1,330 98.7 % 142 ms 1.20 s 31.0 ms 48.1 ms 6.10 s 22.0 s");
  CHECK_THAT(text, Contains("SLO asks for 99.0 %"));
  CHECK_THAT(line_of(text, "chat 8"), Catch::EndsWith("21.4 66.7 % 41.2 % 2.25 1980 MHz calibrated"));
  CHECK_THAT(line_of(text, "no pool"), Catch::StartsWith("no pool 8 "));
  CHECK_THAT(text,
             !Contains("Cost") && !Contains("Carbon") && !Contains("Feed") && !Contains("Job") && !Contains("Notes") && !Contains("INTERRUPTED"));
  CHECK_THAT(text, !Contains("\x1b"));
}

TEST_CASE("the terminal fits a hundred columns and ends no line with a space") {
  scenario::Result result = test::sample();
  result.notes = {
      "request_rate is ignored: the trace has its own arrivals, which were replayed as they are, without any change of their spacing in time"};
  std::istringstream lines(terminal_report(result, {}));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(display_width(line) <= 100);
    CHECK((line.empty() || line.back() != ' '));
  }
}

TEST_CASE("cost, carbon, interval and interruption appear where they are known") {
  scenario::Result result = test::sample();
  result.partial = true;
  result.carbon_grams = 1234.5;
  result.cost = scenario::Cost{"USD", 0.2, std::nullopt, 10.4, std::nullopt, 10.6, 0.123, 0.456};
  result.spread = scenario::Spread{{0.05, 0.1, 0.1, 0.123}, {{"host watts of dgx-h100", 0.71}}};
  result.notes = {"something to know"};
  const std::string text = terminal_report(result, {});
  CHECK(line_of(text, "Cost") == "Cost 10.6 USD = 0.200 energy + 10.4 rental · a million tokens: 0.123 in, 0.456 out");
  CHECK(line_of(text, "Carbon") == "Carbon 1.2 kg CO2e");
  CHECK_THAT(line_of(text, "energy"), Catch::EndsWith("± 12 %"));
  CHECK_THAT(line_of(text, "Least sure"), Contains("host watts of dgx-h100: 71.0 %"));
  CHECK_THAT(text, Contains("INTERRUPTED: only the first 30 min"));
  CHECK_THAT(text, Contains("- something to know"));
}

TEST_CASE("colour changes no text") {
  const std::string plain = terminal_report(test::sample(), {});
  std::string coloured = terminal_report(test::sample(), {true});
  REQUIRE(coloured != plain);
  for (std::size_t at; (at = coloured.find("\x1b[")) != std::string::npos;) coloured.erase(at, coloured.find('m', at) - at + 1);
  CHECK(coloured == plain);
}
