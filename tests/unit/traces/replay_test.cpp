#include <unistd.h>

#include <catch2/catch.hpp>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

std::vector<std::int64_t> arrivals(const std::vector<Request>& requests) {
  std::vector<std::int64_t> ns;
  for (const Request& request : requests) ns.push_back(request.arrival.ns);
  return ns;
}

using Times = std::vector<std::int64_t>;

UserFault fault(std::string_view text, const TraceOptions& options) {
  return fault_of([&] { open_trace_text(text, options); });
}

}  // namespace

TEST_CASE("rows out of order are sorted and counted, equal arrivals keep the order of the file") {
  auto counts = std::make_shared<ReadCounts>();
  const auto requests = all(*open_trace_text("at,in,out\n30,1,1\n10,2,1\n20,3,1\n10,4,1\n10,5,1\n", plain("ns"), counts));
  CHECK(arrivals(requests) == Times{0, 0, 0, 10, 20});
  CHECK(requests[0].input == 2);
  CHECK(requests[1].input == 4);
  CHECK(requests[2].input == 5);
  CHECK(counts->inversions == 2);
  CHECK(counts->rows == 5);
  CHECK(counts->origin == "10");
  const auto equal = read("at,in,out\n7,1,1\n7,2,1\n7,3,1\n", plain("ns"));
  CHECK(equal[1].input == 2);
  CHECK(equal[2].input == 3);
}

TEST_CASE("a file that is streamed and one that is held give the same requests") {
  std::string sorted = "at,in,out\n", turned = sorted;
  for (int i = 0; i < 50000; ++i) sorted += std::to_string(i / 3) + "," + std::to_string(i + 1) + ",9\n";
  for (int i = 49998; i < 50000; ++i) turned += std::to_string(i / 3) + "," + std::to_string(i + 1) + ",9\n";
  for (int i = 0; i < 49998; ++i) turned += std::to_string(i / 3) + "," + std::to_string(i + 1) + ",9\n";
  const Folder folder;
  const auto streamed = all(*open_trace(plain("us", folder.write("a.csv", sorted))));
  const auto held = all(*open_trace(plain("us", folder.write("b.csv", turned))));
  const auto text = read(sorted, plain("us"));
  REQUIRE(streamed.size() == 50000);
  const auto equal = [](const Request& a, const Request& b) { return a.arrival == b.arrival && a.input == b.input && a.output == b.output; };
  CHECK(std::equal(streamed.begin(), streamed.end(), text.begin(), text.end(), equal));
  CHECK(std::equal(streamed.begin(), streamed.end(), held.begin(), held.end(), equal));
}

TEST_CASE("rows without tokens are an error or are dropped and counted") {
  const std::string_view text = "at,in,out\n1,0,5\n2,5,0\n3,0,0\n4,6,7\n6,1,1\n";
  TraceOptions options = plain("ns");
  const UserFault refused = fault(text, options);
  CHECK(refused.place.text() == "trace.csv:2:3");
  CHECK(refused.what == "a request with 0 input tokens, expected at least 1");
  CHECK(refused.remedy.find("zero_tokens = \"drop\"") != std::string::npos);
  options.zero_tokens = "drop";
  auto counts = std::make_shared<ReadCounts>();
  const auto requests = all(*open_trace_text(text, options, counts));
  CHECK(arrivals(requests) == Times{0, 2});
  CHECK(counts->rows == 5);
  CHECK(counts->dropped_zero_input == 2);
  CHECK(counts->dropped_zero_output == 1);
  CHECK(counts->origin == "4");
  CHECK(fault("at,in,out\n1,0,5\n", options).what == "the trace has no request: all 1 rows are without tokens");
}

TEST_CASE("arrivals before the run begins are refused unless the trace is rebased") {
  const std::string_view text = "at,in,out\n5,1,1\n-7157,1,1\n";
  CHECK(arrivals(read(text, plain("s"))) == Times{0, 7'162'000'000'000});
  TraceOptions options = plain("s");
  options.rebase = false;
  const UserFault early = fault(text, options);
  CHECK(early.place.text() == "trace.csv:3:1");
  CHECK(early.what == "the arrival -7157 comes before the run begins");
  CHECK(early.remedy.find("rebase = true") != std::string::npos);
  options.offset = Seconds(7157);
  CHECK(arrivals(read(text, options)) == Times{0, 7'162'000'000'000});
  TraceOptions back = plain("s");
  back.offset = Seconds(-1);
  CHECK(fault(text, back).remedy == "give an offset of 0 s or more");
  back.offset = Seconds(0.25);
  CHECK(arrivals(read(text, back)) == Times{250'000'000, 7'162'250'000'000});
}

