#include "traces/jsonl.hpp"

#include <catch2/catch.hpp>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using traces::test::fault_of;

namespace {

UserFault fault(std::string_view text) {
  return fault_of([&] {
    JsonLines lines(TextLines(text, "t.jsonl"), {"a"});
    while (lines.next()) continue;
  });
}

}  // namespace

TEST_CASE("the wanted top-level values of each line, numbers as written") {
  JsonLines lines(TextLines("{\"x\": {\"a\": 1}, \"a\": 1787267980.0827403, \"b\": \"t\"}\r\n\n{\"a\": [1, {\"a\": 2}], \"b\": null}\n", "t.jsonl"),
                  {"a", "b", "c"});
  REQUIRE(lines.next());
  CHECK(lines.field(0).kind == JsonField::Kind::number);
  CHECK(lines.field(0).text == "1787267980.0827403");
  CHECK(lines.field(1).text == "t");
  CHECK(lines.field(2).kind == JsonField::Kind::absent);
  CHECK(lines.place(0).text() == "t.jsonl:1:22");
  REQUIRE(lines.next());
  CHECK(lines.field(0).kind == JsonField::Kind::nested);
  CHECK(lines.field(1).kind == JsonField::Kind::null);
  CHECK(lines.place(1).text() == "t.jsonl:3:27");
  CHECK_FALSE(lines.next());
}

TEST_CASE("an array of whole numbers is kept, any other array is nested") {
  const auto kind = [](const std::string& value) {
    const std::string text = "{\"a\": " + value + ", \"b\": [9]}\n";
    JsonLines lines(TextLines(text, "t.jsonl"), {"a", "b"});
    REQUIRE(lines.next());
    CHECK(lines.field(1).integers == std::vector<std::uint64_t>{9});
    return lines.field(0);
  };
  CHECK(kind("[3, 0, 18446744073709551615]").integers == std::vector<std::uint64_t>{3, 0, 18446744073709551615U});
  CHECK(kind("[]").kind == JsonField::Kind::integers);
  for (const char* other : {"[1, -2]", "[1, 2.5]", "[1, \"2\"]", "[1, null, 3]", "[[1], 2]", "[1, {}]", "{\"x\": [1]}", "[1e3]", "[true]"}) {
    INFO(other);
    CHECK(kind(other).kind == JsonField::Kind::nested);
  }
}

TEST_CASE("faults have line and column") {
  CHECK(fault("{\"a\": 1}\n{\"a\": NaN}\n{\"a\": 1}\n").place.text() == "t.jsonl:2:7");
  CHECK(fault("{\"a\": 1}\n[1]\n").place.text() == "t.jsonl:2:1");
  CHECK(fault("3\n").what == "read \"3\", expected one JSON object a line");
  CHECK(fault("{\"a\": 1, \"a\": 2}\n").what == "the key \"a\" stands twice in one object");
  CHECK(fault("{\"a\": 1}{\"a\": 2}\n").place.line == 1);
  CHECK(fault("{\"a\": 1\n{\"a\": 2}\n").place.line == 1);
  CHECK(fault("{\"a\": 1e999}\n").place.line == 1);
}

TEST_CASE("a last line that breaks off is left out, any other is an error") {
  for (const char* text : {"{\"a\": 1}\n{", "{\"a\": 1}\n{\"a", "{\"a\": 1}\n{\"a\": 12.", "{\"a\": 1}\n{\"a\": tru", "{\"a\": 1}\n{\"a\": 12"}) {
    JsonLines lines(TextLines(text, "t.jsonl"), {"a"});
    INFO(text);
    CHECK(lines.next());
    CHECK_FALSE(lines.next());
    CHECK(lines.torn());
  }
  CHECK(fault("{\"a\": 1}\n{\"a\": 12\n").place.line == 2);
  CHECK(fault("{\"a\": 1}\n{\"a\": x").place.line == 2);
}
