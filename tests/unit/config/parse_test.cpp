#include <catch2/catch.hpp>
#include <limits>

#include "config/node.hpp"
#include "faults.hpp"

using namespace joulecast;
using namespace joulecast::config;

namespace {

Faults parse_faults(const std::string& text) {
  return faults_of([&](Diagnostics&) { parse_text(text, "a.toml"); });
}

std::string keys_of(const Node& node) {
  std::string out;
  for (const Table::Entry& entry : node.as<Table>()->entries) out += entry.key + " ";
  return out;
}

}  // namespace

TEST_CASE("keys keep the order of the file and know their places") {
  const Node root = parse_text("zeta = 1\n[pool.chat]\nnode = \"a\"\n  b.c = 5\n[alpha]\nx = { z = 1, y = 2 }\n", "a.toml");
  CHECK(keys_of(root) == "zeta pool alpha ");
  const Table* table = root.as<Table>();
  CHECK(keys_of(*table->find("pool")->as<Table>()->find("chat")) == "node b ");
  CHECK(keys_of(*table->find("alpha")->as<Table>()->find("x")) == "z y ");
  const Node* chat = table->find("pool")->as<Table>()->find("chat");
  CHECK(chat->place().text() == "a.toml:2:1");
  CHECK(chat->as<Table>()->find("node")->place().text() == "a.toml:3:8");
  CHECK(chat->as<Table>()->entries[1].place.text() == "a.toml:4:3");
}

TEST_CASE("every kind of value") {
  const Node root = parse_text("a = true\nb = -7\nc = 1.5\nd = \"x\"\ne = 2026-03-02T01:02:03.5+01:00\nf = 2026-03-02\ng = [1, \"x\"]\n", "a.toml");
  const Table& table = *root.as<Table>();
  CHECK(*table.find("a")->as<bool>());
  CHECK(*table.find("b")->as<std::int64_t>() == -7);
  CHECK(*table.find("c")->as<double>() == 1.5);
  CHECK(*table.find("d")->as<std::string>() == "x");
  const DateTime* e = table.find("e")->as<DateTime>();
  REQUIRE(e != nullptr);
  CHECK((e->hour == 1 && e->second == 3 && e->nanosecond == 500000000 && e->has_offset && e->offset_minutes == 60));
  CHECK_FALSE(table.find("f")->as<DateTime>()->has_offset);
  CHECK(table.find("g")->as<Node::Array>()->size() == 2);
  CHECK(table.find("g")->kind() == "a list");
}

TEST_CASE("a fault of the syntax has its place and a remedy") {
  CHECK(
      parse_faults("[a]\nx = 1\n[b]\n[a]\ny = 2\n") ==
      Faults{
          "4:1 not valid TOML: parsing table header: cannot redefine existing table 'a' | merge the two tables into one, or give one of them another "
          "name"});
  CHECK(parse_faults("a = 1\na = 2\n") ==
        Faults{"2:5 not valid TOML: parsing key-value pair: cannot redefine existing integer 'a' | keep one of the two"});
  CHECK(parse_faults("x = 1.25 kW\n") ==
        Faults{"1:10 not valid TOML: parsing key-value pair: expected a comment or whitespace, saw 'k' | put text and "
               "quantities in quotes: key = \"1.25 kW\""});
  CHECK(parse_faults("x = dgx\n").at(0).find("put text and quantities in quotes") != std::string::npos);
  CHECK(parse_faults("x = \"abc").at(0).find("close what is still open") != std::string::npos);
  CHECK(parse_faults("x = \"\xff\"").at(0).find("save the file as UTF-8") != std::string::npos);
  CHECK(parse_faults("x = 99999999999999999999").size() == 1);
  CHECK(parse_faults("x = 1e999").size() == 1);
  CHECK(parse_faults("x = 07:32:00") ==
        Faults{"1:5 a time of day without a date has no meaning here | write date and time, or put the text in quotes"});
}

