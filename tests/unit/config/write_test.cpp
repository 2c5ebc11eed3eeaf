#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "base/philox.hpp"
#include "config/node.hpp"

using namespace joulecast;
using namespace joulecast::config;

namespace {

std::string random_text(Stream& random) {
  static const std::vector<std::string> pieces = {"a",  "Z",  "_",    "-",    "0", ".", " ",      "\"",     "\\",        "'",
                                                  "\n", "\t", "\x01", "\x7f", "#", "=", "\u00fc", "\u6f22", "\U0001F600"};
  std::string out;
  const std::uint64_t length = random.below(8);
  for (std::uint64_t i = 0; i < length; ++i) out += pieces[random.below(pieces.size())];
  return out;
}

double random_double(Stream& random) {
  constexpr double special[] = {0, 1, 1e20, 1e308, 5e-324, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), NAN};
  if (random.below(3) == 0) return special[random.below(std::size(special))];
  return (random.uniform() - 0.5) * std::pow(10.0, 600 * random.uniform() - 300);
}

Node random_node(Stream& random, int depth) {
  const Place place{"random", 1, 1};
  switch (random.below(depth < 5 ? 8 : 5)) {
    case 0:
      return {random.below(2) == 0, place};
    case 1:
      return {static_cast<std::int64_t>(random.next()), place};
    case 2:
      return {random_double(random), place};
    case 3:
      return {random_text(random), place};
    case 4: {
      DateTime t;
      t.year = static_cast<int>(1 + random.below(9999));
      t.month = static_cast<int>(1 + random.below(12));
      t.day = static_cast<int>(1 + random.below(28));
      t.hour = static_cast<int>(random.below(24));
      t.minute = static_cast<int>(random.below(60));
      t.second = static_cast<int>(random.below(60));
      if (random.below(2) == 0) t.nanosecond = static_cast<std::uint32_t>(random.below(1000000000));
      t.has_offset = random.below(2) == 0;
      if (t.has_offset) t.offset_minutes = static_cast<int>(random.below(2 * 1439)) - 1439;
      return {t, place};
    }
    case 5: {
      Node::Array list;
      const std::uint64_t length = random.below(random.below(5) == 0 ? 60 : 5);
      for (std::uint64_t i = 0; i < length; ++i) list.push_back(random_node(random, depth + 2));
      return {std::move(list), place};
    }
    default: {
      Table table;
      const std::uint64_t length = random.below(6);
      for (std::uint64_t i = 0; i < length; ++i) {
        const std::string key = random_text(random);
        if (table.find(key) == nullptr) table.entries.push_back({key, place, std::make_unique<Node>(random_node(random, depth + 1))});
      }
      return {std::move(table), place};
    }
  }
}

}  // namespace

TEST_CASE("what is written reads back equal, and writes the same text again") {
  Stream random(17, "trees", "test");
  int tables = 0;
  for (int round = 0; round < 3000; ++round) {
    Node tree = random_node(random, 0);
    if (tree.as<Table>() == nullptr) continue;
    ++tables;
    const std::string text = write(tree);
    INFO(text);
    const Node back = parse_text(text, "back");
    REQUIRE(same(tree, back));
    REQUIRE(write(back) == text);
  }
  CHECK(tables > 500);
}

TEST_CASE("the form of what is written") {
  const Node root = parse_text(
      "schema = 1\nrate = 8.0\n[traffic.chat]\nslo.ttft = \"2 s\"\nslo.tpot = \"80 ms\"\nmodels = [\"a\", \"b\"]\n[empty]\n[site.\"x y\"]\npue = "
      "1.25\n",
      "a");
  CHECK(write(root) ==
        "schema = 1\nrate = 8.0\n\n[traffic.chat]\nslo = { ttft = \"2 s\", tpot = \"80 ms\" }\nmodels = [\"a\", \"b\"]\n\n[empty]\n\n[site.\"x "
        "y\"]\npue = 1.25\n");
}

TEST_CASE("plain values stand before the tables beside them") { CHECK(write(parse_text("t = { x = 1 }\nb = 2\n", "a")) == "b = 2\n\n[t]\nx = 1\n"); }

TEST_CASE("same() tells values apart, not places or order") {
  const auto parsed = [](const char* text) { return parse_text(text, "a"); };
  CHECK(same(parsed("a = 1\nb = 2"), parsed("b = 2\n\na = 1")));
  CHECK_FALSE(same(parsed("a = 1"), parsed("a = 1.0")));
  CHECK_FALSE(same(parsed("a = 1"), parsed("a = 1\nb = 2")));
  CHECK_FALSE(same(parsed("a = [1, 2]"), parsed("a = [2, 1]")));
  CHECK_FALSE(same(parsed("a = 2026-03-02T00:00:00Z"), parsed("a = 2026-03-02T00:00:00")));
  CHECK(same(parsed("a = nan"), parsed("a = nan")));
}