TEST_CASE("dates that are not rebased need the moment the run begins") {
  const std::string_view text = "TIMESTAMP,ContextTokens,GeneratedTokens\n1970-01-01 00:00:02,1,1\n";
  TraceOptions options = azure();
  options.rebase = false;
  CHECK(fault(text, options).what.find("rebase = false") == 0);
  options.run_begins_ns = 500'000'000;
  CHECK(arrivals(read(text, options)) == Times{1'500'000'000});
}

TEST_CASE("a repeated trace begins again one mean gap after its last arrival") {
  TraceOptions options = plain("ns");
  options.repeat = true;
  const Times expected = {0, 10, 40, 60, 70, 100, 120};
  CHECK(arrivals(read("at,in,out\n100,1,1\n110,1,1\n140,1,1\n", options, 7)) == expected);
  CHECK(arrivals(read("at,in,out\n140,1,1\n100,1,1\n110,1,1\n", options, 7)) == expected);
  CHECK(fault("at,in,out\n100,1,1\n100,1,1\n", options).what == "repeat on a trace without two distinct arrivals");
  const auto long_ago = read("at,in,out\n0,1,1\n2000000000000000000,1,1\n", options, 100);
  CHECK(long_ago.size() < 10);
  CHECK(long_ago.back().arrival < kForever);
}

TEST_CASE("a limit stops reading") {
  TraceOptions options = plain("ns");
  options.limit = 2;
  auto counts = std::make_shared<ReadCounts>();
  CHECK(all(*open_trace_text("at,in,out\n1,1,1\n2,1,1\nbad\n", options, counts)).size() == 2);
  CHECK(counts->rows == 2);
}

TEST_CASE("a summary of a trace") {
  const Folder folder;
  const TraceSummary summary = summarize(plain("s", folder.write("t.csv", "at,in,out\n1,10,4\n2,30,1\n4,20,20\n")), {13, 14, 31, 40});
  CHECK(summary.requests == 3);
  CHECK(summary.input_tokens == 60);
  CHECK(summary.output_tokens == 25);
  CHECK(summary.most_input == 30);
  CHECK(summary.most_output == 20);
  CHECK(summary.most_context == 40);
  CHECK(summary.span.ns == 3'000'000'000);
  CHECK(summary.period.ns == 4'500'000'000);
  CHECK(summary.over_context == std::vector<std::uint64_t>{3, 2, 1, 0});
}

TEST_CASE("a file that is not there is told with the nearest name") {
  const Folder folder;
  folder.write("azure_conv.csv", "x");
  TraceOptions options = azure("azure_conf.csv");
  options.place = {folder.path() + "/scenario.toml", 4, 12};
  const UserFault missing = fault_of([&] { open_trace(options); });
  CHECK(missing.place.text() == folder.path() + "/scenario.toml:4:12");
  CHECK(missing.what == "there is no file \"" + folder.path() + "/azure_conf.csv\"");
  CHECK(missing.remedy == "that folder has \"azure_conv.csv\": is it meant?");
  options.file = "tracs/azure.csv";
  CHECK(fault_of([&] { open_trace(options); }).remedy.find("there is no folder") == 0);
  options.file = ".";
  CHECK(fault_of([&] { summarize(options); }).what.find("is a folder") != std::string::npos);
}

TEST_CASE("the published Azure traces, whole") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const auto check = [&](const std::string& name, std::uint64_t rows, std::uint64_t input, std::uint64_t output) {
    const TraceOptions options = azure(std::string(data) + "/traces/azure-llm/AzureLLMInferenceTrace_" + name + ".csv");
    const TraceSummary summary = summarize(options);
    CHECK(summary.requests == rows);
    CHECK(summary.input_tokens == input);
    CHECK(summary.output_tokens == output);
    CHECK(summary.counts.inversions == 0);
    CHECK_FALSE(summary.counts.torn_last_row);
    std::uint64_t in = 0, out = 0, count = 0;
    Time last;
    const auto stream = open_trace(options);
    while (const auto request = stream->next()) {
      ++count;
      in += static_cast<std::uint64_t>(request->input);
      out += static_cast<std::uint64_t>(request->output);
      CHECK(request->arrival >= last);
      last = request->arrival;
    }
    CHECK(count == rows);
    CHECK(in == input);
    CHECK(out == output);
    CHECK(last.ns == summary.span.ns);
  };
  check("conv", 19366, 22361870, 4088665);
  check("code", 8819, 18059974, 245896);
}

TEST_CASE("a recorded vLLM run") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const TraceSummary summary = summarize(vllm(std::string(data) + "/serving/vllm-runs/RTX4090/Llama-3.1-8B/requests.jsonl"));
  CHECK(summary.requests == 300);
  CHECK(summary.counts.origin == "1787267980.0827403");
}
