#include "report/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/csv.hpp"
#include "report/summary_training.hpp"
#include "report/totals.hpp"
#include "report/uncertainty_json.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;
using metering::Boundary;
using metering::kBoundaries;
using metering::PerBoundary;
using metering::PowerStatistics;

constexpr int kSchema = 1;

struct Statistic {
  const char* key;
  double PowerStatistics::*value;
};
constexpr Statistic kPower[] = {{"mean", &PowerStatistics::mean},         {"p50", &PowerStatistics::p50},
                                {"p99_60s", &PowerStatistics::p99_60s},   {"peak_1s", &PowerStatistics::peak_1s},
                                {"peak_60s", &PowerStatistics::peak_60s}, {"peak_900s", &PowerStatistics::peak_900s}};

void put(Json& object, const char* key, double value) {
  if (std::isfinite(value)) object[key] = value;
}
void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value) put(object, key, *value);
}
void put(Json& object, const char* key, const scenario::Distribution& seconds) {
  Json part = Json::object();
  put(part, "mean", seconds.mean);
  put(part, "p50", seconds.p50);
  put(part, "p90", seconds.p90);
  put(part, "p99", seconds.p99);
  if (!part.empty()) object[key] = std::move(part);
}
void put_part(Json& object, const char* key, Json part) {
  if (!part.empty()) object[key] = std::move(part);
}

/// A figure, or its interval where `relative` is given.
void put_figure(Json& object, const char* key, double value, const double* relative) {
  if (!std::isfinite(value)) return;
  if (relative == nullptr) {
    object[key] = value;
  } else if (std::isfinite(*relative)) {
    object[key] = Json::array({value * (1 - *relative), value * (1 + *relative)});
  }
}

const char* key_of(std::size_t boundary) { return metering::name(static_cast<Boundary>(boundary)).data(); }
const double* relative_of(const PerBoundary<double>* spread, std::size_t boundary) { return spread == nullptr ? nullptr : &(*spread)[boundary]; }

Json boundaries(const PerBoundary<double>& values, double divisor, const PerBoundary<double>* spread) {
  Json object = Json::object();
  for (std::size_t b = 0; b < kBoundaries; ++b) put_figure(object, key_of(b), values[b] / divisor, relative_of(spread, b));
  return object;
}

Json power(const PerBoundary<PowerStatistics>& statistics, const PerBoundary<double>* spread) {
  Json object = Json::object();
  for (std::size_t b = 0; b < kBoundaries; ++b) {
    Json part = Json::object();
    for (const auto& [key, value] : kPower) put_figure(part, key, statistics[b].*value, relative_of(spread, b));
    put_part(object, key_of(b), std::move(part));
  }
  return object;
}

/// Energy, power, energy a token and a request: values, or their intervals.
void put_energy(Json& object, const scenario::Result& result, const PerBoundary<double>* spread) {
  const Totals sum = totals(result);
  put_part(object, "energy_joules", boundaries(result.energy.joules, 1, spread));
  if (spread == nullptr) {
    Json states = Json::object();
    for (std::size_t s = 0; s < metering::kStates; ++s) {
      states[std::string(metering::name(static_cast<metering::State>(s)))] = static_cast<double>(result.energy.state_nanojoules[s]) / 1e9;
    }
    object["gpu_energy_by_state_joules"] = std::move(states);
  }
  put_part(object, "power_watts", power(result.energy.power, spread));
  if (sum.output_tokens > 0) {
    put_part(object, "energy_per_output_token_joules", boundaries(result.energy.joules, static_cast<double>(sum.output_tokens), spread));
  }
  if (sum.completed > 0) put_part(object, "energy_per_request_joules", boundaries(result.energy.joules, static_cast<double>(sum.completed), spread));
}

Json shares(const std::map<std::string, double>& by_provenance) {
  Json object = Json::object();
  for (int p = 0; p < kProvenances; ++p) {
    const auto at = by_provenance.find(std::string(name(static_cast<Provenance>(p))));
    if (at != by_provenance.end()) put(object, at->first.c_str(), at->second);
  }
  return object;
}

Json cost(const scenario::Cost& cost) {
  Json object = Json::object();
  object["currency"] = cost.currency;
  put(object, "energy", cost.energy);
  put(object, "demand", cost.demand);
  put(object, "rental", cost.rental);
  put(object, "capital", cost.capital);
  put(object, "total", cost.total);
  Json per_million = Json::object();
  put(per_million, "input", cost.per_million_input);
  put(per_million, "output", cost.per_million_output);
  put_part(object, "per_million", std::move(per_million));
  return object;
}

Json site(const scenario::SiteResult& site) {
  Json object = Json::object();
  object["clusters"] = site.clusters;
  put_part(object, "energy_joules", boundaries(site.joules, 1, nullptr));
  Json money = Json::object();
  put(money, "energy", site.energy_cost);
  put(money, "demand", site.demand_cost);
  put_part(object, "cost", std::move(money));
  put(object, "carbon_grams", site.carbon_grams);
  return object;
}

Json feed(const scenario::FeedResult& feed) {
  Json object = Json::object();
  object["site"] = feed.site;
  put(object, "rating_watts", feed.rating_watts);
  put(object, "usable_watts", feed.usable_watts);
  put(object, "mean_watts", feed.load.mean);
  put(object, "peak_900s_watts", feed.load.peak_900s);
  put(object, "window_s", feed.window_s);
  put(object, "peak_window_watts", feed.load.peak_window);
  put(object, "over_usable_s", feed.load.over_usable_s);
  put(object, "excess_joules", feed.load.excess_joules);
  return object;
}

