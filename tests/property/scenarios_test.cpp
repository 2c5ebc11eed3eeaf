// Scenarios that nobody chose keep what must hold of every run.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

#include "property/random_scenario.hpp"
#include "report/summary.hpp"
#include "report/totals.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;
using namespace joulecast::property;
using scenario::Result;

namespace {

/// The committed seeds, or `JOULECAST_SEEDS` of them from `JOULECAST_FIRST_SEED` on.
std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

scenario::Scenario load(const std::string& text) {
  const TemporaryFile file("drawn.toml", text);
  return scenario::load(file.path(), {{}, {}, "."});
}

/// All numbers of a result as bytes, but for how the run went.
class Bytes {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> Bytes& add(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof value);
    text_.append(raw, sizeof value);
    return *this;
  }
  Bytes& add(const std::string& text) {
    text_ += text;
    return add(text.size());
  }
  template <class T>
  Bytes& add(const std::optional<T>& value) {
    return value ? add(true).add(*value) : add(false);
  }
  template <class Range>
  requires requires(const Range& range) { range.begin(), range.size(); }
  Bytes& add(const Range& range) {
    for (const auto& each : range) add(each);
    return add(range.size());
  }
  template <class A, class B>
  Bytes& add(const std::pair<A, B>& pair) {
    return add(pair.first).add(pair.second);
  }
  Bytes& add(const scenario::Distribution& d) { return add(d.mean).add(d.p50).add(d.p90).add(d.p99); }
  Bytes& add(const metering::PowerStatistics& p) {
    text_.append(reinterpret_cast<const char*>(&p), sizeof p);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_pools(Bytes& bytes, const Result& result) {
  for (const metering::PoolAccount& pool : result.energy.pools) {
    bytes.add(pool.name).add(pool.gpus).add(pool.joules).add(pool.state_nanojoules).add(pool.state_watts);
    for (const metering::ClassAccount& spent : pool.classes) bytes.add(spent.name).add(spent.joules).add(spent.seconds);
  }
  for (const scenario::PoolResult& pool : result.pools) {
    bytes.add(pool.name).add(pool.mean_batch).add(pool.busy).add(pool.kv_usage).add(pool.kv_blocks).add(pool.preemptions).add(pool.prefix_hit_rate);
    bytes.add(pool.output_tokens).add(pool.steps).add(pool.clock).add(pool.watts_source);
  }
}

std::string numbers(const Result& result) {
  Bytes bytes;
  bytes.add(result.horizon_s).add(result.energy.joules).add(result.energy.state_nanojoules).add(result.energy.watts).add(result.energy.power);
  add_pools(bytes, result);
  for (const scenario::TrafficResult& traffic : result.traffics) {
    bytes.add(traffic.name).add(traffic.arrived).add(traffic.completed).add(traffic.rejected).add(traffic.truncated).add(traffic.unfinished);
    bytes.add(traffic.input_tokens).add(traffic.output_tokens).add(traffic.slo_attainment);
    bytes.add(traffic.ttft_s).add(traffic.tpot_s).add(traffic.itl_s).add(traffic.e2e_s).add(traffic.queue_s);
  }
  if (result.spread) bytes.add(result.spread->relative).add(result.spread->sources);
  if (result.cost) bytes.add(result.cost->total).add(result.cost->per_million_input).add(result.cost->per_million_output);
  bytes.add(result.carbon_grams).add(result.audit.attributed_share).add(result.no_pool_gpus);
  bytes.add(result.energy_coverage).add(result.time_coverage).add(result.fingerprint);
  for (const auto& [name, table] : result.requests) {
    for (std::uint32_t i = 0; i < table->size(); ++i) {
      const auto& [facts, outcome] = (*table)[i];
      bytes.add(facts.arrival.ns)
          .add(facts.input)
          .add(facts.output)
          .add(outcome.queued_until.ns)
          .add(outcome.first_token.ns)
          .add(outcome.last_token.ns);
      bytes.add(static_cast<std::int64_t>(outcome.joules.raw)).add(outcome.replica).add(outcome.preemptions).add(outcome.generated);
      bytes.add(static_cast<int>(outcome.fate));
    }
  }
  return bytes.text();
}

void require_request(const serving::RequestRecord& record, Time end) {
  const auto& [facts, outcome] = record;
  REQUIRE(facts.input >= 1);
  REQUIRE(facts.output >= 1);
  REQUIRE(facts.arrival < end);
  REQUIRE(outcome.joules.raw >= 0);
  if (outcome.fate == serving::Fate::completed) {
    REQUIRE(outcome.generated == facts.output);
    REQUIRE(facts.arrival <= outcome.queued_until);
    REQUIRE(outcome.queued_until < outcome.first_token);
    REQUIRE(outcome.first_token <= outcome.last_token);
    REQUIRE(outcome.last_token <= end);
    REQUIRE(outcome.joules.raw > 0);
  } else {
    REQUIRE(outcome.generated < facts.output);
    if (outcome.fate == serving::Fate::rejected_over_context) REQUIRE((outcome.replica == -1 && outcome.joules.raw == 0 && outcome.generated == 0));
  }
}

/// Requests and tokens are conserved, and attributed joules are the active ones.
void require_conserved(const scenario::Scenario& scenario, const Result& result) {
  const Time end{span_from_seconds(result.horizon_s).ns};
  std::uint64_t generated = 0, given = 0;
  for (std::size_t t = 0; t < result.traffics.size(); ++t) {
    const scenario::TrafficResult& traffic = result.traffics[t];
    REQUIRE(traffic.arrived == traffic.completed + traffic.rejected + traffic.unfinished);
    REQUIRE(traffic.arrived == result.requests[t].second->size());
    if (scenario.at_end == scenario::AtEnd::drain) REQUIRE(traffic.unfinished == 0);
    generated += traffic.output_tokens;
    for (std::uint32_t i = 0; i < traffic.arrived; ++i) require_request((*result.requests[t].second)[i], end);
  }
  for (const scenario::PoolResult& pool : result.pools) {
    given += pool.output_tokens;
    REQUIRE(pool.busy >= 0);
    REQUIRE(pool.busy <= 1);
    REQUIRE(pool.kv_usage >= 0);
    REQUIRE(pool.kv_usage <= 1);
  }
  REQUIRE(generated == given);
  REQUIRE(result.audit.attributed_share <= 1 + 1e-9);  // active joules are rounded down to whole nanojoules a device
  if (scenario.at_end == scenario::AtEnd::drain) REQUIRE(result.audit.attributed_share > 1 - 1e-6);
  REQUIRE(result.energy.joules[0] <= result.energy.joules[1]);
  REQUIRE(result.energy.joules[3] == Approx(result.energy.joules[2] * scenario.sites.front().pue).epsilon(1e-12));
}

Result run(const scenario::Scenario& scenario, engine::Grouping grouping, int threads, bool steps) {
  scenario::RunOptions options;
  options.grouping = grouping;
  options.grouping_seed = 5;
  options.threads = threads;
  options.step_mode = steps;
  options.fingerprints = true;
  options.keep_requests = true;
  return scenario::simulate(scenario, options);
}

}  // namespace

TEST_CASE("Drawn scenarios conserve requests, tokens and joules, and give the same bits however they are run") {
  const std::uint64_t first = from_environment("JOULECAST_FIRST_SEED", 1);
  const std::uint64_t count = from_environment("JOULECAST_SEEDS", 40);
  std::uint64_t completed = 0, rejected = 0, truncated = 0, unfinished = 0, preemptions = 0;
  int unused = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = random_scenario(seed);
    INFO("seed " << seed << "\n" << text);
    const scenario::Scenario scenario = load(text);
    const Result one = run(scenario, engine::Grouping::derived, 1, false);
    require_conserved(scenario, one);
    const std::string all_numbers = numbers(one), summary = report::summary_json(one);
    for (const auto grouping : {engine::Grouping::derived, engine::Grouping::one_cell, engine::Grouping::shuffled}) {
      for (const int threads : {1, 2}) {
        // Every pair of settings comes up in every three seeds, all of them in six.
        const bool steps = (seed + static_cast<std::uint64_t>(grouping) + static_cast<std::uint64_t>(threads)) % 2 == 0;
        INFO("grouping " << static_cast<int>(grouping) << ", threads " << threads << ", step mode " << steps);
        const Result other = run(scenario, grouping, threads, steps);
        REQUIRE(other.fingerprint == one.fingerprint);
        REQUIRE(report::summary_json(other) == summary);
        REQUIRE((numbers(other) == all_numbers));
      }
    }
    const scenario::Scenario again = load(scenario::resolved_toml(scenario));
    REQUIRE(report::summary_json(run(again, engine::Grouping::derived, 1, false)) == summary);
    REQUIRE(scenario::resolved_toml(again) == scenario::resolved_toml(scenario));
    const report::Totals totals = report::totals(one);
    completed += totals.completed;
    rejected += totals.rejected;
    truncated += totals.truncated;
    unfinished += totals.unfinished;
    for (const auto& pool : one.pools) preemptions += pool.preemptions;
    unused += one.no_pool_gpus;
  }
  // The scenarios do what they are for.
  CHECK(completed > 20 * count);
  CHECK(rejected > count);
  CHECK(truncated > count);
  CHECK(unfinished > count);
  CHECK(preemptions > count);
  CHECK(unused > 0);
  if (count > 40) {
    WARN(completed << " completed, " << rejected << " rejected, " << truncated << " truncated, " << unfinished << " unfinished, " << preemptions
                   << " preemptions");
  }
}

TEST_CASE("A spoiled scenario is refused with place and remedy, or is one that reads back") {
  const std::uint64_t first = from_environment("JOULECAST_FIRST_SEED", 1);
  const std::uint64_t count = from_environment("JOULECAST_SEEDS", 300);
  std::uint64_t refused = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = spoiled_scenario(seed);
    INFO("seed " << seed << "\n" << text);
    try {
      const scenario::Scenario scenario = load(text);
      const std::string resolved = scenario::resolved_toml(scenario);
      REQUIRE(scenario::resolved_toml(load(resolved)) == resolved);
    } catch (const UserError& error) {
      ++refused;
      REQUIRE_FALSE(error.faults().empty());
      for (const UserFault& fault : error.faults()) {
        REQUIRE_FALSE(fault.what.empty());
        REQUIRE_FALSE(fault.remedy.empty());
      }
    }
  }
  CHECK(refused > count / 2);
  CHECK(refused < count);
}
