// What a reader finds of feeds and sites: in summary.json and .csv, on the terminal, in results.h5.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "report/summary.hpp"
#include "report/terminal.hpp"
#include "unit/report/sample.hpp"

using namespace joulecast;
using Catch::Contains;

namespace {

scenario::Result with_grid() {
  scenario::Result result = report::test::sample();
  result.start = "2025-03-18T00:00:00+01:00";
  scenario::Cost cost;
  cost.currency = "EUR";
  cost.energy = -1.25;
  cost.demand = 3.5;
  cost.total = 2.25;
  result.cost = cost;
  scenario::SiteResult fra{"fra", {"south", "west"}, {1, 2, 3, 3.6e6}, -1.25, 3.5, 380, true, true};
  scenario::SiteResult oslo{"oslo", {}, {0, 0, 0, 0}, {}, {}, {}, false, false};
  result.sites = {fra, oslo};
  metering::FeedLoad load;
  load.mean = 8000;
  load.peak_900s = 9100;
  load.peak_window = 9500;
  load.over_usable_s = 120;
  load.excess_joules = 4200;
  result.feeds.push_back({"row-a", "fra", 11000, 8800, 300, load});
  return result;
}

}  // namespace

TEST_CASE("feeds, sites, the start and a demand charge stand in the summary, and what is not known is absent") {
  const auto summary = nlohmann::json::parse(report::summary_json(with_grid()));
  CHECK(summary["start"] == "2025-03-18T00:00:00+01:00");
  CHECK(summary["cost"]["demand"] == 3.5);
  CHECK(summary["feed"]["row-a"]["usable_watts"] == 8800);
  CHECK(summary["feed"]["row-a"]["mean_watts"] == 8000);
  CHECK(summary["feed"]["row-a"]["peak_900s_watts"] == 9100);
  CHECK(summary["feed"]["row-a"]["over_usable_s"] == 120);
  CHECK(summary["site"]["fra"]["clusters"].size() == 2);
  CHECK(summary["site"]["fra"]["cost"]["energy"] == -1.25);
  CHECK(summary["site"]["fra"]["carbon_grams"] == 380);
  CHECK_FALSE(summary["site"]["oslo"].contains("cost"));
  CHECK_FALSE(summary["site"]["oslo"].contains("carbon_grams"));
  const auto plain = nlohmann::json::parse(report::summary_json(report::test::sample()));
  for (const char* key : {"start", "feed", "site"}) CHECK_FALSE(plain.contains(key));
}

TEST_CASE("a list of names is one cell of the CSV") {
  const std::string csv = report::summary_csv(with_grid());
  CHECK_THAT(csv, Contains("site.fra.clusters") && Contains("south west") && Contains("feed.row-a.peak_900s_watts"));
}

TEST_CASE("the terminal has a row a feed, with what is left of it, and a row a site") {
  const std::string text = report::terminal_report(with_grid(), {});
  CHECK_THAT(text, Contains("from 2025-03-18T00:00:00+01:00"));
  CHECK_THAT(text, Contains("row-a  11.0 kW  8.80 kW  8.00 kW      9.10 kW   5 min     9.50 kW  -700 W"));
  CHECK_THAT(text, Contains("above its usable watts for 2 min"));
  // 3.6e6 J are 1 kWh: -1.25 EUR are -1250 a MWh, 380 g are 380 g/kWh.
  CHECK_THAT(text, Contains("fra   1.00 kWh    -1.25 EUR  -1,250 EUR/MWh       3.50 EUR  380 g       380 g/kWh"));
  CHECK_THAT(text, Contains("-1.25 energy + 3.50 demand"));
}
