// Series as their publishers give them, where the measured data is at hand; counts were taken by a reader of another kind (Python's csv module).
#include <algorithm>
#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

bool skipped() {
  if (measured() != nullptr) return false;
  WARN("JOULECAST_DATA is not set: skipped");
  return true;
}

Series from(const std::string& file, const std::string& keys, SeriesKind kind) {
  SeriesOptions options = series(keys);
  options.file = std::string(measured()) + "/traces/grid/" + file;
  return read_series(options, kind);
}

std::size_t negative(const Series& series) {
  return static_cast<std::size_t>(std::count_if(series.value.begin(), series.value.end(), [](double value) { return value < 0; }));
}

}  // namespace

TEST_CASE("ENTSO-E, Germany and Luxembourg, 2025 to 21 March") {
  if (skipped()) return;
  const Series first = from("entsoe_da_prices_2025.csv", "format = \"entsoe\", sequence = 1", SeriesKind::price);
  CHECK(first.value.size() == 7584);
  CHECK(negative(first) == 104);
  CHECK(first.start_ns.front() == ns("2024-12-31T23:00:00Z"));
  CHECK(first.end_ns == ns("2025-03-20T23:00:00Z"));
  const Series second = from("entsoe_da_prices_2025.csv", "format = \"entsoe\", sequence = 2", SeriesKind::price);
  CHECK(second.value.size() == 7680);
  CHECK(negative(second) == 153);
  CHECK(second.value.front() == Approx(22.4 / kMWh));
  CHECK_THAT(refused([] { from("entsoe_da_prices_2025.csv", "format = \"entsoe\"", SeriesKind::price); }), Contains("several sequences"));
}

TEST_CASE("Electricity Maps, MISO, the last day of November 2024 and the day after") {
  if (skipped()) return;
  const std::string keys = "format = \"electricitymaps\", factor = \"life_cycle\"";
  const Series day = from("electricitymaps_history_api_zeus_file1.json", keys, SeriesKind::carbon);
  CHECK(day.value.size() == 24);
  CHECK(day.value[0] == Approx(501 / kKWh));
  CHECK(day.start_ns[0] == ns("2024-11-30T06:00:00Z"));
  CHECK_THAT(all_notes(day), Contains("8 of 24 values are estimates"));
  CHECK(from("electricitymaps_history_api_zeus_file2.json", keys, SeriesKind::carbon).value[23] == Approx(501 / kKWh));
}

TEST_CASE("marginal intensities of northern California, and averages of California and Texas") {
  if (skipped()) return;
  const Series north = from("vessim_watttime_example.csv", "format = \"watttime\", unit = \"g/kWh\", timezone = \"UTC\"", SeriesKind::carbon);
  CHECK(north.value.size() == 8928);
  CHECK(north.end_ns - north.start_ns.front() == 31 * 24 * kHour);
  CHECK_THAT(refused([] { from("dc-rl_CISO_NG_avgCI.csv", "format = \"eia\"", SeriesKind::carbon); }),
             Contains("1 gap: from 2022-01-05 10:00:00 UTC"));
  const Series california = from("dc-rl_CISO_NG_avgCI.csv", "format = \"eia\", gaps = \"hold\"", SeriesKind::carbon);
  CHECK(california.value.size() == 2707);  // of 2708 rows one has no values
  CHECK(california.value[0] == Approx(222.29592090536002 / kKWh));
  CHECK(from("dc-rl_ERCO_NG_avgCI.csv", "format = \"eia\"", SeriesKind::carbon).value.size() == 3223);
}

TEST_CASE("intensities of Germany and Great Britain through the change of clocks, in UTC") {
  if (skipped()) return;
  const std::string keys = "format = \"csv\", time = \"Time\", value = \"Carbon Intensity\", unit = \"g/kWh\", interval = \"start\", timezone = \"";
  const Series germany = from("letswaitawhile_ger_ci.csv", keys + "UTC\"", SeriesKind::carbon);
  CHECK(germany.value.size() == 10386);
  CHECK(germany.end_ns - germany.start_ns.front() == 10386 * kQuarter);
  CHECK(from("letswaitawhile_gb_ci.csv", keys + "UTC\"", SeriesKind::carbon).value.size() == 10355);
  // Every quarter of 29 March 2020 is there: read as the clocks of Berlin, whose hour from 02:00 that day never was, the file is refused.
  CHECK_THAT(refused([&] { from("letswaitawhile_ger_ci.csv", keys + "Europe/Berlin\"", SeriesKind::carbon); }),
             Contains("2020-03-29 02:00:00 does not exist"));
}

TEST_CASE("the Carbon Aware SDK's sample: steps of a quarter year, more or less") {
  if (skipped()) return;
  const std::string keys = "format = \"carbon-aware\", unit = \"g/kWh\", timezone = \"UTC\", location = \"Sydney\"";
  CHECK_THAT(refused([&] { from("carbon-aware-sdk_sample-emissions-data.json", keys, SeriesKind::carbon); }), Contains("no usual distance"));
  const Series held = from("carbon-aware-sdk_sample-emissions-data.json", keys + ", resolution = \"90 day\", gaps = \"hold\"", SeriesKind::carbon);
  CHECK(held.value.size() == 5);
  CHECK(held.value[3] == Approx(0.72 / kKWh));
}
