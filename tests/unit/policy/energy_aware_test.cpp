// energy_aware: min zeta e/E - (1 - zeta) a/A, bounds on shares, and the traps.
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

/// A large model of accuracy 0.9 whose requests cost five times those of a small one of accuracy 0.6.
serving::PoolChoice two_models(Per per = Per::request) {
  return choice_among({{"big", "large", 8192, serving::ModelAccuracy{0.9, per}, belief(0.5, 10, 0.002)},
                       {"little", "small", 8192, serving::ModelAccuracy{0.6, per}, belief(0.1, 2, 0.001)}},
                      {"large", "small"});
}

Made make(const serving::PoolChoice& choice, const std::string& parameters) { return made("energy_aware", choice, parameters); }

struct Workload {
  std::vector<serving::RoutedRequest> requests;
  explicit Workload(std::size_t count) {
    Stream random(3, "workload", "lengths");
    for (std::size_t i = 0; i < count; ++i) {
      requests.push_back(asks(static_cast<std::int32_t>(1 + random.below(4000)), 1 + static_cast<double>(random.below(2000))));
    }
  }
};

struct Sum {
  double joules = 0, accuracy = 0;
  std::vector<std::size_t> at;
};

Sum route(const serving::PoolChoice& choice, const std::string& parameters, const std::vector<serving::RoutedRequest>& requests) {
  const Made made = make(choice, parameters);
  INFO(made.told);
  REQUIRE(made.router);
  Stream random(1, "router", "pool routing");
  const auto idle = pool_loads({{1, 0}, {1, 0}});
  Sum sum;
  for (const auto& request : requests) {
    sum.at.push_back(made.router->choose(request, idle, Time{0}, random));
    const auto& pool = choice.pools[sum.at.back()];
    sum.joules += pool.belief->joules(request.input, request.predicted_output);
    sum.accuracy += pool.accuracy->of(request.input, request.predicted_output);
  }
  return sum;
}

double normalised(const serving::PoolChoice& choice, std::size_t pool, double zeta, const serving::RoutedRequest& request) {
  double energy_scale = 0, accuracy_scale = 0;
  for (const auto& each : choice.pools) {
    energy_scale = std::max(energy_scale, each.belief->joules(choice.mean_input, choice.mean_output));
    accuracy_scale = std::max(accuracy_scale, each.accuracy->of(choice.mean_input, choice.mean_output));
  }
  const auto& at = choice.pools[pool];
  return zeta * at.belief->joules(request.input, request.predicted_output) / energy_scale -
         (1 - zeta) * at.accuracy->of(request.input, request.predicted_output) / accuracy_scale;
}

}  // namespace

TEST_CASE("zeta 0 is accuracy alone, zeta 1 energy alone, and neither sum rises with zeta") {
  // Let x minimise z e - (1 - z) a and x' minimise z' e - (1 - z') a, z < z'. Adding the two optimality inequalities gives e(x') <= e(x), a(x') <=
  // a(x).
  const Workload workload(2000);
  for (const Per per : {Per::request, Per::token}) {
    const auto choice = two_models(per);
    Sum before{INFINITY, INFINITY, {}};
    for (int i = 0; i <= 20; ++i) {
      const Sum sum = route(choice, fmt::format("zeta = {}\n", i / 20.0), workload.requests);
      CHECK(sum.joules <= before.joules);
      CHECK(sum.accuracy <= before.accuracy);
      const auto large = std::count(sum.at.begin(), sum.at.end(), 0U);
      if (i == 0) CHECK(large == 2000);
      if (i == 20) CHECK(large == 0);
      if (i == 10 && per == Per::request) CHECK((large > 0 && large < 2000));
      before = sum;
    }
  }
}

TEST_CASE("Without bounds each request gets the pool that the whole workload's optimum gives it") {
  const Workload workload(500);
  const auto choice = two_models();
  for (const double zeta : {0.1, 0.4, 0.7}) {
    const Sum sum = route(choice, fmt::format("zeta = {}\n", zeta), workload.requests);
    for (std::size_t i = 0; i < workload.requests.size(); ++i) {
      const double large = normalised(choice, 0, zeta, workload.requests[i]), small = normalised(choice, 1, zeta, workload.requests[i]);
      CHECK(sum.at[i] == (large < small ? 0U : 1U));
    }
  }
}

