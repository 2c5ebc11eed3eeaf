#include <catch2/catch.hpp>

#include "traces/requests/formats.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

constexpr std::string_view kAzure =
    "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
    "2023-11-16 18:17:03.9799600,4808,10\r\n"
    "2023-11-16 18:17:03.9799601,3180,8\r\n"
    "2023-11-16 18:17:05.0000000,110,27";

UserFault fault(std::string_view text, const TraceOptions& options) {
  return fault_of([&] { open_trace_text(text, options); });
}

void same(const Request& request, std::int64_t ns, std::int32_t input, std::int32_t output) {
  CHECK(request.arrival.ns == ns);
  CHECK(request.input == input);
  CHECK(request.output == output);
}

std::string with_row(const std::string& row) { return "TIMESTAMP,ContextTokens,GeneratedTokens\n" + row + "\n2023-11-16 18:17:04,1,1\n"; }

}  // namespace

TEST_CASE("an Azure trace keeps 100 ns") {
  const auto requests = read(kAzure, azure());
  REQUIRE(requests.size() == 3);
  same(requests[0], 0, 4808, 10);
  same(requests[1], 100, 3180, 8);
  same(requests[2], 1'020'040'000, 110, 27);
}

TEST_CASE("an Azure trace with a further column and offsets") {
  const auto requests =
      read("TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2024-05-12 00:00:10+00:00,0,5,6\n2024-05-12 00:00:10.25Z,1,7,8\n", azure());
  REQUIRE(requests.size() == 2);
  same(requests[1], 250'000'000, 7, 8);
  const UserFault mixed = fault("TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-12 00:00:10Z,5,6\n2024-05-12 00:00:11,7,8\n", azure());
  CHECK(mixed.place.text() == "trace.csv:3:1");
}

TEST_CASE("cells that are no tokens or no time") {
  for (const char* bad : {"3.5", "-4", "nan", "NaN", "1e308", "99999999999", "", "x"}) {
    INFO(bad);
    const UserFault in = fault(with_row(std::string("2023-11-16 18:17:03,") + bad + ",7"), azure());
    CHECK(in.place.text() == "trace.csv:2:21");
    CHECK(in.what == std::string("read \"") + bad + "\" as ContextTokens, expected a whole number of tokens, 0 .. 2147483647");
    CHECK(in.remedy == "write whole tokens in that cell, or delete the row");
    const UserFault out = fault(with_row(std::string("2023-11-16 18:17:03,7,") + bad), azure());
    CHECK(out.place.text() == "trace.csv:2:23");
  }
  const UserFault time = fault(with_row("16.11.2023 18:17:03,7,7"), azure());
  CHECK(time.place.text() == "trace.csv:2:1");
  CHECK(time.what.find("read \"16.11.2023 18:17:03\" as TIMESTAMP, expected a date and time") == 0);
}

TEST_CASE("a torn last row is an error, or left out and counted; a torn row elsewhere is an error") {
  const auto torn = [](const std::string& tail) {
    auto counts = std::make_shared<ReadCounts>();
    const std::string text = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,5,6\n" + tail;
    TraceOptions options = azure();
    options.torn_last_row = "drop";
    const auto requests = all(*open_trace_text(text, options, counts));
    CHECK(requests.size() == 1);
    CHECK(counts->rows == 1);
    if (!tail.empty()) {
      const UserFault cut = fault(text, azure());
      CHECK(cut.place.text() == "trace.csv:3:1");
      CHECK(cut.what == "the last row was cut off");
    }
    return counts->torn_last_row;
  };
  for (const char* tail : {"2023-11-16 18:", "2023-11-16 18:17:04,", "2023-11-16 18:17:04,12", "2023-11-16 18:17:04,12,"}) {
    INFO(tail);
    CHECK(torn(tail));
    CHECK(fault(std::string("TIMESTAMP,ContextTokens,GeneratedTokens\n") + tail + "\n2023-11-16 18:17:04,1,1\n", azure()).place.line == 2);
  }
  CHECK_FALSE(torn(""));
  const std::string wrong = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03,5,6\n2023-11-16 18:17:04,12,3.5";
  CHECK(fault(wrong, azure()).place.text() == "trace.csv:3:24");
}

TEST_CASE("a time that breaks off in the last cell of the last line is a torn row") {
  CHECK(fault("in,out,at\n1,2,0.5\n3,4,1.", plain("s")).what == "the last row was cut off");
  CHECK(fault("in,out,at\n1,2,2023-11-16 18:17:03\n3,4,2023-11-16 18:1", plain("datetime")).what == "the last row was cut off");
}

TEST_CASE("an empty trace, a trace of a header alone, a renamed header") {
  CHECK(fault("", azure()).what == "the file is empty");
  const UserFault none = fault("TIMESTAMP,ContextTokens,GeneratedTokens\r\n", azure());
  CHECK(none.place.text() == "trace.csv");
  CHECK(none.what == "the trace has no request");
  const UserFault renamed = fault("Time,ContextTokens,GeneratedTokens\n1,2,3\n", azure());
  CHECK(renamed.what.find("no column TIMESTAMP") == 0);
  CHECK(renamed.remedy.find("known names: TIMESTAMP") == 0);
}

TEST_CASE("a plain CSV with a declared mapping, in every unit of time") {
  const auto gap = [](const std::string& unit, const std::string& first, const std::string& second) {
    const auto requests = read("out,at,in\n9," + first + ",8\n7," + second + ",6\n", plain(unit));
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].input == 8);
    CHECK(requests[1].output == 7);
    return requests[1].arrival.ns;
  };
  CHECK(gap("s", "19440110.0", "19440110.000000001") == 1);
  CHECK(gap("ms", "5", "7.5") == 2'500'000);
  CHECK(gap("us", "-1", "1") == 2000);
  CHECK(gap("ns", "100", "117") == 17);
  CHECK(gap("datetime", "2026-01-01T00:00:00Z", "2026-01-01T01:00:00.5+01:00") == 500'000'000);
  for (const char* bad : {"1e308", "nan", "inf", "", "12:30"}) {
    INFO(bad);
    CHECK(fault(std::string("at,in,out\n") + bad + ",1,1\n", plain("s")).place.text() == "trace.csv:2:1");
  }
  CHECK(fault("at,in,out\n-4000000000,1,1\n4000000000,1,1\n", plain("s")).what.find("the trace spans 254 years") == 0);
}