Json traffic(const scenario::TrafficResult& traffic) {
  Json object = Json::object();
  object["arrived"] = traffic.arrived;
  object["completed"] = traffic.completed;
  object["over_context"] = traffic.over_context;
  object["rejected"] = traffic.rejected;
  object["unfinished"] = traffic.unfinished;
  object["input_tokens"] = traffic.input_tokens;
  object["output_tokens"] = traffic.output_tokens;
  put(object, "output_tokens_per_s", traffic.output_tokens_per_s);
  put(object, "slo_attainment", traffic.slo_attainment);
  object["stable"] = !traffic.overload.has_value();
  if (traffic.overload) object["sustained_requests_per_s"] = traffic.overload->sustained_requests_per_s;
  put(object, "accuracy", traffic.accuracy);
  put(object, "ttft_s", traffic.ttft_s);
  put(object, "tpot_s", traffic.tpot_s);
  put(object, "itl_s", traffic.itl_s);
  put(object, "e2e_s", traffic.e2e_s);
  put(object, "queue_s", traffic.queue_s);
  if (traffic.prefill_s) put(object, "prefill_s", *traffic.prefill_s);
  if (traffic.kv_transfer_s) put(object, "kv_transfer_s", *traffic.kv_transfer_s);
  return object;
}

Json pool(const scenario::Result& result, const scenario::PoolResult& pool) {
  Json object = Json::object();
  object["gpus"] = pool.gpus;
  if (!pool.role.empty()) object["role"] = pool.role;
  if (pool.steps > 0) put(object, "mean_batch", pool.mean_batch);
  put(object, "busy", pool.busy);
  put(object, "kv_usage", pool.kv_usage);
  object["preemptions"] = pool.preemptions;
  put(object, "prefix_hit_rate", pool.prefix_hit_rate);
  if (const auto* account = account_of(result, pool.name)) put_part(object, "energy_joules", boundaries(account->joules, 1, nullptr));
  put(object, "tokens_per_verification", pool.tokens_per_verification);
  put(object, "kv_transferred_bytes", pool.kv_transferred_bytes);
  put(object, "belief_over_simulated", pool.belief_over_simulated);
  put(object, "belief_median_error", pool.belief_median_error);
  put(object, "accuracy", pool.accuracy);
  return object;
}

Json summary(const scenario::Result& result, const study::Uncertainty* known) {
  Json object = Json::object();
  object["schema"] = kSchema;
  object["name"] = result.name;
  object["seed"] = result.seed;
  if (result.partial) object["partial"] = true;
  put(object, "horizon_s", result.horizon_s);
  put(object, "warmup_s", result.warmup_s);
  put_energy(object, result, nullptr);
  if (known != nullptr) {
    put_part(object, "interval80", drawn_intervals(*known));
  } else if (result.spread) {
    Json interval = Json::object();
    put_energy(interval, result, &result.spread->relative);
    put_part(object, "interval80", std::move(interval));
  }
  Json coverage = Json::object();
  put_part(coverage, "energy", shares(result.energy_coverage));
  put_part(coverage, "time", shares(result.time_coverage));
  put_part(object, "coverage", std::move(coverage));
  if (!result.start.empty()) object["start"] = result.start;
  if (result.cost) object["cost"] = cost(*result.cost);
  put(object, "carbon_grams", result.carbon_grams);
  Json sites = Json::object(), feeds = Json::object();
  for (const auto& each : result.sites) sites[each.name] = site(each);
  for (const auto& each : result.feeds) feeds[each.name] = feed(each);
  put_part(object, "site", std::move(sites));
  put_part(object, "feed", std::move(feeds));
  Json traffics = Json::object(), pools = Json::object();
  for (const auto& each : result.traffics) traffics[each.name] = traffic(each);
  for (const auto& each : result.pools) pools[each.name] = pool(result, each);
  put_part(object, "traffic", std::move(traffics));
  put_part(object, "pool", std::move(pools));
  put_part(object, "training", training_summary(result));
  if (result.no_pool_gpus > 0) {
    Json rest = Json::object();
    rest["gpus"] = result.no_pool_gpus;
    if (const auto* account = account_of(result, kNoPool)) put_part(rest, "energy_joules", boundaries(account->joules, 1, nullptr));
    object["no_pool"] = std::move(rest);
  }
  return object;
}

std::string text(const Json& value, int indent) { return value.dump(indent, ' ', false, Json::error_handler_t::replace); }

void add_csv_cell(std::string& row, const std::string& cell) {
  if (!row.empty()) row += ',';
  row += csv_cell(cell);
}

void flatten(const Json& value, const std::string& key, std::string& keys, std::string& values) {
  if (value.is_object()) {
    for (const auto& [name, part] : value.items()) flatten(part, key.empty() ? name : key + "." + name, keys, values);
  } else if (value.is_array() && (value.size() != 2 || !value.at(0).is_number())) {
    std::string list;
    for (const Json& part : value) list += (list.empty() ? "" : " ") + (part.is_string() ? part.get<std::string>() : text(part, -1));
    add_csv_cell(keys, key);
    add_csv_cell(values, list);
  } else if (value.is_array()) {
    flatten(value.at(0), key + ".low", keys, values);
    flatten(value.at(1), key + ".high", keys, values);
  } else {
    add_csv_cell(keys, key);
    add_csv_cell(values, value.is_string() ? value.get<std::string>() : text(value, -1));
  }
}

}  // namespace

std::string summary_json(const scenario::Result& result, const study::Uncertainty* known) {
  Json object = summary(result, known);
  if (known != nullptr) object["uncertainty"] = uncertainty_json(*known);
  return text(object, 2) + "\n";
}

std::string summary_csv(const scenario::Result& result, const study::Uncertainty* known) {
  std::string keys, values;
  flatten(summary(result, known), "", keys, values);
  return keys + "\n" + values + "\n";
}

}  // namespace joulecast::report
