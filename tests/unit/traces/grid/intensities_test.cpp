#include <catch2/catch.hpp>

#include "unit/traces/grid/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;
using Catch::Contains;

namespace {

constexpr const char* kHeads[] = {
    "Datetime (UTC),Country,Zone Name,Zone Id,Carbon Intensity gCO\u2082eq/kWh (direct),Carbon Intensity gCO\u2082eq/kWh (LCA),Low Carbon "
    "Percentage,Renewable Percentage,Data Source,Data Estimated,Data Estimation Method\n",
    "Datetime (UTC),Country,Zone name,Zone id,Carbon intensity gCO\u2082eq/kWh (direct),Carbon intensity gCO\u2082eq/kWh (Life cycle),Carbon-free "
    "energy "
    "percentage (CFE%),Renewable energy percentage (RE%),Data source,Data estimated,Data estimation method\n",
    "Datetime (UTC),Country,Zone Name,Zone Id,Carbon Intensity gCO\u2082eq/kWh (direct),Carbon Intensity gCO\u2082eq/kWh (LCA),Low Carbon "
    "Percentage,Renewable Percentage,Data Source\n"};

std::string api(const std::string& values) { return "{\"zone\":\"DE\",\"history\":[" + values + "]}"; }
std::string point(const std::string& time, const std::string& value, const std::string& more = "") {
  return "{\"zone\":\"DE\",\"carbonIntensity\":" + value + ",\"datetime\":\"" + time + "\"" + more + "}";
}

}  // namespace

TEST_CASE("Electricity Maps: three generations of headers, direct and life cycle") {
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const std::string rest = i == 2 ? ",x\n" : ",x,false,\n";
    const std::string estimated = i == 2 ? ",x\n" : ",x,true,TIME_SLICER\n";
    const std::string text = std::string(kHeads[i]) + "2025-03-01 00:00:00,Germany,Germany,DE,72.5,120.1,50,40" + rest +
                             "2025-03-01 01:00:00,Germany,Germany,DE,73,121,50,40" + estimated;
    const Series direct = carbon(text, "format = \"electricitymaps\", factor = \"direct\"");
    CHECK(direct.value[0] == Approx(72.5 / kKWh));
    CHECK(direct.start_ns[0] == ns("2025-03-01T00:00:00Z"));
    CHECK(carbon(text, "format = \"electricitymaps\", factor = \"life_cycle\"").value[1] == Approx(121 / kKWh));
    if (i < 2) CHECK_THAT(all_notes(direct), Contains("1 of 2 values are estimates"));
  }
}

TEST_CASE("Electricity Maps: a zone of several, and a header that is none of the known") {
  const std::string text =
      std::string(kHeads[1]) + "2025-03-01 00:00:00,Germany,Germany,DE,1,2,50,40,x,false,\n2025-03-01 00:00:00,France,France,FR,3,4,50,40,x,false,\n";
  CHECK_THAT(refused([&] { carbon(text, "format = \"electricitymaps\", factor = \"direct\""); }), Contains("several zones: DE, FR"));
  CHECK(carbon(text, "format = \"electricitymaps\", factor = \"direct\", location = \"FR\", resolution = \"1 h\"").value[0] == Approx(3 / kKWh));
  CHECK_THAT(
      refused([&] { carbon("Datetime (UTC),Carbon Intensity\n2025-03-01 00:00:00,1\n", "format = \"electricitymaps\", factor = \"life_cycle\""); }),
      Contains("no column Carbon intensity") && Contains("Life cycle") && Contains("LCA"));
}

