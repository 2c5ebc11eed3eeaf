// Prices and intensities over time: what a run is charged, and what is refused.
#include <catch2/catch.hpp>

#include "unit/scenario/sites.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

const std::string kThreeHours = "time,v\n2025-03-18 00:00,50\n2025-03-18 01:00,-20\n2025-03-18 02:00,90\n";

/// The sum over a run's bins of one second of what a step function of hours says, per MWh or per MWh's thousandth.
double by_bins(const Result& result, const std::vector<double>& hourly, double per_joule) {
  double sum = 0;
  const auto& watts = result.energy.watts[kFacilityBoundary];
  for (std::size_t i = 0; i < watts.size(); ++i) sum += static_cast<double>(watts[i]) * hourly[i / 3600] * per_joule;
  return sum;
}

}  // namespace

TEST_CASE("Energy is charged at the price of its hour, below zero too, and so is carbon") {
  const SeriesFile price(kThreeHours), carbon("time,v\n2025-03-17 23:00,100\n2025-03-18 00:00,300\n2025-03-18 01:00,500\n");
  const Result result = simulate(load_text(on_site("price = " + price.table("EUR/MWh") + "\ncarbon = " + carbon.table("g/kWh") + "\n")), {});
  REQUIRE(result.cost);
  CHECK(result.cost->currency == "EUR");
  CHECK(*result.cost->energy == Approx(by_bins(result, {50, -20}, 1 / 3.6e9)).epsilon(1e-6));  // bins are kept as floats
  CHECK(*result.carbon_grams == Approx(by_bins(result, {300, 500}, 1 / 3.6e6)).epsilon(1e-6));
  REQUIRE(result.sites.size() == 1);
  CHECK(*result.sites[0].energy_cost == *result.cost->energy);
  CHECK(result.start == "2025-03-18T00:00:00+00:00");
}

TEST_CASE("A series of one value is that constant") {
  const SeriesFile flat("time,v\n2025-03-18 00:00,80\n2025-03-18 01:00,80\n");
  const Result series = simulate(load_text(on_site("price = " + flat.table("USD/MWh") + "\n")), {});
  const Result constant = simulate(load_text(on_site("price = \"80 USD/MWh\"\n")), {});
  CHECK(*series.cost->energy == Approx(*constant.cost->energy).epsilon(1e-12));
  CHECK(constant.sites.empty());
  CHECK(*constant.cost->energy == Approx(constant.energy.joules[kFacilityBoundary] * 80 / 3.6e9).epsilon(1e-12));
}

TEST_CASE("A repeated series may lie anywhere in time") {
  const SeriesFile old("time,v\n1999-12-31 00:00,10\n1999-12-31 01:00,30\n");
  const Scenario scenario = load_text(on_site("price = " + old.table("EUR/MWh", ", repeat = true") + "\n"));
  const Result result = simulate(scenario, {});
  // 2025-03-18 is 9209 days after 1999-12-31 and the series lasts 2 h: the run begins with its first hour.
  CHECK(*result.cost->energy == Approx(by_bins(result, {10, 30}, 1 / 3.6e9)).epsilon(1e-6));
  bool told = false;
  for (const auto& note : result.notes) told = told || note.find("repeats after its 2 h") != std::string::npos;
  CHECK(told);
}

// On 30 March 2025 the clocks of Berlin go from 02:00 to 03:00: 23 rows are the whole day.
TEST_CASE("The day of 23 hours is covered by its 23 prices, and not by more") {
  std::string rows = "time,v\n";
  for (int hour = 0; hour < 24; ++hour) {
    if (hour != 2) rows += "2025-03-30 " + std::to_string(hour / 10) + std::to_string(hour % 10) + ":00," + std::to_string(hour) + "\n";
  }
  const SeriesFile file(rows);
  const std::string price =
      "timezone = \"Europe/Berlin\"\nprice = { file = \"" + file.path() +
      "\", format = \"csv\", time = \"time\", value = \"v\", unit = \"EUR/MWh\", interval = \"start\", timezone = \"Europe/Berlin\" }\n";
  const Result day = simulate(load_text(on_site(price, "start = 2025-03-30T00:00:00\nduration = \"23 h\"\nbin = \"1 s\"\n")), {});
  std::vector<double> hourly;
  for (int hour = 0; hour < 24; ++hour) {
    if (hour != 2) hourly.push_back(hour);
  }
  CHECK(*day.cost->energy == Approx(by_bins(day, hourly, 1 / 3.6e9)).epsilon(1e-6));
  CHECK(day.start == "2025-03-30T00:00:00+01:00");
  CHECK_THAT(
      faults(on_site(price, "start = 2025-03-30T00:00:00\nduration = \"24 h\"\n")),
      Contains("is known from 2025-03-30 00:00:00 Europe/Berlin to 2025-03-31 00:00:00 Europe/Berlin, and the run goes from 2025-03-30 00:00:00 "
               "Europe/Berlin to 2025-03-31 01:00:00 Europe/Berlin") &&
          Contains("repeat = true"));
}

