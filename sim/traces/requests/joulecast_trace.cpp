#include <utility>

#include "traces/requests/formats.hpp"
#include "traces/requests/json_trace.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kCached = 0, kConversation = 1, kBlockTokens = 2, kBlocks = 3;  ///< among the extra keys

JsonShape shape() {
  JsonShape shape;
  shape.arrival = "arrival_ns";
  shape.input = "input_tokens";
  shape.output = "output_tokens";
  shape.exponent = 0;
  shape.arrival_words = "a number of nanoseconds";
  shape.extra = {"cached_tokens", "conversation", "block_tokens", "blocks"};
  return shape;
}

class JoulecastTrace final : public JsonTrace {
 public:
  explicit JoulecastTrace(TextLines lines) : JsonTrace(std::move(lines), shape()) {}

 private:
  void read_more(TraceRow& row) override {
    if (!is_absent(kFirstExtra + kCached)) row.cached = cached(row.input);
    if (!is_absent(kFirstExtra + kConversation)) row.conversation = static_cast<std::uint32_t>(tokens(kFirstExtra + kConversation));
    if (is_absent(kFirstExtra + kBlocks)) return;
    const std::int32_t block = tokens(kFirstExtra + kBlockTokens);
    if (block < 1 || (block_ != 0 && block != block_)) {
      rows().refuse(kFirstExtra + kBlockTokens, block < 1 ? "at least 1" : "the same as in the rows before", "write one size of block in all rows");
    }
    block_ = block;
    set_block_tokens(block);
    row.prefix = prefix(kFirstExtra + kBlocks, row.input);
  }

  std::int32_t cached(std::int32_t input) const {
    const std::int32_t count = tokens(kFirstExtra + kCached);
    if (count > 0 && count >= input) rows().refuse(kFirstExtra + kCached, "fewer than input_tokens", "the last token of a prompt is always computed");
    return count;
  }

  std::int32_t block_ = 0;
};

}  // namespace

std::unique_ptr<TraceReader> read_joulecast(TextLines lines) { return std::make_unique<JoulecastTrace>(std::move(lines)); }

}  // namespace joulecast::traces
