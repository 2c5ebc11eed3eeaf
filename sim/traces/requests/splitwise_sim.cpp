#include <utility>

#include "traces/requests/delimited_trace.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kType = 3, kBatch = 4;

class SplitwiseTrace final : public DelimitedTrace {
 public:
  explicit SplitwiseTrace(Delimited rows) : DelimitedTrace(std::move(rows), Clock::seconds) {}

 private:
  bool read_more(TraceRow&) override {
    return is(kType, "2", "2, the type of a language model's request", "leave other types of request out of the file") &&
           is(kBatch, "1", "1: a row is one request", "write a row for each request of the batch");
  }

  bool is(std::size_t column, std::string_view wanted, std::string_view expected, std::string remedy) {
    if (!rows().has(column) || rows().cell(column) == wanted) return true;
    rows().refuse(column, expected, std::move(remedy), rows().cell(column).empty());
    return false;
  }
};

}  // namespace

std::unique_ptr<TraceReader> read_splitwise_sim(TextLines lines) {
  std::vector<Column> columns = {{{"arrival_timestamp"}}, {{"prompt_size"}}, {{"token_size"}}, {{"request_type"}, false}, {{"batch_size"}, false}};
  return std::make_unique<SplitwiseTrace>(Delimited(std::move(lines), std::move(columns)));
}

}  // namespace joulecast::traces
