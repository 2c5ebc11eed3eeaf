#include <catch2/catch.hpp>
#include <set>

#include "traces/requests/prefix_tree.hpp"
#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;

namespace {

std::unique_ptr<serving::ReplicaRouter> make(const std::string& parameters = "") {
  const config::Node table = config::parse_text(parameters, "policy.toml");
  config::Diagnostics diagnostics;
  auto router = find_replica_policy("prefix_affinity")->make(&table, diagnostics);
  REQUIRE(told(diagnostics) == "");
  return router;
}

struct Router {
  std::unique_ptr<serving::ReplicaRouter> policy = make();
  traces::PrefixTree tree{512};
  Stream random{1, "router", "routing"};

  std::size_t prefix(std::uint32_t node, const std::vector<std::pair<int, int>>& replicas) {
    serving::RoutedRequest request = asks(1000);
    request.prefix = node;
    request.prefixes = &tree;
    return policy->choose(request, loads(replicas), Time{0}, random);
  }
  std::size_t conversation(std::uint32_t number, const std::vector<std::pair<int, int>>& replicas) {
    serving::RoutedRequest request = asks(1000);
    request.conversation = number;
    return policy->choose(request, loads(replicas), Time{0}, random);
  }
};

const std::vector<std::pair<int, int>> kIdle{{0, 0}, {0, 0}, {0, 0}, {0, 0}};

}  // namespace

TEST_CASE("A prompt goes where the longest prefix of it went last") {
  // a - b - c and a - d. Where only b has room, b's replica becomes another than a's.
  Router router;
  const auto a = router.tree.child(0, 11), b = router.tree.child(a, 12), c = router.tree.child(b, 13), d = router.tree.child(a, 14);
  const std::size_t first = router.prefix(a, kIdle);
  CHECK(router.prefix(a, kIdle) == first);
  // The first is over the bound ceil(1.25 (4 + 1)/4) = 2, so a - b goes elsewhere, and a with it.
  std::vector<std::pair<int, int>> loaded = kIdle;
  loaded[first] = {0, 4};
  const std::size_t second = router.prefix(b, loaded);
  REQUIRE(second != first);
  CHECK(router.prefix(c, kIdle) == second);
  CHECK(router.prefix(d, kIdle) == second);
  // Once a - d went to a third, a - b - c still has the longer prefix at the second.
  loaded = kIdle;
  loaded[second] = {0, 4};
  const std::size_t third = router.prefix(d, loaded);
  REQUIRE(third != second);
  CHECK(router.prefix(c, kIdle) == second);
  CHECK(router.prefix(d, kIdle) == third);
}

TEST_CASE("A conversation stays with its replica, others spread by hash") {
  Router router;
  std::set<std::size_t> used;
  for (std::uint32_t chat = 1; chat <= 40; ++chat) {
    const std::size_t at = router.conversation(chat, kIdle);
    used.insert(at);
    CHECK(router.conversation(chat, kIdle) == at);
  }
  CHECK(used.size() == 4);
}

TEST_CASE("A new prompt's replica does not depend on how many others there are unless it is the new one") {
  // Rendezvous hashing: a fifth replica takes some, the others stay.
  std::vector<std::pair<int, int>> five = kIdle;
  five.emplace_back(0, 0);
  int moved = 0;
  for (std::uint32_t chat = 1; chat <= 200; ++chat) {
    Router one, other;
    const std::size_t four_way = one.conversation(chat, kIdle), five_way = other.conversation(chat, five);
    if (four_way == five_way) continue;
    ++moved;
    CHECK(five_way == 4);
  }
  // 1/5 of 200 in expectation, standard deviation 5.7.
  CHECK(moved > 40 - 5 * 5.7);
  CHECK(moved < 40 + 5 * 5.7);
}

TEST_CASE("Nobody gets a request beyond the load bound, and requests without a prefix go to the least loaded") {
  // With c = 1 the bound is ceil((total + 1)/4): 2 for a total of 6 or 7.
  Router router;
  router.policy = make("load_bound = 1\n");
  for (std::uint32_t chat = 1; chat <= 30; ++chat) CHECK(router.conversation(chat, {{0, 2}, {1, 1}, {0, 2}, {0, 0}}) == 3);
  CHECK(router.prefix(0, {{0, 2}, {0, 1}, {1, 0}, {3, 3}}) == 1);
}

TEST_CASE("A load bound below the mean is refused") {
  const config::Node table = config::parse_text("load_bound = 0.5\n", "policy.toml");
  config::Diagnostics diagnostics;
  find_replica_policy("prefix_affinity")->make(&table, diagnostics);
  CHECK_THAT(told(diagnostics), Catch::Contains("load_bound"));
}
