// Formats of tables: Azure 2024 and 2025, BurstGPT, vidur, splitwise-sim, and files compressed with gzip.
#include <zlib.h>

#include <catch2/catch.hpp>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

UserFault fault(std::string_view text, const TraceOptions& options) {
  return fault_of([&] { open_trace_text(text, options); });
}

std::vector<std::int64_t> arrivals(const std::vector<Request>& requests) {
  std::vector<std::int64_t> ns;
  for (const Request& request : requests) ns.push_back(request.arrival.ns);
  return ns;
}

using Times = std::vector<std::int64_t>;

std::string gzip(const std::string& text) {
  std::string packed(compressBound(text.size()) + 64, '\0');
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace

TEST_CASE("Azure 2024: offsets and any number of decimals, 100 ns kept") {
  const auto requests = read(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-12 00:00:10+00:00,5,6\n2024-05-12 00:00:10.1+00:00,7,8\n"
      "2024-05-12 02:00:10.1000001+02:00,7,8\n",
      azure());
  CHECK(arrivals(requests) == Times{0, 100'000'000, 100'000'100});
}

TEST_CASE("Azure 2025, multimodal: the pictures' column stands second, and the file is compressed") {
  std::string text = "TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\r\n";
  for (int i = 0; i < 20'000; ++i) {
    text += "2024-10-15 0" + std::to_string(i / 3600) + ":" + std::to_string(i / 60 % 60 / 10) + std::to_string(i / 60 % 10) + ":" +
            std::to_string(i % 60 / 10) + std::to_string(i % 10) + ".5," + std::to_string(i % 4) + "," + std::to_string(1 + i) + ",9\r\n";
  }
  const Folder folder;
  const auto plain_text = all(*open_trace(azure(folder.write("m.csv", text))));
  TraceOptions options = azure(folder.write("m.csv.gz", gzip(text)));
  const auto packed = all(*open_trace(options));
  REQUIRE(packed.size() == 20'000);
  CHECK(packed[19'999].input == 20'000);
  CHECK(same_requests(plain_text, packed));
  options.repeat = true;  // reads the file again
  CHECK(all(*open_trace(options), 40'000).back().input == 20'000);
}

TEST_CASE("a compressed file that breaks off or is damaged is an error, whatever is done with torn rows") {
  std::string text = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  for (int i = 0; i < 5000; ++i) text += "2023-11-16 18:17:" + std::to_string(10 + i % 50) + "," + std::to_string(i * 7919 % 9973 + 1) + ",9\n";
  const std::string packed = gzip(text);
  const Folder folder;
  TraceOptions options = azure(folder.write("cut.csv.gz", packed.substr(0, packed.size() / 2)));
  options.torn_last_row = "drop";
  CHECK(fault_of([&] { open_trace(options); }).what == "the compressed file breaks off");
  std::string wrong = packed;
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 20; ++i) wrong[i] = static_cast<char>(wrong[i] ^ 0x55);
  options.file = folder.write("wrong.csv.gz", wrong);
  CHECK(fault_of([&] { summarize(options); }).remedy == "fetch or copy it again");
  CHECK(fault(packed, azure()).what == "the file is compressed with gzip");  // of a text in memory
}

TEST_CASE("BurstGPT 1: names with spaces, whole seconds; a response of 0 tokens is a failed request") {
  const std::string text =
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n"
      "45,ChatGPT,1087,0,1087,Conversation log\n118,GPT-4,0,276,276,API log\n";
  CHECK(fault(text, named("burstgpt", "b.csv")).place.text() == "b.csv:3:17");
  TraceOptions options = named("burstgpt");
  options.zero_tokens = "drop";
  auto counts = std::make_shared<ReadCounts>();
  CHECK(arrivals(all(*open_trace_text(text, options, counts))) == Times{0});
  CHECK(counts->dropped_zero_output == 1);
  CHECK(counts->dropped_zero_input == 1);
  options.zero_tokens = "keep";
  const auto kept = all(*open_trace_text(text, options, counts));
  CHECK(arrivals(kept) == Times{0, 40'000'000'000, 113'000'000'000});
  CHECK(kept[1].output == 1);
  CHECK(kept[2].input == 1);
  CHECK(counts->kept_zero_output == 1);
  CHECK(counts->kept_zero_input == 1);
  CHECK(counts->dropped_zero_output == 0);
}

TEST_CASE("BurstGPT 3: sessions are conversations, a blank one is none, time does not begin at 0") {
  const std::string text =
      "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "19440110.0,aa-1,43,GPT-4,906,446,1352,Conversation log\n19440161.5,bb-2,2,ChatGPT,36,29,65,Conversation log\n"
      "19440162.0,,1,ChatGPT,36,29,65,API log\n19440192.0,aa-1,8,GPT-4,1779,123,1902,Conversation log\n";
  auto counts = std::make_shared<ReadCounts>();
  const auto requests = all(*open_trace_text(text, named("burstgpt"), counts));
  REQUIRE(requests.size() == 4);
  CHECK(arrivals(requests) == Times{0, 51'500'000'000, 52'000'000'000, 82'000'000'000});
  CHECK(requests[0].conversation == 1);
  CHECK(requests[1].conversation == 2);
  CHECK(requests[2].conversation == 0);
  CHECK(requests[3].conversation == 1);
  CHECK(requests[3].prefix == 0);
  CHECK(counts->conversations == 2);
  CHECK(counts->origin == "19440110.0");
}

TEST_CASE("the heads of the BurstGPT files, as quoted") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const std::string folder = std::string(data) + "/traces/quoted/";
  const TraceSummary one = summarize(named("burstgpt", folder + "burstgpt_1_head.csv"));
  CHECK(one.requests == 3);
  CHECK(one.input_tokens == 472 + 1087 + 417);
  CHECK(one.span.ns == 113'000'000'000);
  const TraceSummary three = summarize(named("burstgpt", folder + "burstgpt_3_head.csv"));
  CHECK(three.requests == 4);
  CHECK(three.output_tokens == 446 + 29 + 123 + 178);
  CHECK(three.counts.conversations == 4);
}

TEST_CASE("vidur: seconds to the nanosecond, the newer and the older names of the columns") {
  const auto newer = read("arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n4.314579,396,109\n4.3145791,1,1\n", named("vidur"));
  CHECK(arrivals(newer) == Times{0, 4'314'579'000, 4'314'579'100});
  const auto older = read("PromptTokenCount,GeneratedTokenCount,Time\n374,44,0.0\n396,109,4.314579\n1,1,4.3145791\n", named("vidur"));
  CHECK(same_requests(newer, older));
  CHECK(fault("num_prefill_tokens,num_decode_tokens\n3,4\n", named("vidur")).what.find("no column arrived_at") == 0);
}

TEST_CASE("a time before the trace begins is refused unless the trace is rebased") {
  const std::string text = "arrived_at,num_prefill_tokens,num_decode_tokens\n-7157,3,4\n0,3,4\n";
  CHECK(arrivals(read(text, named("vidur"))) == Times{0, 7'157'000'000'000});
  TraceOptions options = named("vidur", "v.csv");
  options.rebase = false;
  const UserFault early = fault(text, options);
  CHECK(early.place.text() == "v.csv:2:1");
  CHECK(early.what == "the arrival -7157 comes before the run begins");
}

// vidur's files are the Azure traces of 2023, times cut to microseconds after the first arrival.
TEST_CASE("the vidur traces are the Azure traces: same tokens, arrivals within a microsecond") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  for (const std::string name : {"code", "conv"}) {
    const auto original = all(*open_trace(azure(std::string(data) + "/traces/azure-llm/AzureLLMInferenceTrace_" + name + ".csv")));
    const auto derived = all(*open_trace(named("vidur", std::string(data) + "/traces/vidur/splitwise_" + name + ".csv")));
    REQUIRE(derived.size() == original.size());
    std::int64_t apart = 0;
    bool same_tokens = true;
    for (std::size_t i = 0; i < derived.size(); ++i) {
      same_tokens = same_tokens && derived[i].input == original[i].input && derived[i].output == original[i].output;
      apart = std::max(apart, std::abs(derived[i].arrival.ns - original[i].arrival.ns));
    }
    CHECK(same_tokens);
    CHECK(apart <= 1000);
  }
}

TEST_CASE("vidur's lengths without arrivals are lengths to draw from, one row as likely as another") {
  const Folder folder;
  const LengthHistogram lengths = lengths_of_trace(
      named("vidur", folder.write("l.csv", "num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio\n10,3,13,3.3\n20,5,25,4.0\n")));
  CHECK(lengths.requests() == 2);
  CHECK(lengths.mean_input() == 15);
  Stream stream(1, "lengths", "test");
  for (int i = 0; i < 100; ++i) {
    const auto [input, output] = lengths.draw(stream);
    CHECK(((input == 10 && output == 3) || (input == 20 && output == 5)));
  }
  CHECK(fault_of([&] { lengths_of_trace(named("vidur", folder.write("e.csv", "num_prefill_tokens,num_decode_tokens\n"))); }).what ==
        "the trace has no request");
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const LengthHistogram arxiv =
      lengths_of_trace(named("vidur", std::string(data) + "/traces/vidur/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv"));
  CHECK(arxiv.requests() == 28'257);
  CHECK(arxiv.mean_input() == Approx(73'131'321.0 / 28'257));
  CHECK(arxiv.mean_output() == Approx(8'234'948.0 / 28'257));
}

TEST_CASE("splitwise-sim: seconds; other types of request and batches are refused by name") {
  const std::string head = "request_id,request_type,application_id,arrival_timestamp,batch_size,prompt_size,token_size\n";
  const auto requests = read(head + "0,2,0,1,1,4096,32\n1,2,0,3.5,1,2048,8\n", named("splitwise-sim"));
  CHECK(arrivals(requests) == Times{0, 2'500'000'000});
  CHECK(requests[1].input == 2048);
  CHECK(fault(head + "0,1,0,1,1,4096,32\n", named("splitwise-sim", "s.csv")).place.text() == "s.csv:2:3");
  CHECK(fault(head + "0,2,0,1,4,4096,32\n", named("splitwise-sim")).what == "read \"4\" as batch_size, expected 1: a row is one request");
}