TEST_CASE("Shares hold at every moment to within the slack") {
  const Workload workload(3000);
  const auto choice = two_models();
  const int slack = GENERATE(1, 20);
  const auto check = [&](double zeta, double least, double most, const std::string& shares) {
    const Sum sum = route(choice, fmt::format("zeta = {}\nshare_slack = {}\nshares = {{ large = {} }}\n", zeta, slack, shares), workload.requests);
    double large = 0;
    for (std::size_t i = 0; i < sum.at.size(); ++i) {
      large += sum.at[i] == 0 ? 1 : 0;
      const auto n = static_cast<double>(i + 1);
      REQUIRE(large <= most * n + slack);
      REQUIRE(large >= least * n - slack);
    }
    return large / 3000;
  };
  CHECK(check(0, 0, 0.2, "\"20 %\"") == Approx(0.2).margin(slack / 3000.0));
  CHECK(check(1, 0.3, 1, "{ at_least = \"30 %\" }") == Approx(0.3).margin(slack / 3000.0));
  CHECK(check(0, 0.1, 0.25, "{ at_least = \"10 %\", at_most = \"25 %\" }") == Approx(0.25).margin(slack / 3000.0));
  CHECK(check(1, 0.1, 0.25, "{ at_least = \"10 %\", at_most = \"25 %\" }") == Approx(0.1).margin(slack / 3000.0));
}

TEST_CASE("Of a bound share the requests that gain most get it, all but a fifth of what the whole workload's optimum gains over a lot") {
  // Two models, large at most 20 %: the optimum gives it the 20 % with the largest gain. A lot among those that gain closes none of the gap to it;
  // taking requests as the share has room (a slack of 1) is such a lot.
  const Workload workload(3000);
  const auto choice = two_models();
  const double zeta = 0.05;
  std::vector<double> gain;
  for (const auto& request : workload.requests) gain.push_back(normalised(choice, 0, zeta, request) - normalised(choice, 1, zeta, request));
  const auto gained = [&](int slack) {
    const Sum sum = route(choice, fmt::format("zeta = {}\nshare_slack = {}\nshares = {{ large = \"20 %\" }}\n", zeta, slack), workload.requests);
    double total = 0;
    for (std::size_t i = 0; i < sum.at.size(); ++i) total += sum.at[i] == 0 ? gain[i] : 0;
    return total;
  };
  const double by_room = gained(1), steered = gained(20);
  const auto wanted = static_cast<double>(std::count_if(gain.begin(), gain.end(), [](double g) { return g < 0; }));
  std::sort(gain.begin(), gain.end());
  double optimum = 0, lot = 0;
  for (std::size_t i = 0; i < 600; ++i) optimum += gain[i];
  for (const double each : gain) lot += std::min(0.0, each) * 600 / wanted;
  REQUIRE(wanted > 600);
  CHECK(std::abs(by_room - lot) < 0.1 * (lot - optimum));
  CHECK(lot - steered > 0.8 * (lot - optimum));
}

TEST_CASE("A full step of waiting prompts weighs queue_weight") {
  // zeta = 1: e/E of the mean request is 1 at the large pool and 0.32 at the small one, which must wait 0.68/0.1 = 6.8 steps to lose.
  auto choice = two_models();
  const auto mean = asks(1000, 200);
  const double apart = normalised(choice, 0, 1, mean) - normalised(choice, 1, 1, mean);
  Stream random(1, "router", "pool routing");
  serving::PoolView idle, waiting;
  idle.replicas = waiting.replicas = 2;
  const Made made = make(choice, "zeta = 1\nqueue_weight = 0.1\n");
  waiting.tokens_queued = std::llround(apart / 0.1 * 2 * 8192) - 10;
  CHECK(made.router->choose(mean, Given<serving::PoolView>({idle, waiting}), Time{0}, random) == 1);
  waiting.tokens_queued += 20;
  CHECK(made.router->choose(mean, Given<serving::PoolView>({idle, waiting}), Time{0}, random) == 0);
  CHECK(make(choice, "zeta = 1\nqueue_weight = 0\n").router->choose(mean, Given<serving::PoolView>({idle, waiting}), Time{0}, random) == 1);
}

TEST_CASE("Among equals the one with less energy, then the first") {
  auto choice = two_models();
  choice.pools[1].accuracy->value = 0.9;  // zeta = 0: equal costs
  CHECK(route(choice, "zeta = 0\n", {asks(100, 100)}).at.front() == 1);
  choice.pools[1].belief = choice.pools[0].belief;
  CHECK(route(choice, "zeta = 0.5\n", {asks(100, 100)}).at.front() == 0);
}

