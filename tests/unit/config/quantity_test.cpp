#include <catch2/catch.hpp>
#include <clocale>

#include "config/reads.hpp"
#include "faults.hpp"

using namespace joulecast;
using namespace joulecast::config;

namespace {

const Place kPlace{"a.toml", 2, 9};

template <class Q>
double si_of(const char* text) {
  Diagnostics diagnostics;
  const auto value = parse_quantity<Q>(text, kPlace, diagnostics);
  diagnostics.throw_if_failed();
  return value.value().si();
}

template <class Q>
std::string fault_of(const char* text) {
  const Faults faults = faults_of([&](Diagnostics& diagnostics) { CHECK_FALSE(parse_quantity<Q>(text, kPlace, diagnostics)); });
  REQUIRE(faults.size() == 1);
  return faults[0];
}

Node text_node(const char* text) { return {std::string(text), kPlace}; }

}  // namespace

TEST_CASE("quantities of every dimension") {
  CHECK(si_of<Joules>("1 J") == 1);
  CHECK(si_of<Joules>("1.25 kWh") == 4.5e6);
  CHECK(si_of<Joules>("2 MWh") == 7.2e9);
  CHECK(si_of<Joules>("3 nJ") == 3e-9);
  CHECK(si_of<Watts>("1.25 kW") == 1250);
  CHECK(si_of<Watts>("1.25kW") == 1250);
  CHECK(si_of<Watts>("  +7e2   W ") == 700);
  CHECK(si_of<Watts>("2 mW") == 0.002);
  CHECK(si_of<Watts>("2 MW") == 2e6);
  CHECK(si_of<Seconds>("80 ms") == 0.08);
  CHECK(si_of<Seconds>("50 us") == 50e-6);
  CHECK(si_of<Seconds>("50 \u00b5s") == 50e-6);
  CHECK(si_of<Seconds>("10 min") == 600);
  CHECK(si_of<Seconds>("24 h") == 86400);
  CHECK(si_of<Seconds>("1 week") == 7 * 86400);
  CHECK(si_of<Seconds>("12 month") == si_of<Seconds>("1 year"));
  CHECK(si_of<Seconds>("4 year") == 4 * 365 * 86400);
  CHECK(si_of<Hertz>("1410 MHz") == 1.41e9);
  CHECK(si_of<Hertz>("5.5 /s") == 5.5);
  CHECK(si_of<Hertz>("12/min") == 0.2);
  CHECK(si_of<Bytes>("80 GB") == 80e9);
  CHECK(si_of<Bytes>("80 GiB") == 80.0 * (1ULL << 30));
  CHECK(si_of<BytesPerSecond>("900 GB/s") == 900e9);
  CHECK(si_of<BytesPerSecond>("400 Gbit/s") == 50e9);
  CHECK(si_of<Flops>("3 TFLOP") == 3e12);
  CHECK(si_of<FlopsPerSecond>("989 TFLOP/s") == 989e12);
  CHECK(si_of<Money>("90000 USD/node") == 90000);
  CHECK(si_of<MoneyPerJoule>("0.36 USD/kWh") == Approx(1e-7).epsilon(1e-15));
  CHECK(si_of<MoneyPerJoule>("36 EUR/MWh") == 1e-8);
  CHECK(si_of<MoneyPerSecond>("3.60 USD/GPU/h") == Approx(1e-3).epsilon(1e-15));
  CHECK(si_of<MoneyPerSecond>("3.60 USD / h") == Approx(1e-3).epsilon(1e-15));
  CHECK(si_of<Grams>("2 t") == 2e6);
  CHECK(si_of<GramsPerJoule>("360 g/kWh") == 1e-4);
  CHECK(si_of<GramsPerJoule>("360 kg/MWh") == 1e-4);
  CHECK(si_of<GramsPerJoule>("1 lb/MWh") == Approx(453.59237 / 3.6e9).epsilon(1e-15));
  CHECK(si_of<Watts>("-3 W") == -3);
}

TEST_CASE("a price keeps its currency and what it is for") {
  Diagnostics diagnostics;
  const auto price = Reads<Priced<MoneyPerJoule>>::read(text_node("0.08 EUR/kWh"), diagnostics);
  CHECK(price.value().currency == "EUR");
  CHECK(price.value().per.empty());
  const auto rental = Reads<Priced<MoneyPerSecond>>::read(text_node("1.30 USD/GPU/h"), diagnostics);
  CHECK(rental.value().currency == "USD");
  CHECK(rental.value().per == "GPU");
  CHECK(Reads<Priced<Money>>::read(text_node("90000 GBP/node"), diagnostics).value().per == "node");
  CHECK_FALSE(diagnostics.failed());
}

