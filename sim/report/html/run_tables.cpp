#include "report/html/run_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

constexpr const char* kBoundaryKeys[] = {"gpu", "chassis_ac", "it", "facility"};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double number(const Json& object, const std::string& key) {
  return object.is_object() && object.contains(key) && object[key].is_number() ? object[key].get<double>() : kNone;
}
const Json& part(const Json& object, const std::string& key) {
  static const Json none = Json::object();
  return object.is_object() && object.contains(key) ? object[key] : none;
}
std::string count(const Json& object, const char* key) {
  return object.contains(key) ? with_separators(object[key].get<std::uint64_t>()) : std::string(kUnknown);
}

/// "± 12 %" from an interval [low, high] around a value.
std::string half_width(const Json& interval, double value) {
  if (!interval.is_array() || interval.size() != 2 || !(value > 0)) return std::string(kUnknown);
  const double share = (interval[1].get<double>() - interval[0].get<double>()) / (2 * value);
  return fmt::format("± {:.{}f} %", 100 * share, share < 0.0995 ? 1 : 0);
}

/// How many digits an interval [low, high] leaves a figure.
int digits_by(const Json& interval, double value) {
  return interval.is_array() && interval.size() == 2 ? digits_of(value, interval[0].get<double>(), interval[1].get<double>()) : 3;
}
int energy_digits(const Json& summary) {
  return digits_by(part(part(part(summary, "interval80"), "energy_joules"), "facility"), number(part(summary, "energy_joules"), "facility"));
}

void energy_row(FigureTable& table, const std::string& what, UnitFamily family, const Json& values, const Json& intervals,
                const char* key = nullptr) {
  std::vector<std::string> row{what};
  double last = kNone;
  Json interval;
  bool any = false;
  for (const char* boundary : kBoundaryKeys) {
    const Json& at = key == nullptr ? values : part(values, boundary);
    last = number(at, key == nullptr ? boundary : key);
    any = any || std::isfinite(last);
    const Json& there = key == nullptr ? intervals : part(intervals, boundary);
    interval = part(there, key == nullptr ? boundary : key);
    row.push_back(scaled(family, last, digits_by(interval, last)));
  }
  row.push_back(half_width(interval, last));
  if (any) table.rows.push_back(std::move(row));
}

FigureTable energy(const Json& summary) {
  FigureTable table{"Energy and power", {"", "GPUs", "Chassis AC", "IT", "Facility", "80 % interval"}, {}};
  const Json& interval = part(summary, "interval80");
  energy_row(table, "Energy", watt_hours(), part(summary, "energy_joules"), part(interval, "energy_joules"));
  const Json &power = part(summary, "power_watts"), &power_interval = part(interval, "power_watts");
  energy_row(table, "Mean power", watts(), power, power_interval, "mean");
  energy_row(table, "Peak of 1 min", watts(), power, power_interval, "peak_60s");
  energy_row(table, "Peak of 15 min", watts(), power, power_interval, "peak_900s");
  energy_row(table, "Per output token", joules(), part(summary, "energy_per_output_token_joules"), part(interval, "energy_per_output_token_joules"));
  energy_row(table, "Per request", joules(), part(summary, "energy_per_request_joules"), part(interval, "energy_per_request_joules"));
  return table;
}

FigureTable requests(const Json& traffics) {
  FigureTable table{"Requests", {"Traffic", "Arrived", "Completed", "Tokens in", "Tokens out", "Tokens out/s", "Within SLO"}, {}};
  for (const auto& [name, each] : traffics.items()) {
    table.rows.push_back({name, count(each, "arrived"), count(each, "completed"), count(each, "input_tokens"), count(each, "output_tokens"),
                          three_digits(number(each, "output_tokens_per_s")), percent(number(each, "slo_attainment"))});
  }
  return table;
}