TEST_CASE("a vllm-bench file: Unix seconds exact, faults with line and column") {
  const std::string line = "{\"request_id\": \"bench-0\", \"input_toks\": 2358, \"output_toks\": 531, \"arrival_time\": 1787267980.0827403}\n";
  const auto requests = read(line + "{\"arrival_time\": 1787267980.3478317, \"output_toks\": 1, \"input_toks\": 2}", vllm());
  REQUIRE(requests.size() == 2);
  same(requests[0], 0, 2358, 531);
  same(requests[1], 265'091'400, 2, 1);
  for (const char* bad : {"3.5", "-3", "\"7\"", "null", "1e308", "[1]", "true", "2147483648"}) {
    INFO(bad);
    const UserFault one = fault(line + "{\"arrival_time\": 1.5, \"output_toks\": 1, \"input_toks\": " + bad + "}\n", vllm());
    CHECK(one.place.text() == "requests.jsonl:2:55");
    CHECK(one.what.find(" input_toks, expected a whole number of tokens") != std::string::npos);
  }
  CHECK(fault("{\"arrival_time\": 1.5, \"input_toks\": 1}\n", vllm()).what ==
        "read no output_toks, expected a whole number of tokens, 0 .. 2147483647");
  CHECK(fault(line + "{\"arrival_time\": NaN, \"output_toks\": 1, \"input_toks\": 3}\n", vllm()).place.line == 2);
  CHECK(fault(line + "{\"arrival_time\": 17872679", vllm()).what == "the last row was cut off");
  CHECK(fault("", vllm()).what == "the trace has no request");
}

TEST_CASE("formats that there are not, and mistyped ones") {
  TraceOptions options = azure();
  options.place = {"s.toml", 3, 5};
  const auto remedy = [&](const std::string& format) {
    options.format = format;
    return fault(kAzure, options).remedy;
  };
  const std::string known = "known: azure, burstgpt, csv, joulecast, mooncake, qwen-bailian, splitwise-sim, vidur, vllm-bench";
  CHECK(remedy("azur") == "is \"azure\" meant? " + known);
  CHECK(remedy("azure-2024") == "is \"azure\" meant? " + known);
  CHECK(remedy("BurstGPT_3") == "is \"burstgpt\" meant? " + known);
  CHECK(remedy("splitwise") == "is \"splitwise-sim\" meant? " + known);
  CHECK(remedy("parquet") == known);
  CHECK(remedy("sharegpt").find("\"csv\" reads any CSV") != std::string::npos);
  CHECK(fault(kAzure, options).what == "trace format \"sharegpt\" is not supported");
  CHECK(fault(kAzure, options).place.text() == "s.toml:3:5");
  options.format = "csv";
  CHECK(fault(kAzure, options).what == "format \"csv\" needs columns and time_unit");
}
