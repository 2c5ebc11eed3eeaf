#include "policy/routing/energy_aware.hpp"

namespace joulecast::policy {
namespace {

using config::Bounds;
using config::Diagnostics;
using config::Node;

std::optional<double> read_share(const Node& node, Diagnostics& diagnostics, const std::string& key) {
  const auto share = config::Reads<config::Share>::read(node, diagnostics, key);
  if (!share) return std::nullopt;
  if (!(share->value >= 0 && share->value <= 1)) {
    diagnostics.error(node.place(), "the share of \"" + key + "\" is outside 0 .. 100 %", "choose a share in 0 .. 1");
    return std::nullopt;
  }
  return share->value;
}

void read_shares(EnergyAwareParameters& parameters, const Node& node, Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected shares by model, read " + std::string(node.kind()),
                      "write shares = { large = \"20 %\", small = { at_least = \"50 %\" } }; a bare share is one at most");
    return;
  }
  for (const auto& entry : table->entries) {
    ShareBounds bounds;
    bounds.model = entry.key;
    bounds.place = entry.place;
    if (const auto* limits = entry.value->as<config::Table>()) {
      if (const auto* exactly = limits->find("exactly"); exactly != nullptr && limits->entries.size() > 1) {
        diagnostics.error(exactly->place(), "the share of \"" + entry.key + "\" is given exactly and otherwise too",
                          "a share has the keys at_least and at_most, or exactly");
        continue;
      }
      for (const auto& limit : limits->entries) {
        if (limit.key != "at_least" && limit.key != "at_most" && limit.key != "exactly") {
          diagnostics.error(limit.place, "unknown key \"" + limit.key + "\"", "a share has the keys at_least and at_most, or exactly");
          continue;
        }
        const auto share = read_share(*limit.value, diagnostics, entry.key);
        if (!share) continue;
        if (limit.key != "at_most") bounds.at_least = *share;
        if (limit.key != "at_least") bounds.at_most = *share;
      }
    } else if (const auto share = read_share(*entry.value, diagnostics, entry.key)) {
      bounds.at_most = *share;
    }
    if (bounds.at_least > bounds.at_most) {
      diagnostics.error(entry.place, "the share of \"" + entry.key + "\" cannot be met: at_least is above at_most", "swap them");
    }
    parameters.shares.push_back(bounds);
  }
}

}  // namespace

config::Record<EnergyAwareParameters> energy_trade_record(const std::string& title) {
  using P = EnergyAwareParameters;
  config::Record<P> record(title);
  record
      .custom(
          "zeta", "0 .. 1 or a signal", "",
          "weight of energy against accuracy: 0 is accuracy alone, 1 energy alone; { follows = \"price\", from = 0.1, to = 0.6 } moves it with a "
          "site's price (or \"carbon\"), from the lowest of the run to the highest",
          [](P& p, const Node& node, Diagnostics& diagnostics) { p.zeta = read_zeta(node, diagnostics); }, true)
      .optional("energy_model", &P::energy_model, "\"fitted\"", Bounds::any(),
                "what it believes of a request's energy: \"fitted\" to a token sweep of each pool, a shipped set by name (\"wilkins-2024\"), or a "
                ".toml file (`joulecast calibrate tokens` writes one)")
      .optional("profile_batch", &P::profile_batch, "1", Bounds::between(1, 16384),
                "with \"fitted\": how many equal requests the sweep serves at once; 1 is a request alone on a replica")
      .custom("shares", "shares by model", "no bounds",
              "bounds on each model's share of the requests: { large = \"20 %\" } at most, or { at_least, at_most }, or { exactly }", read_shares)
      .optional("out_of_range", &P::out_of_range, "\"refuse\"", Bounds::any(),
                "lengths for which the energy model does not hold or is negative: \"refuse\" the scenario, or \"clamp\" them, with a note")
      .check([](const P& p, const Place& place, Diagnostics& diagnostics) {
        if (p.out_of_range != "refuse" && p.out_of_range != "clamp") {
          diagnostics.error(place, "out_of_range = \"" + p.out_of_range + "\" is not known", "write \"refuse\" or \"clamp\"");
        }
      });
  return record;
}

config::Record<EnergyAwareParameters> energy_aware_record() {
  using P = EnergyAwareParameters;
  return energy_trade_record("energy_aware")
      .optional("share_slack", &P::share_slack, "20", Bounds::between(1, 1e9),
                "by how many requests a share may be off at any moment; the more, the better those are chosen that go to a scarce model")
      .optional("queue_weight", &P::queue_weight, "0.1", Bounds::between(0, 1e6), "weight of a full step of waiting prompt tokens a replica");
}

}  // namespace joulecast::policy