TEST_CASE("Electricity Maps API: null is a gap, estimates are counted, the factor must be the answer's") {
  const std::string keys = "format = \"electricitymaps\", factor = \"life_cycle\"";
  const std::string life = ",\"emissionFactorType\":\"lifecycle\",\"isEstimated\":true";
  const std::string text = api(point("2026-03-01T09:00:00.000Z", "401", life) + "," + point("2026-03-01T10:00:00.000Z", "null") + "," +
                               point("2026-03-01T11:00:00.000Z", "403.5") + "," + point("2026-03-01T12:00:00.000Z", "404"));
  CHECK_THAT(refused([&] { carbon(text, keys); }), Contains("1 gap: from 2026-03-01 10:00:00 UTC"));
  const Series held = carbon(text, keys + ", gaps = \"hold\"");
  CHECK(held.at(ns("2026-03-01T10:30:00Z")) == Approx(401 / kKWh));
  CHECK_THAT(all_notes(held), Contains("1 row without a value") && Contains("1 of 4 values are estimates"));
  CHECK(carbon(text, keys + ", gaps = \"interpolate\"").at(ns("2026-03-01T10:30:00Z")) == Approx(402.25 / kKWh));
  CHECK_THAT(refused([&] { carbon(text, "format = \"electricitymaps\", factor = \"direct\""); }),
             Contains("history[0] holds life_cycle intensities"));
  CHECK_THAT(refused([&] { carbon("{\"zone\":\"DE\"}", keys); }), Contains("no list \"history\""));
  CHECK_THAT(refused([&] { carbon(api("{\"carbonIntensity\":3}"), keys); }), Contains("history[0] lacks \"datetime\""));
  CHECK_THAT(refused([&] { carbon(api(point("yesterday", "3")), keys); }), Contains("history[0].datetime is \"yesterday\""));
  CHECK_THAT(refused([&] { carbon("{\"zone\":\"DE\",\n \"history\":[ {\"x\" 1} ]}", keys); }), Contains("s.csv:2:") && Contains("no JSON from"));
  CHECK_THAT(refused([&] { carbon(std::string(100, '['), keys); }), Contains("too deep"));
}

TEST_CASE("WattTime-like: a column named after the region, a unit that must be declared") {
  const std::string text = "oootime,Caiso_North\n2023-06-08 00:00:00,425\n2023-06-08 00:05:00,432.3\n";
  const Series grams = carbon(text, "format = \"watttime\", unit = \"g/kWh\", timezone = \"UTC\"");
  CHECK(grams.value[0] == Approx(425 / kKWh));
  CHECK(grams.end_ns - grams.start_ns.front() == 10 * kHour / 60);
  CHECK(carbon(text, "format = \"watttime\", unit = \"lb/MWh\", timezone = \"UTC\"").value[0] == Approx(425 * 0.45359237 / kKWh));
  CHECK_THAT(refused([&] { carbon(text, "format = \"watttime\", unit = \"lb/MWh\""); }), Contains("no timezone is stated"));
  const std::string two = "oootime,Caiso_North,Other\n2023-06-08 00:00:00,425,1\n2023-06-08 00:05:00,432.3,1\n";
  CHECK_THAT(refused([&] { carbon(two, "format = \"watttime\", unit = \"g/kWh\", timezone = \"UTC\""); }),
             Contains("Caiso_North, Other") && Contains("value = "));
  CHECK(carbon(two, "format = \"watttime\", unit = \"g/kWh\", timezone = \"UTC\", value = \"Other\"").value[0] == Approx(1 / kKWh));
}

TEST_CASE("EIA-derived: whole numbers or decimals, offsets in the file") {
  const Series series =
      carbon("timestamp,WND,SUN,avg_CI\n2022-01-01 00:00:00+00:00,16317,50,334.2\n2022-01-01 01:00:00+00:00,18425.0,0.0,311\n", "format = \"eia\"");
  CHECK(series.value[0] == Approx(334.2 / kKWh));
  CHECK(series.start_ns[1] == ns("2022-01-01T01:00:00Z"));
}

TEST_CASE("Carbon Aware SDK: a byte-order mark, numbers as texts, several locations") {
  const std::string text =
      "\xEF\xBB\xBF{\"Description\":\"x\",\"Emissions\":[{\"Location\":\"Sydney\",\"Rating\":\"600\",\"Time\":\"2021-01-01T00:00:00\"},"
      "{\"Location\":\"Sydney\",\"Rating\":700,\"Time\":\"2021-01-01T01:00:00\"},{\"Location\":\"Auckland\",\"Rating\":\"100\",\"Time\":\"2021-01-"
      "01T00:00:00\"}]}";
  const std::string keys = "format = \"carbon-aware\", unit = \"g/kWh\", timezone = \"UTC\"";
  CHECK_THAT(refused([&] { carbon(text, keys); }), Contains("several locations: Sydney, Auckland"));
  const Series sydney = carbon(text, keys + ", location = \"Sydney\"");
  CHECK(sydney.value[0] == Approx(600 / kKWh));
  CHECK(sydney.end_ns == ns("2021-01-01T02:00:00Z"));
  CHECK_THAT(refused([&] { carbon("{\"Emissions\":3}", keys); }), Contains("no list \"Emissions\""));
  CHECK_THAT(refused([&] { carbon("{\"Emissions\":[{\"Rating\":[1],\"Time\":\"2021-01-01T00:00:00\"}]}", keys); }),
             Contains("Emissions[0].Rating is a list"));
  CHECK_THAT(refused([&] { carbon("", keys); }), Contains("the file is empty"));
}
