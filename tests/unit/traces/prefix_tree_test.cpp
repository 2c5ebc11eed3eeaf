#include "traces/requests/prefix_tree.hpp"

#include <catch2/catch.hpp>

using joulecast::traces::PrefixTree;

TEST_CASE("paths that begin alike share nodes up to where they part") {
  PrefixTree tree(16);
  const auto a = tree.child(0, 100), b = tree.child(a, 200), c = tree.child(a, 300);
  CHECK(tree.child(0, 100) == a);
  CHECK(tree.child(a, 200) == b);
  CHECK(tree.child(0, 200) != b);  // the same block elsewhere is another prompt
  CHECK(tree.size() == 4);
  CHECK(tree.parent(b) == a);
  CHECK(tree.parent(c) == a);
  CHECK(tree.parent(a) == 0);
  CHECK(tree.depth(c) == 2);
  CHECK(tree.tokens(c) == 32);
  CHECK(tree.tokens(0) == 0);
}

TEST_CASE("copies of a tree are apart, and each is like the first") {
  PrefixTree tree(512);
  const auto a = tree.child(0, 1), b = tree.child(a, 2), other = tree.child(0, 3);
  for (const std::uint64_t copy : {1U, 2U, 1000U}) {
    const auto b2 = tree.in_copy(b, copy), a2 = tree.in_copy(a, copy);
    CHECK(b2 != b);
    CHECK(b2 == b + 3 * copy);
    CHECK(tree.parent(b2) == a2);
    CHECK(tree.parent(a2) == 0);
    CHECK(tree.tokens(b2) == 1024);
    CHECK(tree.original(b2) == b);
    CHECK(tree.original(tree.in_copy(other, copy)) == other);
    CHECK(tree.in_copy(0, copy) == 0);
  }
  CHECK(tree.in_copy(b, UINT32_MAX / 3) == b);  // the numbers are used up: the first copy again
}
