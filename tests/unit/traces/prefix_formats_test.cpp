// Formats that say which prompts share what: Mooncake and Qwen-Bailian.
#include <catch2/catch.hpp>

#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

UserFault fault(std::string_view text, const TraceOptions& options) {
  return fault_of([&] { open_trace_text(text, options); });
}

std::string mooncake_row(int ms, int input, int output, const std::string& hashes) {
  return "{\"timestamp\": " + std::to_string(ms) + ", \"input_length\": " + std::to_string(input) + ", \"output_length\": " + std::to_string(output) +
         ", \"hash_ids\": " + hashes + "}\n";
}

}  // namespace

// 1100 tokens are two full blocks of 512 and a rest, whose hash is of no use to others; 1024 are two full blocks.
TEST_CASE("a Mooncake trace: milliseconds, and a node at the end of each prompt's full blocks") {
  const std::string text = mooncake_row(27, 1100, 5, "[7, 8, 9]") + mooncake_row(30, 1024, 6, "[7, 8]") + mooncake_row(30, 600, 7, "[7, 10]") +
                           mooncake_row(3027, 2048, 8, "[7, 8, 11, 12]") + mooncake_row(3028, 511, 9, "[13]") + mooncake_row(3029, 1024, 1, "[8, 7]");
  auto counts = std::make_shared<ReadCounts>();
  const auto stream = open_trace_text(text, named("mooncake"), counts);
  const auto requests = all(*stream);
  REQUIRE(requests.size() == 6);
  CHECK(requests[1].arrival.ns == 3'000'000);
  CHECK(requests[3].arrival.ns == 3'000'000'000);
  const PrefixTree& tree = *stream->prefixes();
  CHECK(requests[0].prefix == requests[1].prefix);
  CHECK(tree.tokens(requests[0].prefix) == 1024);
  CHECK(tree.parent(requests[0].prefix) == requests[2].prefix);
  CHECK(tree.parent(requests[2].prefix) == 0);
  CHECK(tree.parent(tree.parent(requests[3].prefix)) == requests[0].prefix);
  CHECK(requests[4].prefix == 0);
  CHECK(tree.depth(requests[5].prefix) == 2);  // the same hashes in another order are another prompt
  CHECK(tree.parent(requests[5].prefix) != requests[0].prefix);
  CHECK(tree.size() == 6);
  CHECK(counts->block_tokens == 512);
  CHECK(counts->prefix_blocks == 6);
  CHECK(counts->with_prefix == 5);
  CHECK(counts->conversations == 0);
}

TEST_CASE("rows are dictionaries, and need neither text nor hashes") {
  const auto requests = read("{\"timestamp\": 0, \"input_length\": 3, \"output_length\": 2}\n", named("mooncake"));
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].prefix == 0);
  CHECK(fault("[0, 3, 2]\n", named("mooncake")).what.find("expected one JSON object a line") != std::string::npos);
}

TEST_CASE("hashes that do not fit the prompt are refused by name") {
  const UserFault many = fault(mooncake_row(0, 600, 5, "[1, 2]") + mooncake_row(0, 1024, 5, "[1, 2, 3]"), named("mooncake", "m.jsonl"));
  CHECK(many.place.text() == "m.jsonl:2:72");
  CHECK(many.what == "read an array of 3 numbers as hash_ids, expected at most 2 hashes: the prompt has 1024 tokens, a block 512");
  CHECK(fault(mooncake_row(0, 600, 5, "[1, -2]"), named("mooncake")).what.find("an array or object as hash_ids, expected a list of whole numbers") !=
        std::string::npos);
  CHECK(fault(mooncake_row(0, 600, 5, "7"), named("mooncake")).what.find("read 7 as hash_ids") == 0);
  CHECK(fault("{\"timestamp\": 0, \"input_length\": 3.5, \"output_length\": 2}\n", named("mooncake")).what.find("read 3.5 as input_length") == 0);
  CHECK(read(mooncake_row(0, 5000, 5, "[1]"), named("mooncake")).size() == 1);  // a list that breaks off: what is there is shared
}

