#include "traces/requests/json_trace.hpp"

#include <fmt/format.h>

#include <utility>

#include "traces/cell_values.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kHashes = 3;

std::vector<std::string> keys_of(const JsonShape& shape) {
  std::vector<std::string> keys = {shape.arrival, shape.input, shape.output, shape.hashes};
  keys.insert(keys.end(), shape.extra.begin(), shape.extra.end());
  return keys;
}

}  // namespace

JsonTrace::JsonTrace(TextLines lines, JsonShape shape) : rows_(std::move(lines), keys_of(shape)), shape_(std::move(shape)) {
  if (shape_.block_tokens > 0) set_block_tokens(shape_.block_tokens);
}

bool JsonTrace::next(TraceRow& row) {
  if (!rows_.next()) return false;
  row = {};
  const JsonField& arrival = rows_.field(0);
  if (arrival.kind != JsonField::Kind::number || read_decimal_ns(arrival.text, shape_.exponent, row.arrival_ns) != Reading::good) {
    rows_.refuse(0, shape_.arrival_words, "write the time of arrival as a number, or delete the line");
  }
  row.input = tokens(1);
  row.output = tokens(2);
  read_more(row);
  if (!shape_.hashes.empty() && !is_absent(kHashes)) row.prefix = prefix(kHashes, row.input);
  return true;
}

std::int32_t JsonTrace::tokens(std::size_t key) const {
  const JsonField& value = rows_.field(key);
  std::int32_t count = 0;
  if (value.kind != JsonField::Kind::number || read_tokens(value.text, count) != Reading::good) {
    rows_.refuse(key, "a whole number of tokens, 0 .. 2147483647", "write whole tokens there, or delete the line");
  }
  return count;
}

bool JsonTrace::is_absent(std::size_t key) const {
  const JsonField::Kind kind = rows_.field(key).kind;
  return kind == JsonField::Kind::absent || kind == JsonField::Kind::null;
}

std::uint32_t JsonTrace::prefix(std::size_t key, std::int32_t input) {
  const JsonField& value = rows_.field(key);
  if (value.kind != JsonField::Kind::integers) {
    rows_.refuse(key, "a list of whole numbers from 0 on", "write one hash a block of the prompt, or leave the key out");
  }
  JOULECAST_CHECK(tree_ != nullptr, "a format with hashes states the tokens of a block");
  const std::int32_t block = tree_->block_tokens();
  const auto blocks = static_cast<std::size_t>((std::int64_t{input} + block - 1) / block);
  if (value.integers.size() > blocks) {
    rows_.refuse(key, fmt::format("at most {} hashes: the prompt has {} tokens, a block {}", blocks, input, block),
                 "correct the hashes or the prompt's tokens, or delete the line");
  }
  const auto full = static_cast<std::size_t>(input / block);
  PrefixTree::Node node = 0;
  for (std::size_t i = 0; i < value.integers.size() && i < full; ++i) node = tree_->child(node, value.integers[i]);
  return node;
}

void JsonTrace::set_block_tokens(std::int32_t block_tokens) {
  if (tree_ == nullptr) tree_ = std::make_shared<PrefixTree>(block_tokens);
}

}  // namespace joulecast::traces