TEST_CASE("Shares that cannot be met are refused by name") {
  const auto choice = two_models();
  CHECK_THAT(make(choice, "zeta = 0.5\nshares = { large = { at_least = 0.7 }, small = { at_least = 0.4 } }\n").told,
             Contains("shares cannot be met for traffic \"chat\"") && Contains("110 % at least"));
  CHECK_THAT(make(choice, "zeta = 0.5\nshares = { large = \"20 %\", small = \"70 %\" }\n").told, Contains("90 % at most"));
  CHECK_THAT(make(choice, "zeta = 0.5\nshares = { large = { at_least = \"40 %\", at_most = \"20 %\" } }\n").told,
             Contains("share of \"large\" cannot be met"));
  for (const char* other : {"at_most = 0.1, exactly = 0.5", "exactly = 0.5, at_least = 0.5"}) {
    CHECK_THAT(make(choice, fmt::format("zeta = 0.5\nshares = {{ large = {{ {} }} }}\n", other)).told, Contains("given exactly and otherwise too"));
  }
  CHECK_THAT(make(choice, "zeta = 0.5\nshares = { larg = \"20 %\" }\n").told, Contains("did you mean \"large\"?"));
  auto elsewhere = choice;
  elsewhere.known_models.emplace_back("third");
  CHECK_THAT(make(elsewhere, "zeta = 0.5\nshares = { third = { at_least = \"20 %\" } }\n").told, Contains("does not serve traffic \"chat\""));
  CHECK(make(elsewhere, "zeta = 0.5\nshares = { third = \"20 %\" }\n").told == "");
}

TEST_CASE("The constant-accuracy trap: with exact shares and one accuracy a request zeta does nothing") {
  const std::string exact = "shares = { large = \"20 %\", small = \"80 %\" }\n";
  CHECK_THAT(make(two_models(), "zeta = 0.5\n" + exact).told, Contains("zeta would do nothing") && Contains("constant-accuracy trap"));
  CHECK_THAT(
      make(two_models(), "zeta = 0.5\nshares = { large = { at_least = \"20 %\", at_most = \"20 %\" }, small = { at_least = \"80 %\" } }\n").told,
      Contains("constant-accuracy trap"));
  CHECK(make(two_models(), "zeta = 1\n" + exact).told == "");
  CHECK(make(two_models(), "zeta = 0.5\nshares = { large = \"20 %\" }\n").told == "");

  // It is one: under exact shares the sum of accuracies is the same for every zeta; per token it is not.
  const Workload workload(1000);
  const auto right = [&](const serving::PoolChoice& choice, const char* zeta) {
    return route(choice, std::string("zeta = ") + zeta + "\n" + exact, workload.requests).accuracy;
  };
  CHECK(right(two_models(Per::token), "1") < right(two_models(Per::token), "0"));
}

TEST_CASE("Accuracies of two kinds do not compare") {
  auto choice = two_models();
  choice.pools[1].accuracy->per = Per::token;
  CHECK_THAT(make(choice, "zeta = 0.5\n").told, Contains("per request and per token"));
}

TEST_CASE("The negative-energy trap and the range of validity are refused by name, or clamped with a note") {
  auto negative = two_models();
  negative.pools[1].belief = belief(-0.5, 30, 0.01);
  const std::string refused = make(negative, "zeta = 0.5\n").told;
  CHECK_THAT(refused, Contains("pool \"little\"") && Contains("negative") && Contains("traffic \"chat\"") && Contains("out_of_range = \"clamp\""));
  const Made clamped = make(negative, "zeta = 0.5\nout_of_range = \"clamp\"\n");
  CHECK(clamped.router);
  CHECK_THAT(clamped.told, Contains("note:") && Contains("negative joules are taken as 0"));

  auto outside = two_models();
  outside.lengths.most_input = 5000;
  CHECK_THAT(make(outside, "zeta = 0.5\n").told, Contains("holds for 1 .. 4000 tokens in") && Contains("traffic \"chat\" has 1 .. 5000"));
  CHECK_THAT(make(outside, "zeta = 0.5\nout_of_range = \"clamp\"\n").told, Contains("note:"));

  auto hopeless = two_models();
  hopeless.pools[1].belief = belief(-10, 1);
  CHECK_THAT(make(hopeless, "zeta = 0.5\nout_of_range = \"clamp\"\n").told, Contains("not above 0 J for the mean lengths"));
}

TEST_CASE("Parameters out of bounds are refused") {
  CHECK_THAT(make(two_models(), "zeta = 1.5\n").told, Contains("zeta"));
  CHECK_THAT(make(two_models(), "").told, Contains("zeta"));
  CHECK_THAT(make(two_models(), "zeta = 0.5\nout_of_range = \"ignore\"\n").told, Contains("refuse"));
  CHECK_THAT(make(two_models(), "zeta = 0.5\nqueue_weight = -1\n").told, Contains("queue_weight"));
  CHECK_THAT(make(two_models(), "zeta = 0.5\nprofile_batch = 0\n").told, Contains("profile_batch"));
  CHECK_THAT(make(two_models(), "zeta = 0.5\nshares = { large = \"120 %\" }\n").told, Contains("100 %"));
  CHECK_THAT(make(two_models(), "zeta = 0.5\nzta = 1\n").told, Contains("zta"));
}
