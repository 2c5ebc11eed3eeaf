#include <utility>

#include "traces/requests/delimited_trace.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

/// Rows without arrivals: all at 0, in the order of the file.
class LengthRows final : public TraceReader {
 public:
  explicit LengthRows(Delimited rows) : rows_(std::move(rows)) {}

  bool next(TraceRow& row) override {
    row = {};
    return rows_.next() && read_token_cell(rows_, 0, row.input) && read_token_cell(rows_, 1, row.output);
  }
  void rewind() override { rows_.rewind(); }
  Place place(TraceField field) const override { return field == TraceField::arrival ? rows_.line_place() : rows_.place(column(field)); }
  std::string text(TraceField field) const override { return field == TraceField::arrival ? "0" : std::string(rows_.cell(column(field))); }
  std::optional<Place> torn() const override {
    if (!rows_.torn()) return std::nullopt;
    return rows_.line_place();
  }
  bool has_dates() const override { return false; }

 private:
  static std::size_t column(TraceField field) { return field == TraceField::input ? 0 : 1; }

  Delimited rows_;
};

const Column kInput{{"num_prefill_tokens", "PromptTokenCount"}};
const Column kOutput{{"num_decode_tokens", "GeneratedTokenCount"}};

}  // namespace

std::unique_ptr<TraceReader> read_vidur(TextLines lines) {
  std::vector<Column> columns = {{{"arrived_at", "Time"}}, kInput, kOutput};
  return std::make_unique<DelimitedTrace>(Delimited(std::move(lines), std::move(columns)), DelimitedTrace::Clock::seconds);
}

std::unique_ptr<TraceReader> read_vidur_lengths(TextLines lines) {
  return std::make_unique<LengthRows>(Delimited(std::move(lines), {kInput, kOutput}));
}

}  // namespace joulecast::traces
