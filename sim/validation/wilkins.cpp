#include "validation/wilkins.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "control/energy_belief.hpp"
#include "policy/registry.hpp"

namespace joulecast::validation {
namespace {

struct Query {
  std::int64_t input, output;
};

// Sums over the Alpaca data set of 52,002 instructions, tokens.
constexpr std::int64_t kQueries = 52002, kInput = 1125669, kOutput = 8460614, kProduct = 160504458;

/// Queries with these sums: half are 6 tokens in, or 7 to make up the sum, half 37; all 162 or 163 out, as the sum wants. Moving a token out from a
/// query of 37 to one of 6 lowers the product by 31, from one of 7 to one of 6 by 1. Then they are dealt in another order, so that kinds do not
/// follow turns.
std::vector<Query> alpaca_like() {
  constexpr std::int64_t kHalf = kQueries / 2, kShort = 6, kLong = 37, kApart = kLong - kShort;
  std::vector<Query> queries;
  const std::int64_t sevens = kInput - kHalf * (kShort + kLong), longer = kOutput % kQueries;
  JOULECAST_CHECK(sevens > 0 && sevens < kHalf, "the short queries cannot make up the sum");
  std::int64_t product = 0;
  for (std::int64_t i = 0; i < kQueries; ++i) {
    const std::int64_t input = i >= kHalf ? kLong : kShort + (i < sevens ? 1 : 0);
    queries.push_back({input, kOutput / kQueries + (i < longer ? 1 : 0)});
    product += input * queries.back().output;
  }
  const auto move = [&](std::int64_t from, std::int64_t to, std::int64_t tokens) {
    queries[static_cast<std::size_t>(from)].output -= tokens;
    queries[static_cast<std::size_t>(to)].output += tokens;
  };
  const std::int64_t moves = (product - kProduct) / kApart, rest = (product - kProduct) % kApart;
  const std::int64_t sixes = kHalf - sevens;
  for (std::int64_t i = 0; i < kHalf; ++i) {
    // Each query of 37 gives its share, to the queries of 6 in turn.
    move(kHalf + i, sevens + i % sixes, moves / kHalf + (i < moves % kHalf ? 1 : 0));
  }
  move(0, sevens, rest);
  std::vector<Query> dealt;
  constexpr std::int64_t kStride = 20011;  // prime to 52,002
  for (std::int64_t i = 0; i < kQueries; ++i) dealt.push_back(queries[static_cast<std::size_t>(i * kStride % kQueries)]);
  return dealt;
}

class NoViews final : public engine::Views<serving::PoolView> {
 public:
  std::size_t size() const override { return 3; }
  serving::PoolView at(std::size_t, Time) const override { JOULECAST_BUG("round robin read a view"); }
};

std::vector<Ours> energies(const std::string& share) {
  const std::array<std::string, 3> names{"meta-llama/Llama-2-7b-hf", "meta-llama/Llama-2-13b-hf", "meta-llama/Llama-2-70b-hf"};
  std::vector<control::EnergyBelief> beliefs;
  for (const std::string& name : names) {
    beliefs.push_back(control::read_energy_belief(share + "/workloads/beliefs/wilkins-2024.toml", std::array{name}, {}));
  }
  config::Diagnostics diagnostics;
  const auto round_robin = policy::find_pool_policy("round_robin")->make(nullptr, {}, diagnostics);
  Stream random(1, "wilkins", "pool routing");
  std::vector<Ours> kwh(4);
  for (const Query& query : alpaca_like()) {
    std::array<double, 3> joules{};
    for (std::size_t model = 0; model < 3; ++model) {
      joules[model] = beliefs[model].joules(static_cast<double>(query.input), static_cast<double>(query.output));
      kwh[model].value += joules[model] / 3.6e6;
    }
    serving::RoutedRequest request;
    request.input = static_cast<std::int32_t>(query.input);
    kwh[3].value += joules[round_robin->choose(request, NoViews(), Time{0}, random)] / 3.6e6;
  }
  // By rising id: 13b, 70b, 7b, round_robin.
  return {kwh[1], kwh[2], kwh[0], kwh[3]};
}

}  // namespace

Comparison wilkins_alpaca() {
  const auto entry = [](const std::string& id, const std::string& quantity, double expected, const std::string& tolerance) {
    return Entry{"serving.wilkins." + id, quantity, "Wilkins et al.", expected, "kWh", tolerance, Kind::exact};
  };
  return {{entry("13b_kwh", "all queries to one model", 132.753, "1e-5"), entry("70b_kwh", "all queries to one model", 985.16, "1e-5"),
           entry("7b_kwh", "all queries to one model", 74.77, "1e-5"), entry("round_robin_kwh", "expectation", 397.561, "0.5 %")},
          [](const Sources& sources) -> std::optional<std::vector<Ours>> { return energies(sources.share); }};
}

}  // namespace joulecast::validation
