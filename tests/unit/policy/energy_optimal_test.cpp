// energy_optimal: the whole traffic's optimum, its shares, what zeta does, and zeta that follows a signal.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;
using Catch::Contains;
using Per = serving::ModelAccuracy::Per;

namespace {

serving::PoolChoice three_models(Per per = Per::token) {
  serving::PoolChoice choice = choice_among({{"a", "small", 8192, serving::ModelAccuracy{0.5097, per}, belief(0.1, 2, 0.001)},
                                             {"b", "middle", 8192, serving::ModelAccuracy{0.5569, per}, belief(0.15, 3.7, 0.0017)},
                                             {"c", "large", 8192, serving::ModelAccuracy{0.6452, per}, belief(0.5, 10, 0.002)}},
                                            {"small", "middle", "large"});
  choice.horizon = Time{7200'000'000'000};
  return choice;
}

std::vector<serving::ForeseenRequest> workload(std::size_t count) {
  Stream random(3, "workload", "lengths");
  std::vector<serving::ForeseenRequest> requests;
  for (std::size_t i = 0; i < count; ++i) {
    auto request = asks(static_cast<std::int32_t>(1 + random.below(4000)), 1 + static_cast<double>(random.below(2000)));
    request.number = static_cast<std::uint32_t>(2 * i);  // every second was rejected
    requests.push_back({Time{static_cast<std::int64_t>(i) * 1'000'000'000}, request});
  }
  return requests;
}

struct Planned {
  double joules = 0, accuracy = 0;
  std::vector<std::size_t> at, counts;
  std::string told;
};

Planned plan(const serving::PoolChoice& choice, const std::string& parameters, const std::vector<serving::ForeseenRequest>& requests,
             const char* policy = "energy_optimal") {
  auto [router, told] = made(policy, choice, parameters);
  Planned planned;
  planned.counts.assign(choice.pools.size(), 0);
  planned.told = told;
  if (!router) return planned;
  if (router->is_offline()) router->foresee(requests);
  Stream random(1, "router", "pool routing");
  const auto idle = pool_loads(std::vector<std::pair<int, int>>(choice.pools.size(), {1, 0}));
  for (const auto& [arrival, request] : requests) {
    planned.at.push_back(router->choose(request, idle, arrival, random));
    const auto& pool = choice.pools[planned.at.back()];
    ++planned.counts[planned.at.back()];
    planned.joules += pool.belief->joules(request.input, request.predicted_output);
    planned.accuracy += pool.accuracy->of(request.input, request.predicted_output);
  }
  return planned;
}

constexpr const char* kShares = "shares = { small = { exactly = \"5 %\" }, middle = { exactly = \"20 %\" }, large = { exactly = \"75 %\" } }\n";

}  // namespace

TEST_CASE("the plan keeps exact shares to within one request, and joules and accuracy fall as zeta rises") {
  const auto requests = workload(2000);
  Planned before;
  before.joules = before.accuracy = INFINITY;
  double at_zero = 0;
  for (int i = 0; i <= 20; ++i) {
    const Planned planned = plan(three_models(), fmt::format("zeta = {}\n{}", i / 20.0, kShares), requests);
    REQUIRE(planned.told == "");
    CHECK(planned.counts == std::vector<std::size_t>{100, 400, 1500});
    CHECK(planned.joules <= before.joules * (1 + 1e-12));
    CHECK(planned.accuracy <= before.accuracy * (1 + 1e-12));
    if (i == 0) at_zero = planned.joules;
    if (i == 20) CHECK(planned.joules < 0.9 * at_zero);
    before = planned;
  }
}

TEST_CASE("without bounds it chooses what energy_aware chooses, and with them it is never worse than that one") {
  const auto requests = workload(1000);
  const auto choice = three_models();
  CHECK(plan(choice, "zeta = 0.4\n", requests).at == plan(choice, "zeta = 0.4\nqueue_weight = 0\n", requests, "energy_aware").at);
  const std::string shares = "shares = { large = { at_least = \"40 %\" }, small = \"30 %\" }\n";
  const Planned optimal = plan(choice, "zeta = 1\n" + shares, requests);
  const Planned online = plan(choice, "zeta = 1\nqueue_weight = 0\nshare_slack = 1\n" + shares, requests, "energy_aware");
  CHECK(optimal.joules < online.joules);
}

TEST_CASE("of several pools with one model a request takes the one with the least believed joules, whose shares are one") {
  auto choice = three_models();
  choice.pools.push_back({"d", "large", 8192, choice.pools[2].accuracy, belief(0.1, 12, 0.002)});
  const auto requests = workload(500);
  const Planned planned = plan(choice, fmt::format("zeta = 0.5\n{}", kShares), requests);
  CHECK(planned.counts[0] == 25);
  CHECK(planned.counts[2] + planned.counts[3] == 375);
  CHECK(planned.counts[3] > 0);
  for (std::size_t q = 0; q < requests.size(); ++q) {
    if (planned.at[q] < 2) continue;
    const auto& r = requests[q].request;
    const double c = choice.pools[2].belief->joules(r.input, r.predicted_output), d = choice.pools[3].belief->joules(r.input, r.predicted_output);
    CHECK(planned.at[q] == (d < c ? 3U : 2U));
  }
}

TEST_CASE("traps are refused by name: constant accuracy, a closed loop") {
  CHECK_THAT(plan(three_models(Per::request), fmt::format("zeta = 0.5\n{}", kShares), {}).told, Contains("constant-accuracy trap"));
  // Two models, one of them exact: the other is exact too.
  auto two = three_models(Per::request);
  two.pools.pop_back();
  CHECK_THAT(plan(two, "zeta = 0.5\nshares = { small = { exactly = \"30 %\" } }\n", {}).told, Contains("constant-accuracy trap"));
  CHECK(plan(two, "zeta = 0.5\nshares = { small = { at_least = \"30 %\" } }\n", workload(10)).told == "");
  auto closed = three_models();
  closed.closed_loop = true;
  CHECK_THAT(plan(closed, "zeta = 0.5\n", {}).told, Contains("plans before the run") && Contains("energy_aware"));
}

namespace {

/// An hour at 10, then one at 30.
std::shared_ptr<const traces::Series> two_hours() {
  traces::Series series;
  series.start_ns = {0, 3600'000'000'000};
  series.value = {10, 30};
  series.end_ns = 7200'000'000'000;
  return std::make_shared<const traces::Series>(series);
}

}  // namespace

TEST_CASE("zeta follows a signal from its lowest to its highest value of the run, online and offline") {
  const control::Signal price(two_hours(), 0, false);
  auto choice = three_models();
  for (auto& pool : choice.pools) pool.site = {"fra", &price, nullptr};
  const auto requests = workload(7200);
  for (const char* policy : {"energy_aware", "energy_optimal"}) {
    const std::string queue = std::string(policy) == "energy_aware" ? "queue_weight = 0\n" : "";
    const Planned moving = plan(choice, queue + "zeta = { follows = \"price\", from = 0.1, to = 0.9 }\n", requests, policy);
    REQUIRE(moving.told == "");
    const Planned low = plan(choice, queue + "zeta = 0.1\n", requests, policy), high = plan(choice, queue + "zeta = 0.9\n", requests, policy);
    CHECK(std::equal(moving.at.begin(), moving.at.begin() + 3600, low.at.begin()));
    CHECK(std::equal(moving.at.begin() + 3600, moving.at.end(), high.at.begin() + 3600));
    CHECK(low.at != high.at);
  }
}

TEST_CASE("a zeta without its signal is refused by the site's name") {
  const control::Signal price(two_hours(), 0, false), constant(20);
  auto choice = three_models();
  for (auto& pool : choice.pools) pool.site = {"fra", nullptr, &constant};
  const auto refusal = [&](const std::string& zeta) { return plan(choice, "zeta = " + zeta + "\n", {}).told; };
  CHECK_THAT(refusal("{ follows = \"price\", from = 0, to = 1 }"), Contains("price of site \"fra\", which states none"));
  CHECK_THAT(refusal("{ follows = \"carbon\", from = 0, to = 1 }"), Contains("does not change"));
  CHECK_THAT(refusal("{ follows = \"prize\", from = 0, to = 1 }"), Contains("price"));
  CHECK_THAT(refusal("{ follows = \"price\", from = 0 }"), Contains("to"));
  CHECK_THAT(refusal("1.5"), Contains("zeta"));
  for (auto& pool : choice.pools) pool.site = {"fra", &price, nullptr};
  choice.pools[1].site.site = "par";
  CHECK_THAT(refusal("{ follows = \"price\", from = 0, to = 1 }"), Contains("several sites") && Contains("fra, par"));
  CHECK(refusal("{ follows = \"price\", from = 0, to = 1, site = \"par\" }") == "");
  CHECK_THAT(refusal("{ follows = \"price\", from = 0, to = 1, site = \"zrh\" }"), Contains("no pool"));
  choice.horizon.reset();
  CHECK_THAT(refusal("{ follows = \"price\", from = 0, to = 1, site = \"par\" }"), Contains("no stated duration"));
}
