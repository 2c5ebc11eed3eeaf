#include <utility>

#include "traces/requests/conversations.hpp"
#include "traces/requests/delimited_trace.hpp"
#include "traces/requests/formats.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kSession = 3;

class BurstGptTrace final : public DelimitedTrace {
 public:
  explicit BurstGptTrace(Delimited rows) : DelimitedTrace(std::move(rows), Clock::seconds) {}

  void rewind() override {
    DelimitedTrace::rewind();
    conversations_.clear();
  }

 private:
  bool read_more(TraceRow& row) override {
    row.conversation = 0;
    if (!rows().has(kSession)) return true;
    const std::string_view session = rows().cell(kSession);
    if (!session.empty()) row.conversation = conversations_.of_session(session);
    return true;
  }

  Conversations conversations_;
};

}  // namespace

std::unique_ptr<TraceReader> read_burstgpt(TextLines lines) {
  std::vector<Column> columns = {{{"Timestamp"}}, {{"Request tokens"}}, {{"Response tokens"}}, {{"Session ID"}, false}};
  return std::make_unique<BurstGptTrace>(Delimited(std::move(lines), std::move(columns)));
}

}  // namespace joulecast::traces
