#include "traces/delimited.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using traces::test::fault_of;

namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(Delimited& table, std::size_t columns) {
  Rows rows;
  while (table.next()) {
    rows.emplace_back();
    for (std::size_t i = 0; i < columns; ++i) rows.back().emplace_back(table.cell(i));
  }
  return rows;
}

Rows rows_of(std::string_view text) {
  Delimited table(TextLines(text, "t.csv"), {{{"a"}}, {{"b"}}});
  return rows_of(table, 2);
}

UserFault fault(std::string_view text) {
  return fault_of([&] { rows_of(text); });
}

}  // namespace

TEST_CASE("columns are found by name, whatever their order, case and spaces") {
  Delimited table(TextLines("x, Request Tokens ,A\n1,2,3\n", "t.csv"), {{{"a"}}, {{"requesttokens"}}, {{"absent"}, false}});
  CHECK(rows_of(table, 2) == Rows{{"3", "2"}});
  CHECK_FALSE(table.has(2));
}

TEST_CASE("line ends, byte-order mark and a missing last line end do not matter") {
  const Rows expected = {{"1", "2"}, {"3", "4"}};
  for (const char* text : {"a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r\n1,2\r\n3,4",
                           "\xef\xbb\xbf"
                           "a,b\n1,2\n3,4",
                           "a,b\n1,2\n3,4\n\n \n", "\"a\",\"b\"\n\"1\", 2\n 3 , \"4\" \n"}) {
    INFO(text);
    CHECK(rows_of(text) == expected);
  }
}

TEST_CASE("quoted cells hold delimiters, quotes and line ends") {
  CHECK(rows_of("a,b\n\"x,y\",\"he said \"\"no\"\"\"\n\"one\ntwo\",3\n") == Rows{{"x,y", "he said \"no\""}, {"one\ntwo", "3"}});
  CHECK(rows_of("a,b\r\n\"one\r\n\r\ntwo\",\"\"\"\"\r\n5,6\r\n") == Rows{{"one\r\n\r\ntwo", "\""}, {"5", "6"}});
  CHECK(rows_of("\"x\ny\",a,b\n1,2,3\n") == Rows{{"2", "3"}});
  CHECK(rows_of("a,b\n5\" disk,2\n") == Rows{{"5\" disk", "2"}});
}

TEST_CASE("places point at the cell") {
  Delimited table(TextLines("a,b,c\n\"x\ny\", 17,\"z\"\n", "t.csv"), {{{"a"}}, {{"b"}}, {{"c"}}});
  REQUIRE(table.next());
  CHECK(table.place(0).text() == "t.csv:2:2");
  CHECK(table.place(1).text() == "t.csv:3:5");
  CHECK(table.place(2).text() == "t.csv:3:9");
}

TEST_CASE("a row with too few or too many cells is an error with its line") {
  const UserFault few = fault("a,b\n1,2\n3\n4,5\n");
  CHECK(few.place.text() == "t.csv:3:1");
  CHECK(few.what.find("1 cells, expected 2") == 0);
  const UserFault many = fault("a,b\n1,2\n3,43,5\n4,5\n");
  CHECK(many.place.line == 3);
  CHECK(many.remedy.find("two rows run together") != std::string::npos);
  CHECK(fault("a,b\n1,2\n3,4,5").place.line == 3);
  CHECK(fault("a,b\n1,2\n3\n").place.line == 3);
}

TEST_CASE("a last line that was cut off is left out") {
  for (const char* text : {"a,b\n1,2\n3", "a,b\n1,2\n\"3", "a,b\r\n1,2\r\n\"3\",\"4\r\n5,6"}) {
    Delimited table(TextLines(text, "t.csv"), {{{"a"}}, {{"b"}}});
    INFO(text);
    CHECK(rows_of(table, 2) == Rows{{"1", "2"}});
    CHECK(table.torn());
    table.rewind();
    CHECK_FALSE(table.torn());
    CHECK(rows_of(table, 2) == Rows{{"1", "2"}});
  }
}

TEST_CASE("files that are no table") {
  CHECK(fault("").what == "the file is empty");
  CHECK(fault("\n \n").what == "the file is empty");
  CHECK(fault("\na,b\n1,2\n").place.text() == "t.csv:1:1");
  CHECK(fault("a,b\n1,2\n\n3,4\n").place.text() == "t.csv:3:1");
  CHECK(fault("a,b\n1,\"2\"x\n").place.text() == "t.csv:2:6");
  const UserFault nul = fault(std::string_view("a,b\n1,2\n3\0,4\n", 13));
  CHECK(nul.place.text() == "t.csv:3:2");
  CHECK(nul.what.find("NUL") != std::string::npos);
  CHECK(fault("\x1f\x8b\x08...").remedy.find("gunzip") != std::string::npos);
  const UserFault quote = fault("a,b\n1,2\n3,\"4\n5,6\n7,8\n");
  CHECK(quote.place.text() == "t.csv:3:3");
}

TEST_CASE("a column that is absent or double is told with the known names") {
  const std::vector<Column> columns = {{{"ContextTokens", "context_tokens"}}};
  const UserFault absent = fault_of([&] { Delimited(TextLines("TIMESTAMP,ContextTokns\n", "t.csv"), columns); });
  CHECK(absent.place.text() == "t.csv:1:1");
  CHECK(absent.what == "no column ContextTokens; the file has: TIMESTAMP, ContextTokns");
  CHECK(absent.remedy == "known names: ContextTokens, context_tokens; is \"ContextTokns\" meant?");
  const UserFault twice = fault_of([&] { Delimited(TextLines("ContextTokens,Context_Tokens\n", "t.csv"), columns); });
  CHECK(twice.place.text() == "t.csv:1:15");
}

TEST_CASE("a line has a bound") {
  const std::string text = "a,b\n1," + std::string(TextLines::kMostBytes + 1, '2') + "\n";
  CHECK(fault(text).place.line == 2);
  std::string record = "a,b\n1,\"";
  while (record.size() < TextLines::kMostBytes + 10) record += "\"\"\n";
  CHECK(fault(record).what.find("a line of more than") == 0);
  const traces::test::Folder folder;
  const std::string path = folder.write("long.csv", text);
  CHECK(fault_of([&] {
          Delimited table(TextLines(path), {{{"a"}}, {{"b"}}});
          rows_of(table, 2);
        }).place.line == 2);
}

TEST_CASE("a file read in chunks gives the rows of the text") {
  std::string text = "a,b\n";
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + (i % 7 == 0 ? ",\"x\ny" + std::to_string(i * 7) + "\"\r\n" : "," + std::to_string(i * 7) + "\n");
  const traces::test::Folder folder;
  Delimited table(TextLines(folder.write("t.csv", text)), {{{"a"}}, {{"b"}}});
  const Rows whole = rows_of(text);
  REQUIRE(whole.size() == 60000);
  CHECK(rows_of(table, 2) == whole);
  table.rewind();
  CHECK(rows_of(table, 2) == whole);
}

TEST_CASE("behind the last line there is none") {
  const std::string text = "\n";
  joulecast::traces::TextLines lines(text, "t");
  REQUIRE(lines.next());
  CHECK(lines.line().empty());
  CHECK_FALSE(lines.next());
  CHECK(lines.line().empty());
  joulecast::traces::TextLines one(std::string_view("a b"), "t");
  REQUIRE(one.next());
  CHECK_FALSE(one.next());
  CHECK(one.line().empty());
}
