#include <catch2/catch.hpp>
#include <sstream>

#include "traces/requests/scaled.hpp"
#include "traces/requests/write.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

std::string written(RequestStream& stream) {
  std::ostringstream out;
  write_requests(stream, out);
  return out.str();
}

UserFault fault(std::string_view text) {
  return fault_of([&] { open_trace_text(text, named("joulecast", "r.jsonl")); });
}

}  // namespace

TEST_CASE("what is written reads back the same: prefixes, conversations, cached tokens, times") {
  const std::string rows =
      "{\"timestamp\": 5, \"input_length\": 1100, \"output_length\": 2, \"hash_ids\": [7, 8, 9]}\n"
      "{\"timestamp\": 9, \"input_length\": 600, \"output_length\": 3, \"hash_ids\": [7, 1]}\n"
      "{\"timestamp\": 9, \"input_length\": 6, \"output_length\": 3, \"hash_ids\": [3]}\n";
  const std::string text = written(*open_trace_text(rows, named("mooncake")));
  CHECK(text ==
        "{\"arrival_ns\": 0, \"input_tokens\": 1100, \"output_tokens\": 2, \"block_tokens\": 512, \"blocks\": [1, 2]}\n"
        "{\"arrival_ns\": 4000000, \"input_tokens\": 600, \"output_tokens\": 3, \"block_tokens\": 512, \"blocks\": [1]}\n"
        "{\"arrival_ns\": 4000000, \"input_tokens\": 6, \"output_tokens\": 3}\n");
  CHECK(same_requests(read(text, named("joulecast")), read(rows, named("mooncake"))));
  CHECK(written(*open_trace_text(text, named("joulecast"))) == text);

  const std::string chats = "Timestamp,Session ID,Request tokens,Response tokens\n1,a,10,2\n2,b,20,2\n2.0000001,a,30,4\n3,,40,4\n";
  const auto with_all = [&] { return with_cached(open_trace_text(chats, named("burstgpt")), 0.3); };
  const std::string cached = written(*with_all());
  CHECK(same_requests(read(cached, named("joulecast")), all(*with_all())));
  CHECK(cached.find("\"cached_tokens\": 9, \"conversation\": 1}") != std::string::npos);
}

TEST_CASE("faults of our own format") {
  const std::string start = "{\"arrival_ns\": 0, \"input_tokens\": 40, \"output_tokens\": 1";
  CHECK(fault(start + ", \"cached_tokens\": 40}\n").what == "read 40 as cached_tokens, expected fewer than input_tokens");
  CHECK(fault(start + ", \"blocks\": [1]}\n").what.find("read no block_tokens") == 0);
  CHECK(fault(start + ", \"block_tokens\": 0, \"blocks\": [1]}\n").what == "read 0 as block_tokens, expected at least 1");
  CHECK(fault(start + ", \"block_tokens\": 16, \"blocks\": [1]}\n" + start + ", \"block_tokens\": 32, \"blocks\": [1]}\n").place.line == 2);
  CHECK(fault(start + ", \"block_tokens\": 16, \"blocks\": [1, 2, 3, 4]}\n").what.find("expected at most 3 hashes") != std::string::npos);
  CHECK(fault(start + ", \"conversation\": -1}\n").what.find("read -1 as conversation") == 0);
}

TEST_CASE("the Mooncake trace, written and read back") {
  const char* data = data_folder();
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const TraceOptions mooncake = named("mooncake", std::string(data) + "/traces/mooncake/conversation_trace.jsonl");
  const std::string text = written(*open_trace(mooncake));
  CHECK(same_requests(all(*open_trace_text(text, named("joulecast"))), all(*open_trace(mooncake))));
}
