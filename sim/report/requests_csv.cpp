#include "report/requests_csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>

#include "base/csv.hpp"

namespace joulecast::report {

namespace {

constexpr std::size_t kFlushBytes = 1 << 20;

std::string_view name(serving::Fate fate) {
  constexpr std::string_view names[] = {"waiting", "running", "completed", "rejected_over_context"};
  return names[static_cast<int>(fate)];
}

using Buffer = fmt::memory_buffer;

void add(Buffer& buffer, std::string_view text) { buffer.append(text.data(), text.data() + text.size()); }

/// `ns` nanoseconds as seconds with nine decimals.
void add_seconds(Buffer& buffer, std::int64_t ns) { fmt::format_to(std::back_inserter(buffer), "{}.{:09}", ns / 1'000'000'000, ns % 1'000'000'000); }

void add_since(Buffer& buffer, Time from, Time to) {
  if (to >= from) add_seconds(buffer, (to - from).ns);
  buffer.push_back(',');
}

/// What a request's pool is, how good its model's answers are and what routing believed of its joules.
void add_routing(Buffer& buffer, const scenario::Result& result, std::size_t traffic, std::uint32_t number, std::int32_t replica) {
  buffer.push_back(',');
  if (replica >= 0 && static_cast<std::size_t>(replica) < result.pool_of_replica.size()) {
    const scenario::PoolResult& pool = result.pools[result.pool_of_replica[static_cast<std::size_t>(replica)]];
    add(buffer, csv_cell(pool.name));
    buffer.push_back(',');
    if (pool.accuracy) fmt::format_to(std::back_inserter(buffer), "{}", *pool.accuracy);
  } else {
    buffer.push_back(',');
  }
  buffer.push_back(',');
  if (traffic < result.believed_joules.size() && number < result.believed_joules[traffic].size()) {
    const double joules = result.believed_joules[traffic][number];
    if (!std::isnan(joules)) fmt::format_to(std::back_inserter(buffer), "{}", joules);
  }
  buffer.push_back('\n');
}

void add_row(Buffer& buffer, std::string_view traffic, std::uint32_t number, const serving::RequestRecord& record) {
  const auto& [facts, outcome] = record;
  const bool completed = outcome.fate == serving::Fate::completed;
  add(buffer, traffic);
  fmt::format_to(std::back_inserter(buffer), ",{},", number);
  add_seconds(buffer, facts.arrival.ns);
  fmt::format_to(std::back_inserter(buffer), ",{},{},{},", facts.input, facts.output, name(outcome.fate));
  add_since(buffer, facts.arrival, outcome.queued_until);
  add_since(buffer, facts.arrival, outcome.first_token);
  if (completed && facts.output > 1) {
    fmt::format_to(std::back_inserter(buffer), "{}", (outcome.last_token - outcome.first_token).seconds() / (facts.output - 1));
  }
  buffer.push_back(',');
  add_since(buffer, facts.arrival, completed ? outcome.last_token : Time{-1});
  if (outcome.joules != FixedEnergy{}) fmt::format_to(std::back_inserter(buffer), "{}", outcome.joules.units());
  buffer.push_back(',');
  if (outcome.replica >= 0) fmt::format_to(std::back_inserter(buffer), "{}", outcome.replica);
  fmt::format_to(std::back_inserter(buffer), ",{}", outcome.preemptions);
}

}  // namespace

void write_requests_csv(const scenario::Result& result, std::ostream& out) {
  Buffer buffer;
  const auto flush = [&] {
    out.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    buffer.clear();
  };
  add(buffer,
      "traffic,number,arrival_s,input_tokens,output_tokens,fate,queue_s,ttft_s,tpot_s,e2e_s,joules,replica,preemptions,pool,accuracy,believed_"
      "joules\n");
  for (std::size_t t = 0; t < result.requests.size(); ++t) {
    const auto& [traffic, table] = result.requests[t];
    const std::string cell = csv_cell(traffic);
    for (std::uint32_t number = 0; number < table->size(); ++number) {
      add_row(buffer, cell, number, (*table)[number]);
      add_routing(buffer, result, t, number, (*table)[number].outcome.replica);
      if (buffer.size() >= kFlushBytes) flush();
    }
  }
  flush();
}

}  // namespace joulecast::report
