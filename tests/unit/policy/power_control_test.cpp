// Policies that hold the power of a row or a site.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "policy/control_registry.hpp"

using namespace joulecast;
using control::PowerFacts;
using control::PowerSetting;
using control::Priority;

namespace {

PowerFacts row() {
  PowerFacts facts;
  facts.place = "feed \"row\"";
  facts.usable = Watts(100e3);
  for (const auto priority : {Priority::high, Priority::low}) {
    facts.pools.push_back({priority == Priority::high ? "chat" : "batch", priority, Hertz(200e6), Hertz(2000e6), Watts(200), Watts(700), 10});
  }
  return facts;
}

std::unique_ptr<control::PowerController> made(const char* name, const PowerFacts& facts, const char* toml = "") {
  config::Diagnostics diagnostics;
  const config::Node node = config::parse_text(toml, "policy");
  auto controller = policy::find_power_control(name)->make(&node, facts, diagnostics);
  diagnostics.throw_if_failed();
  return controller;
}

std::optional<double> mhz(const PowerSetting& setting) {
  return setting.clock ? std::optional(std::round(setting.clock->si() * 1e-6)) : std::nullopt;
}

}  // namespace

TEST_CASE("row_cap locks low priority at the first threshold, deeper and then high priority at the second, and lets go below them") {
  const auto controller = made("row_cap", row());
  std::vector<PowerSetting> settings(2);
  const auto at = [&](double kilowatts) {
    const std::vector<double> gpus{0, 0};
    controller->decide({kilowatts * 1e3, gpus}, Time{0}, settings);
    return std::pair(mhz(settings[0]), mhz(settings[1]));
  };
  using Locks = std::pair<std::optional<double>, std::optional<double>>;
  const auto none = std::optional<double>{};
  CHECK(at(79) == Locks(none, none));
  CHECK(at(81) == Locks(none, 1808.0));
  CHECK(at(90) == Locks(none, 1574.0));
  CHECK(at(90) == Locks(1852.0, 1574.0));
  CHECK(at(86) == Locks(1852.0, 1574.0));
  CHECK(at(83) == Locks(none, 1808.0));
  CHECK(at(76) == Locks(none, 1808.0));
  CHECK(at(74) == Locks(none, none));
  CHECK(at(101) == Locks(408.0, 408.0));
}

TEST_CASE("row_cap is for feeds: a site has no rating") {
  PowerFacts site = row();
  site.usable.reset();
  CHECK_THROWS_AS(made("row_cap", site), UserError);
}

TEST_CASE("budget leaves enough alone, gives high priority what it wants first, and its limits sum to the budget") {
  PowerFacts facts = row();
  facts.usable.reset();
  std::vector<PowerSetting> settings(2);
  const std::vector<double> gpus{6000, 6000};
  made("budget", facts, "watts = \"20 kW\"")->decide({14000, gpus}, Time{0}, settings);
  CHECK(settings == std::vector<PowerSetting>(2));
  // 14 kW are drawn and 12 allowed: GPUs may draw 10 kW, of which chat wants 7.
  made("budget", facts, "watts = \"12 kW\"")->decide({14000, gpus}, Time{0}, settings);
  CHECK_FALSE(settings[0].cap.has_value());
  REQUIRE(settings[1].cap.has_value());
  CHECK(settings[1].cap->si() == 300);
  // 7.5 kW: both at the least would take 4, and chat gets all of the rest.
  made("budget", facts, "watts = \"9500 W\"")->decide({14000, gpus}, Time{0}, settings);
  CHECK(settings[0].cap->si() == 550);
  CHECK(settings[1].cap->si() == 200);
}

TEST_CASE("budget follows the carbon intensity, and says which signal of which site is missing") {
  PowerFacts facts = row();
  facts.usable.reset();
  facts.signals.site = "here";
  const char* toml = "watts = \"20 kW\"\ncarbon_above = \"300 g/kWh\"\nwatts_above = \"12 kW\"";
  CHECK_THROWS_WITH(made("budget", facts, toml), Catch::Contains("needs the carbon of site \"here\""));
  const control::Signal clean(299 / 3.6e6), dirty(301 / 3.6e6);
  const std::vector<double> gpus{6000, 6000};
  std::vector<PowerSetting> settings(2);
  facts.signals.carbon = &clean;
  made("budget", facts, toml)->decide({14000, gpus}, Time{0}, settings);
  CHECK_FALSE(settings[1].cap.has_value());
  facts.signals.carbon = &dirty;
  made("budget", facts, toml)->decide({14000, gpus}, Time{0}, settings);
  CHECK(settings[1].cap.has_value());
}