TEST_CASE("A series without a start, that begins late or ends early, that has a gap or is not there") {
  const SeriesFile price(kThreeHours);
  const std::string key = "price = " + price.table("EUR/MWh") + "\n";
  CHECK_THAT(faults(on_site(key, "duration = \"2 h\"\n")),
             Contains("the price of site \"here\" has dates, from 2025-03-18 00:00:00 UTC on, and the run has no start") && Contains("add start ="));
  CHECK_THAT(faults(on_site(key, "start = 2025-03-18T00:00:00Z\nduration = \"4 h\"\n")),
             Contains("is known from") && Contains("to 2025-03-18 04:00:00 UTC"));
  CHECK_THAT(faults(on_site(key, "start = 2025-03-17T23:59:59Z\nduration = \"1 h\"\n")), Contains("is known from"));
  CHECK(faults(on_site(key, "start = 2025-03-18T00:00:00Z\nduration = \"3 h\"\n")) == "");
  const SeriesFile gap("time,v\n2025-03-18 00:00,1\n2025-03-18 01:00,1\n2025-03-18 02:00,1\n2025-03-18 05:00,1\n2025-03-18 06:00,1\n");
  CHECK_THAT(faults(on_site("price = " + gap.table("EUR/MWh") + "\n")), Contains("1 gap") && Contains("2 steps"));
  CHECK_THAT(faults(on_site("price = { file = \"not-there.csv\", format = \"entsoe\" }\n")), Contains("not-there.csv"));
  CHECK_THAT(faults(on_site("carbon = \"-3 g/kWh\"\n")), Contains("below 0"));
  CHECK_THAT(faults(on_site("timezone = \"Europe/Berln\"\n")), Contains("did you mean \"Europe/Berlin\"?"));
}

TEST_CASE("A start without an offset is in the site's zone; one that came twice or never is refused") {
  const auto start = [](const std::string& text, const std::string& zone = "timezone = \"Europe/Berlin\"\n") {
    return on_site(zone, "start = " + text + "\nduration = \"1 h\"\n");
  };
  CHECK(load_text(start("2025-07-01T12:00:00")).start->ns == load_text(start("2025-07-01T10:00:00Z")).start->ns);
  CHECK(load_text(start("2025-07-01T12:30:00")).start->local_ns_of_day() == 45'000'000'000'000);
  CHECK(load_text(start("2025-07-01")).start->text() == "2025-07-01T00:00:00+02:00");
  CHECK_THAT(faults(start("2025-03-30T02:30:00")), Contains("does not exist in Europe/Berlin"));
  CHECK_THAT(faults(start("2025-10-26T02:30:00")), Contains("comes twice in Europe/Berlin"));
  CHECK_THAT(faults(start("2025-10-26T02:30:00", "")), Contains("the site has no timezone"));
  CHECK_THAT(faults(start("1066-10-14T09:00:00Z")), Contains("the year 1066"));
  CHECK_THAT(faults(start("\"tomorrow\"")), Contains("start"));
  CHECK(load_text(start("2025-07-01T12:00:00"), {"time.start=2025-08-01T00:00:00+02:00"}).start->text() == "2025-08-01T00:00:00+02:00");
}

TEST_CASE("A run that drains past its series goes on with the last value, as long as that one lasted") {
  const SeriesFile price("time,v\n2025-03-18 00:00,50\n2025-03-18 01:00,70\n");
  const Result result = simulate(
      load_text(on_site("price = " + price.table("EUR/MWh") + "\n", "start = 2025-03-18T00:00:00Z\nduration = \"2 h\"\nat_end = \"drain\"\n")), {});
  if (result.horizon_s > 7200) {
    bool told = false;
    for (const auto& note : result.notes) told = told || note.find("the last value goes on") != std::string::npos;
    CHECK(told);
  }
  const std::string counted = on_site("price = " + price.table("EUR/MWh") + "\n", "start = 2025-03-18T00:00:00Z\n");
  const Scenario endless = load_text(counted, {"traffic.chat.num_requests=1000"});  // 1000 at one in 20 s: 5.6 h
  CHECK_THROWS_WITH(simulate(endless, {}), Contains("the price of site \"here\" ended") && Contains("before the run did"));
}

TEST_CASE("A day of the made-up prices, and with measured ones where they are at hand") {
  const LoadOptions made_up{{}, {}, "."};
  const Result result = simulate(load("scenarios/day-with-prices.toml", made_up), {});
  REQUIRE(result.sites.size() == 1);
  const double mean = *result.sites[0].energy_cost / result.energy.joules[kFacilityBoundary] * 3.6e9;
  CHECK(mean > -9);
  CHECK(mean < 146);
  CHECK(result.feeds[0].load.mean < 13600);
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: the measured day is skipped");
    return;
  }
  const std::string file = std::string(data) + "/traces/grid/entsoe_da_prices_2025.csv";
  const auto with = [&](const std::string& start) {
    return LoadOptions{{"site.fra.price={file=\"" + file + "\",format=\"entsoe\",sequence=2}", "time.start=" + start}, {}, "."};
  };
  const Scenario measured = load("scenarios/day-with-prices.toml", with("2025-03-18T00:00:00+01:00"));
  const Result day = simulate(measured, {});
  double sum = 0;
  const auto& watts = day.energy.watts[kFacilityBoundary];
  for (std::size_t i = 0; i < watts.size(); ++i) {
    sum += static_cast<double>(watts[i]) * measured.sites[0].price->series->at(measured.start->ns + static_cast<std::int64_t>(i) * 1'000'000'000);
  }
  CHECK(*day.cost->energy == Approx(sum).epsilon(1e-6));
  // The file ends with 21 March.
  CHECK_THROWS_WITH(load("scenarios/day-with-prices.toml", with("2025-03-30T00:00:00+01:00")), Contains("to 2025-03-22 00:00:00 Europe/Berlin"));
}
