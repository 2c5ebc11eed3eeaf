#include <charconv>
#include <utility>

#include "traces/requests/conversations.hpp"
#include "traces/requests/formats.hpp"
#include "traces/requests/json_trace.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kTurn = 0, kBefore = 1;  ///< among the extra keys

JsonShape shape() {
  JsonShape shape;
  shape.arrival = "timestamp";
  shape.input = "input_length";
  shape.output = "output_length";
  shape.arrival_words = "a number of seconds";
  shape.hashes = "hash_ids";
  shape.block_tokens = 16;
  shape.extra = {"chat_id", "parent_chat_id"};
  return shape;
}

class QwenBailianTrace final : public JsonTrace {
 public:
  explicit QwenBailianTrace(TextLines lines) : JsonTrace(std::move(lines), shape()) {}

  void rewind() override {
    JsonTrace::rewind();
    conversations_.clear();
  }

 private:
  void read_more(TraceRow& row) override {
    if (is_absent(kFirstExtra + kTurn)) return;
    row.conversation = conversations_.of_turn(id(kFirstExtra + kTurn), is_absent(kFirstExtra + kBefore) ? -1 : id(kFirstExtra + kBefore));
  }

  std::int64_t id(std::size_t key) const {
    const JsonField& value = rows().field(key);
    std::int64_t number = 0;
    const char* const end = value.text.data() + value.text.size();
    if (value.kind == JsonField::Kind::number) {
      const auto [stop, fault] = std::from_chars(value.text.data(), end, number);
      if (fault == std::errc() && stop == end) return number;
    }
    rows().refuse(key, "a whole number", "write the id of a turn there (-1 where none comes before), or leave the key out");
  }

  Conversations conversations_;
};

}  // namespace

std::unique_ptr<TraceReader> read_qwen_bailian(TextLines lines) { return std::make_unique<QwenBailianTrace>(std::move(lines)); }

}  // namespace joulecast::traces
