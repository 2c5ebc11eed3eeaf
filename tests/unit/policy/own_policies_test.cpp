// Policies that a program adds: they stand among the shipped ones by name, and no name may be taken twice.
#include "policy/own_policies.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace joulecast;
using namespace joulecast::policy;

namespace {

ReplicaPolicy called(const std::string& name) { return {name, "", {}, false, nullptr}; }

}  // namespace

TEST_CASE("own policies stand among the shipped ones by rising name") {
  const auto all = with_own<ReplicaPolicy>({called("b"), called("d")}, {called("e"), called("c"), called("a")});
  std::string names;
  for (const ReplicaPolicy& policy : all) names += policy.name;
  CHECK(names == "abcde");
}

TEST_CASE("a name that is taken is refused") {
  CHECK_THROWS_WITH(with_own<ReplicaPolicy>({called("round_robin")}, {called("round_robin")}), Catch::Contains("\"round_robin\""));
  CHECK_THROWS_AS(with_own<ReplicaPolicy>({}, {called("mine"), called("mine")}), UserError);
}

TEST_CASE("the library itself adds none") {
  CHECK(own_policies().replica.empty());
  CHECK(std::is_sorted(replica_policies().begin(), replica_policies().end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}
