#include "validation/wilkins_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "control/energy_belief.hpp"
#include "policy/registry.hpp"

namespace joulecast::validation {
namespace {

constexpr std::int64_t kQueries = 52002, kInput = 1125669, kOutput = 8460614, kProduct = 160504458;
constexpr std::array<std::int64_t, 10> kInputs{8, 9, 11, 13, 15, 18, 22, 28, 37, 55}, kOutputs{8, 22, 45, 75, 110, 150, 200, 265, 350, 400};

struct Query {
  std::int64_t input = 0, output = 0;
};

/// Every prompt length with every answer length; a token more for as many queries as make up the sums; then, for the product, queries of the first half
/// change answers with queries of the second where that brings it down and not too far.
std::vector<Query> queries() {
  std::vector<Query> all(kQueries);
  std::int64_t more_input = kInput, more_output = kOutput;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = {kInputs[i % 10], kOutputs[i / 10 % 10]};
    more_input -= all[i].input;
    more_output -= all[i].output;
  }
  JOULECAST_CHECK(more_input >= 0 && more_output >= 0 && std::max(more_input, more_output) < kQueries, "the lengths cannot make up the sums");
  for (std::size_t i = 0; i < static_cast<std::size_t>(more_input); ++i) ++all[i].input;
  for (std::size_t i = 0; i < static_cast<std::size_t>(more_output); ++i) ++all[all.size() - 1 - i].output;
  std::int64_t above = -kProduct;
  for (const Query& query : all) above += query.input * query.output;
  const std::size_t half = all.size() / 2;
  constexpr std::size_t kStride = 7919;  // prime to 26,001
  for (std::size_t i = 0; i < half; ++i) {
    Query &a = all[i], &b = all[half + i * kStride % half];
    const std::int64_t saved = (a.input - b.input) * (a.output - b.output);
    if (saved <= 0 || saved > above) continue;
    std::swap(a.output, b.output);
    above -= saved;
  }
  JOULECAST_CHECK(above == 0, "the product is off");
  return all;
}

class NoViews final : public engine::Views<serving::PoolView> {
 public:
  std::size_t size() const override { return 3; }
  serving::PoolView at(std::size_t, Time) const override { JOULECAST_BUG("an offline plan read a view"); }
};

struct Model {
  const char* pool;
  std::string architecture;
  double accuracy;
};

serving::PoolChoice choice(const std::string& share) {
  serving::PoolChoice choice;
  choice.traffic = "alpaca";
  // Accuracies of the Open LLM leaderboard as the paper gives them.
  for (const auto& [pool, architecture, accuracy] :
       {Model{"7b", "meta-llama/Llama-2-7b-hf", 0.5097}, Model{"13b", "meta-llama/Llama-2-13b-hf", 0.5569},
        Model{"70b", "meta-llama/Llama-2-70b-hf", 0.6452}}) {
    serving::PoolFacts facts{pool, pool, 2048, serving::ModelAccuracy{accuracy, serving::ModelAccuracy::Per::token}, {}};
    facts.belief = control::read_energy_belief(share + "/workloads/beliefs/wilkins-2024.toml", std::array{architecture}, {});
    choice.known_models.emplace_back(pool);
    choice.pools.push_back(std::move(facts));
  }
  choice.lengths = {8, 56, 8, 401};
  choice.mean_input = static_cast<double>(kInput) / kQueries;
  choice.mean_output = static_cast<double>(kOutput) / kQueries;
  return choice;
}

double kwh(const serving::PoolChoice& choice, const std::vector<Query>& queries, double zeta) {
  const config::Node parameters = config::parse_text(
      fmt::format("zeta = {}\nshares = {{ 7b = {{ exactly = 0.05 }}, 13b = {{ exactly = 0.2 }}, 70b = {{ exactly = 0.75 }} }}\n", zeta),
      "validation");
  config::Diagnostics diagnostics;
  const auto router = policy::find_pool_policy("energy_optimal")->make(&parameters, choice, diagnostics);
  JOULECAST_CHECK(router != nullptr, "energy_optimal refused the workload");
  std::vector<serving::ForeseenRequest> foreseen(queries.size());
  for (std::size_t q = 0; q < queries.size(); ++q) {
    foreseen[q].request.number = static_cast<std::uint32_t>(q);
    foreseen[q].request.input = static_cast<std::int32_t>(queries[q].input);
    foreseen[q].request.predicted_output = static_cast<double>(queries[q].output);
  }
  router->foresee(foreseen);
  Stream random(1, "wilkins", "pool routing");
  double joules = 0;
  for (const serving::ForeseenRequest& each : foreseen) {
    const std::size_t pool = router->choose(each.request, NoViews(), Time{0}, random);
    joules += choice.pools[pool].belief->joules(each.request.input, each.request.predicted_output);
  }
  return joules / 3.6e6;
}

struct Optimum {
  std::string id;
  double zeta, kwh;
};

const std::vector<Optimum>& optima() {
  static const std::vector<Optimum> all = {{"zeta_0.1_kwh", 0.1, 933.3233012632},
                                           {"zeta_0.2_kwh", 0.2, 518.1608211076},
                                           {"zeta_0.5_kwh", 0.5, 517.1520701520},
                                           {"zeta_0_kwh", 0, 955.8060528503},
                                           {"zeta_1_kwh", 1, 514.9229170830}};
  return all;
}

}  // namespace

Comparison wilkins_optimum() {
  Comparison comparison;
  for (const Optimum& each : optima()) {
    comparison.entries.push_back({"serving.wilkins.optimum." + each.id, fmt::format("exact shares .05/.20/.75, zeta {:g}", each.zeta),
                                  "the linear program by HiGHS, moments of Alpaca", each.kwh, "kWh", "1e-7", Kind::derived});
  }
  comparison.compute = [](const Sources& sources) -> std::optional<std::vector<Ours>> {
    const std::vector<Query> all = queries();
    const serving::PoolChoice pools = choice(sources.share);
    std::vector<Ours> ours;
    for (const Optimum& each : optima()) ours.push_back({kwh(pools, all, each.zeta)});
    return ours;
  };
  return comparison;
}

}  // namespace joulecast::validation