TEST_CASE("a line as long as a million prompt tokens in blocks of 16 makes it is read") {
  std::string hashes = "[1000000";
  for (int i = 1; i < 62'500; ++i) hashes += ", " + std::to_string(1'000'000 + i);
  const std::string line =
      "{\"timestamp\": 1.5, \"input_length\": 1000000, \"output_length\": 2, \"chat_id\": 1, \"parent_chat_id\": -1, \"hash_ids\": " + hashes +
      "]}\n";
  const Folder folder;
  const auto stream = open_trace(named("qwen-bailian", folder.write("q.jsonl", line)));
  CHECK(stream->prefixes()->tokens(stream->next()->prefix) == 1'000'000);
}

TEST_CASE("a Qwen-Bailian trace: seconds, and chains of chat ids as conversations") {
  const auto row = [](const std::string& at, int chat, int before) {
    return "{\"chat_id\": " + std::to_string(chat) + ", \"parent_chat_id\": " + std::to_string(before) + ", \"timestamp\": " + at +
           ", \"input_length\": 33, \"output_length\": 2, \"type\": \"text\", \"turn\": 1, \"hash_ids\": [5, 6, 7]}\n";
  };
  auto counts = std::make_shared<ReadCounts>();
  // 1 <- 2 <- 5; 3 alone; 4 and 6 follow 55, which the trace does not hold.
  const std::string text = row("0.25", 1, -1) + row("0.251", 2, 1) + row("1", 3, -1) + row("1", 4, 55) + row("2", 5, 2) + row("61.114", 6, 55);
  TraceOptions options = named("qwen-bailian");
  const auto requests = all(*open_trace_text(text, options, counts));
  REQUIRE(requests.size() == 6);
  std::vector<std::uint32_t> conversations;
  for (const Request& request : requests) conversations.push_back(request.conversation);
  CHECK(conversations == std::vector<std::uint32_t>{1, 1, 2, 3, 1, 3});
  CHECK(requests[1].arrival.ns == 1'000'000);
  CHECK(requests[5].arrival.ns == 60'864'000'000);
  CHECK(counts->conversations == 3);
  CHECK(counts->block_tokens == 16);
  CHECK(counts->prefix_blocks == 2);
  options.repeat = true;
  const auto twice = all(*open_trace_text(text, options), 12);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(twice[6 + i].conversation == twice[i].conversation + 3);  // a further round's are other people's
    CHECK(twice[6 + i].prefix == twice[i].prefix + 2);
  }
}

TEST_CASE("the published record of a Qwen-Bailian trace, as quoted") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  auto counts = std::make_shared<ReadCounts>();
  const auto stream = open_trace(named("qwen-bailian", std::string(data) + "/traces/quoted/qwen_bailian_record.jsonl"), counts);
  const auto request = stream->next();
  REQUIRE(request.has_value());
  CHECK(request->input == 521);
  CHECK(request->output == 132);
  CHECK(stream->prefixes()->depth(request->prefix) == 5);
  CHECK(counts->origin == "61.114");
}

// Counted apart, with sets of hashes and no tree: 114897 hashes of full blocks, and the tokens of each prompt's leading blocks seen before.
TEST_CASE("the Mooncake conversation trace") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const std::string path = std::string(data) + "/traces/mooncake/conversation_trace.jsonl";
  const TraceSummary summary = summarize(named("mooncake", path));
  CHECK(summary.requests == 7578);
  CHECK(summary.input_tokens == 94'514'120);
  CHECK(summary.output_tokens == 2'640'049);
  CHECK(summary.span.ns == 2'328'000'000'000);
  CHECK(summary.counts.inversions == 0);
  CHECK(summary.counts.with_prefix == 7578);
  CHECK(summary.counts.prefix_blocks == 114'897);
  const auto stream = open_trace(named("mooncake", path));
  std::uint64_t shared = 0;
  std::vector<bool> seen;
  while (const auto request = stream->next()) {
    const PrefixTree& tree = *stream->prefixes();
    seen.resize(tree.size() + 1);
    CHECK(tree.depth(request->prefix) == request->input / 512);
    for (PrefixTree::Node node = request->prefix; node != 0; node = tree.parent(node)) {
      if (seen[node]) {
        shared += static_cast<std::uint64_t>(tree.tokens(node));
        break;
      }
    }
    for (PrefixTree::Node node = request->prefix; node != 0 && !seen[node]; node = tree.parent(node)) seen[node] = true;
  }
  CHECK(shared == 33'655'808);  // what an endless cache finds: 35.6 % of the prompts' tokens
}