TEST_CASE("a faulty quantity names the fault and the remedy") {
  CHECK(fault_of<Watts>("1250") == "2:9 the value needs a unit of power, read \"1250\" | write it with a unit, for example \"1.25 kW\"");
  CHECK(fault_of<Watts>("3 s") ==
        "2:9 the value expects a unit of power, read time, \"3 s\" | use a unit of power (W, kW, MW), for example \"1.25 kW\"");
  CHECK(fault_of<Watts>("80 %").find("read a share") != std::string::npos);
  CHECK(fault_of<Watts>("1.25 kw") == "2:9 the value has an unknown unit \"kw\" in \"1.25 kw\" | did you mean \"1.25 kW\"?");
  CHECK(fault_of<Seconds>("4 years").find("did you mean \"4 year\"?") != std::string::npos);
  CHECK(fault_of<MoneyPerJoule>("0.08 USD/KWh").find("did you mean \"0.08 USD/kWh\"?") != std::string::npos);
  CHECK(fault_of<Bytes>("80 furlong").find("use a unit of data (B, kB, ") != std::string::npos);
  CHECK(fault_of<Bytes>("80 GB/s").find("read data rate") != std::string::npos);
  CHECK(fault_of<Watts>("1,25 kW").find("use a point for decimals") != std::string::npos);
  CHECK(fault_of<Watts>("1_250 W").find("use a point for decimals") != std::string::npos);
  CHECK(fault_of<Watts>("").find("expects a number with a unit") != std::string::npos);
  CHECK(fault_of<Watts>("kW").find("expects a number with a unit") != std::string::npos);
  CHECK(fault_of<MoneyPerSecond>("1 USD/GPU/node/h").find("unknown unit") != std::string::npos);
  CHECK(fault_of<Hertz>("5 node/s").find("unknown unit") != std::string::npos);
  CHECK(fault_of<Hertz>("5 /").find("unknown unit") != std::string::npos);
  for (const char* text : {"nan W", "inf W", "-inf W", "1e999 W", "1e308 kW", "1e-999 W", "1e-320 nW"}) {
    INFO(text);
    CHECK(fault_of<Watts>(text).find("is not a finite number that can be held") != std::string::npos);
  }
}

TEST_CASE("a bare number is no quantity") {
  const auto fault = [](Node node) {
    return faults_of([&](Diagnostics& diagnostics) { CHECK_FALSE(Reads<Watts>::read(node, diagnostics, "rating")); });
  };
  CHECK(fault(Node(std::int64_t{1250}, kPlace)) ==
        Faults{"2:9 \"rating\" needs a unit of power, read 1250 | write it with a unit and in quotes, for example \"1.25 kW\""});
  CHECK(fault(Node(Table{}, kPlace)) == Faults{"2:9 \"rating\" expects a power, read a table | write for example: rating = \"1.25 kW\""});
}

TEST_CASE("shares") {
  Diagnostics diagnostics;
  CHECK(Reads<Share>::read(text_node("80 %"), diagnostics).value().value == 0.8);
  CHECK(Reads<Share>::read(text_node("99%"), diagnostics).value().value == 0.99);
  CHECK(Reads<Share>::read(Node(0.25, kPlace), diagnostics).value().value == 0.25);
  CHECK(Reads<Share>::read(Node(std::int64_t{1}, kPlace), diagnostics).value().value == 1);
  CHECK_FALSE(diagnostics.failed());
  const auto fault = [](Node node) { return faults_of([&](Diagnostics& d) { CHECK_FALSE(Reads<Share>::read(node, d, "share")); }).at(0); };
  CHECK(fault(Node(std::int64_t{80}, kPlace)) ==
        "2:9 \"share\" as a plain number is a share of 0 .. 1, read 80 | write \"80 %\" for percent, or a number in 0 .. 1");
  CHECK(fault(text_node("0.8")).find("needs \"%\" behind the number") != std::string::npos);
  CHECK(fault(text_node("0.8 W")).find("expects a share in \"%\"") != std::string::npos);
  CHECK(fault(Node(true, kPlace)).find("expects a share, read true") != std::string::npos);
}

TEST_CASE("quantities do not depend on the locale") {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  bool tried = false;
  for (const char* locale : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) tried = tried || std::setlocale(LC_ALL, locale) != nullptr;
  if (!tried) WARN("no locale with a decimal comma is installed: only the C locale was tried");
  CHECK(si_of<Watts>("1.25 kW") == 1250);
  std::setlocale(LC_ALL, before.c_str());
}