TEST_CASE("nesting is bounded, however it is written") {
  std::string key = "a";
  for (int i = 0; i < 100000; ++i) key += ".a";
  CHECK(parse_faults(key + " = 1").size() == 1);
  CHECK(parse_faults("[" + key + "]").size() == 1);
  CHECK(parse_faults("x = " + std::string(100000, '[')).size() == 1);
  std::string mixed;
  for (int i = 0; i < 30; ++i) mixed += "a.b.c = { ";
  CHECK(parse_faults(mixed + "z = 1" + std::string(30, '}')).at(0).find("32 deep") != std::string::npos);
  // Dots and brackets in strings and comments are no nesting.
  const std::string many(200, '.');
  CHECK(parse_faults("x = \"" + many + "\\\"" + many + "\" # " + many + "\ny = '" + many + "'\nz = \"\"\"\n" + many + "\"\"\"\"\"\n").empty());
  CHECK(parse_faults("x = [1.0, 2.0" +
                     [] {
                       std::string rest;
                       for (int i = 0; i < 100; ++i) rest += ", 3.5";
                       return rest;
                     }() +
                     "]")
            .empty());
}

TEST_CASE("a file that is not there, or a folder") {
  CHECK_THROWS_WITH(parse_file("no/such/file.toml"), Catch::StartsWith("no/such/file.toml: the file cannot be opened: No such file or directory"));
  CHECK_THROWS_WITH(parse_file("/"), Catch::Contains("folder"));
}

TEST_CASE("the nearest key") {
  const std::vector<std::string> known = {"replicas", "tensor_parallel_size", "node", "slo"};
  CHECK(nearest("replica", known) == "replicas");
  CHECK(nearest("repilcas", known) == "replicas");
  CHECK(nearest("tensor-parallel-size", known) == "tensor_parallel_size");
  CHECK(nearest("TENSOR_PARALEL_SIZE", known) == "tensor_parallel_size");
  CHECK(nearest("nod", known) == "node");
  CHECK(nearest("sol", known) == "slo");
  CHECK(nearest("x", {"y"}).empty());
  CHECK(nearest("router", known).empty());
  CHECK(nearest("", known).empty());
  CHECK(nearest(std::string(1 << 20, 'x'), known).empty());
  CHECK(nearest("ab", {"ac", "ab_"}) == "ac");
}

TEST_CASE("a path is relative to the file that says so") {
  CHECK(resolve_path("x.csv", Place{"dir/a.toml", 1, 1}) == "dir/x.csv");
  CHECK(resolve_path("x.csv", Place{"a.toml", 1, 1}) == "x.csv");
  CHECK(resolve_path("/x.csv", Place{"dir/a.toml", 1, 1}) == "/x.csv");
  CHECK(resolve_path("../x.csv", Place{"--set", 1, 1}) == "../x.csv");
}

TEST_CASE("a table header that opens with what is no name") {
  CHECK(parse_faults("x = 1\n [[ @a]]").at(0).find("2:5 a table's name does not start so | write [name]") == 0);
  for (const char* text : {"[.b]", "[[.b]]", "[ .b]", "[[ \t.b", "[\n", "[[[a]]]", "\xEF\xBB\xBF[=]", "[{a}]"}) {
    INFO(text);
    CHECK(parse_faults(text).at(0).find("a table's name does not start so") != std::string::npos);
  }
  CHECK(parse_faults("[]").size() == 1);
  CHECK(parse_faults("[[").size() == 1);
  CHECK(parse_faults("x = \"[.\" # [.\ny = [\n[1.5],\n[@]]\n").at(0).find("value type") != std::string::npos);
  CHECK(parse_faults("\xEF\xBB\xBF[a]\n[ 'b' ]\n[[\"c\"]]\n[-d]\ny = [\n[1.5],\n[2.5]]\n").empty());
}

TEST_CASE("characters outside ASCII stand in strings and comments alone") {
  for (const char* text : {"\u00fc = 1", "x = \u00fc", "x = 1\u00fc", "x\u00a0= 1", "\xff = 1", "x = [1, \u6f22]"}) {
    INFO(text);
    CHECK(parse_faults(text).at(0).find("put it in quotes") != std::string::npos);
  }
  CHECK(parse_faults("\"\u00fc\" = '\u00fc' # \u6f22\ny = \"\"\"\\\n  \u00fc\"\"\"\n['\u00fc.x']\n").empty());
}