FigureTable latency(const Json& traffics) {
  FigureTable table{"Latency", {"", "Mean", "p50", "p90", "p99"}, {}};
  constexpr std::pair<const char*, const char*> kinds[] = {
      {"ttft_s", "time to first token"}, {"tpot_s", "time per output token"}, {"e2e_s", "end to end"}, {"queue_s", "in the queue"}};
  for (const auto& [name, each] : traffics.items()) {
    for (const auto& [key, words] : kinds) {
      if (!each.contains(key)) continue;
      const Json& seconds_of = each[key];
      std::vector<std::string> row{traffics.size() == 1 ? std::string(words) : fmt::format("{}: {}", name, words)};
      for (const char* statistic : {"mean", "p50", "p90", "p99"}) row.push_back(scaled(seconds(), number(seconds_of, statistic)));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

FigureTable pools(const Json& all, int digits) {
  FigureTable table{"Pools", {"Pool", "GPUs", "Mean batch", "Busy", "KV used", "Preemptions", "Facility energy"}, {}};
  for (const auto& [name, each] : all.items()) {
    table.rows.push_back({name, count(each, "gpus"), three_digits(number(each, "mean_batch")), percent(number(each, "busy")),
                          percent(number(each, "kv_usage")), count(each, "preemptions"),
                          scaled(watt_hours(), number(part(each, "energy_joules"), "facility"), digits)});
  }
  return table;
}

FigureTable training(const Json& jobs) {
  FigureTable table{"Training", {"Job", "GPUs", "Iteration", "GPU energy of one", "Tokens/s", "MFU", "Energy saved", "Slower by"}, {}};
  for (const auto& [name, each] : jobs.items()) {
    const Json& charged = part(part(each, "clock_plan"), "charged");
    table.rows.push_back({name, count(each, "gpus"), scaled(seconds(), number(each, "iteration_s")),
                          scaled(joules(), number(each, "iteration_joules")), three_digits(number(each, "tokens_per_s")),
                          percent(number(each, "mfu")), percent(number(charged, "saving")), percent(number(charged, "slowdown"))});
  }
  table.note = "Saved and slower: against the highest clocks, with switches charged.";
  return table;
}

FigureTable feeds(const Json& all) {
  FigureTable table{"Feeds", {"Feed", "Usable", "Mean", "Peak of 15 min", "Over its limit for"}, {}};
  for (const auto& [name, each] : all.items()) {
    table.rows.push_back({name, scaled(watts(), number(each, "usable_watts")), scaled(watts(), number(each, "mean_watts")),
                          scaled(watts(), number(each, "peak_900s_watts")),
                          number(each, "over_usable_s") > 0 ? length_of_time(number(each, "over_usable_s")) : std::string("never")});
  }
  return table;
}

FigureTable money(const Json& summary) {
  FigureTable table{"Cost and carbon", {"", "Of the run"}, {}};
  const Json& cost = part(summary, "cost");
  const std::string currency = cost.value("currency", "");
  const int of_energy = energy_digits(summary);
  // Most of it is not energy where hardware is paid for.
  const int digits = cost.contains("rental") || cost.contains("capital") ? 3 : of_energy;
  constexpr std::pair<const char*, const char*> kinds[] = {
      {"energy", "Energy"}, {"demand", "Demand charge"}, {"rental", "Rental"}, {"capital", "Capital"}, {"total", "Total"}};
  for (const auto& [key, words] : kinds) {
    if (cost.contains(key)) table.rows.push_back({words, fmt::format("{} {}", significant(number(cost, key), digits), currency)});
  }
  for (const char* key : {"input", "output"}) {
    const double value = number(part(cost, "per_million"), key);
    if (std::isfinite(value))
      table.rows.push_back({fmt::format("Per million {} tokens", key), fmt::format("{} {}", significant(value, digits), currency)});
  }
  if (summary.contains("carbon_grams")) table.rows.push_back({"CO2e of the energy", scaled(grams(), number(summary, "carbon_grams"), of_energy)});
  return table;
}

}  // namespace

std::vector<FigureTable> run_tables(const Json& summary) {
  std::vector<FigureTable> tables{energy(summary)};
  const auto add = [&](FigureTable table) {
    if (!table.rows.empty()) tables.push_back(std::move(table));
  };
  add(requests(part(summary, "traffic")));
  add(latency(part(summary, "traffic")));
  add(pools(part(summary, "pool"), energy_digits(summary)));
  add(training(part(summary, "training")));
  add(feeds(part(summary, "feed")));
  add(money(summary));
  return tables;
}

}  // namespace joulecast::report
