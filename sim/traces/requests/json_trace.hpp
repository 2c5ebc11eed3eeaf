#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "traces/jsonl.hpp"
#include "traces/requests/trace_reader.hpp"

namespace joulecast::traces {

/// Where a JSON Lines format has what.
struct JsonShape {
  std::string arrival, input, output;  ///< keys
  int exponent = 9;                    ///< the arrival's unit is 10^exponent ns
  std::string arrival_words;           ///< "a number of seconds"
  bool has_dates = false;
  std::string hashes;              ///< key of the hashes of the prompt's blocks, in order; "" where the format has none
  std::int32_t block_tokens = 0;   ///< tokens of such a block
  std::vector<std::string> extra;  ///< further keys
};

/// A trace of one JSON object a request.
class JsonTrace : public TraceReader {
 public:
  JsonTrace(TextLines lines, JsonShape shape);

  bool next(TraceRow& row) final;
  void rewind() override { rows_.rewind(); }
  Place place(TraceField field) const override { return rows_.place(static_cast<std::size_t>(field)); }
  std::string text(TraceField field) const override { return rows_.field(static_cast<std::size_t>(field)).text; }
  std::optional<Place> torn() const override {
    if (!rows_.torn()) return std::nullopt;
    return rows_.line_place();
  }
  bool has_dates() const override { return shape_.has_dates; }
  std::shared_ptr<const PrefixTree> prefixes() const override { return tree_; }

 protected:
  static constexpr std::size_t kFirstExtra = 4;  ///< position of the first extra key

  /// The further keys of a format.
  virtual void read_more(TraceRow&) {}
  const JsonLines& rows() const { return rows_; }
  /// A key's value as whole tokens, refused else.
  std::int32_t tokens(std::size_t key) const;
  bool is_absent(std::size_t key) const;
  /// The node of a prompt's full blocks; refuses (at `key`) a list with more hashes than the prompt has blocks, and what is no list.
  std::uint32_t prefix(std::size_t key, std::int32_t input);
  /// For a format whose rows say how large a block is: the tree is made by the first.
  void set_block_tokens(std::int32_t block_tokens);

 private:
  JsonLines rows_;
  JsonShape shape_;
  std::shared_ptr<PrefixTree> tree_;
};

}  // namespace joulecast::traces
