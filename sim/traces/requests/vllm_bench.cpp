#include <utility>

#include "traces/cell_values.hpp"
#include "traces/jsonl.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

class VllmBenchTrace final : public TraceReader {
 public:
  explicit VllmBenchTrace(TextLines lines) : rows_(std::move(lines), {"arrival_time", "input_toks", "output_toks"}) {}

  bool next(TraceRow& row) override {
    if (!rows_.next()) return false;
    const JsonField& arrival = rows_.field(0);
    if (arrival.kind != JsonField::Kind::number || read_decimal_ns(arrival.text, 9, row.arrival_ns) != Reading::good) {
      rows_.refuse(0, "a number of Unix seconds", "write the time of arrival as a number, or delete the line");
    }
    row.input = tokens(1);
    row.output = tokens(2);
    return true;
  }

  void rewind() override { rows_.rewind(); }
  Place place(TraceField field) const override { return rows_.place(static_cast<std::size_t>(field)); }
  std::string text(TraceField field) const override { return rows_.field(static_cast<std::size_t>(field)).text; }
  std::optional<Place> torn() const override {
    if (!rows_.torn()) return std::nullopt;
    return rows_.line_place();
  }
  bool has_dates() const override { return true; }

 private:
  std::int32_t tokens(std::size_t key) const {
    const JsonField& value = rows_.field(key);
    std::int32_t count = 0;
    if (value.kind != JsonField::Kind::number || read_tokens(value.text, count) != Reading::good) {
      rows_.refuse(key, "a whole number of tokens, 0 .. 2147483647", "write whole tokens there, or delete the line");
    }
    return count;
  }

  JsonLines rows_;
};

}  // namespace

std::unique_ptr<TraceReader> read_vllm_bench(TextLines lines) { return std::make_unique<VllmBenchTrace>(std::move(lines)); }

}  // namespace joulecast::traces
