#include "report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "report/numbers.hpp"
#include "report/terminal_grid.hpp"
#include "report/terminal_training.hpp"
#include "report/totals.hpp"
#include "report/uncertainty_terminal.hpp"

namespace joulecast::report {

namespace {

using metering::Boundary;
using metering::kBoundaries;
using metering::PerBoundary;
using metering::PowerStatistics;
using scenario::Result;

constexpr auto kGpu = static_cast<std::size_t>(Boundary::gpu);
constexpr auto kFacility = static_cast<std::size_t>(Boundary::facility);
constexpr std::size_t kBarWidth = 40;
constexpr std::size_t kColumns = 100;

Cell dim(std::string text) { return {std::move(text), Ink::dim, true}; }
Cell heading(std::string text) { return {std::move(text), Ink::heading, true}; }
Cell title(std::string text) { return words(std::move(text), Ink::heading); }

std::string tokens_and_requests(const Result& result, const Style& style) {
  const Totals sum = totals(result);
  std::string line = inked(style, Ink::heading, "Requests") +
                     fmt::format("  {} arrived, {} completed", with_separators(sum.arrived), with_separators(sum.completed));
  std::vector<std::pair<std::uint64_t, const char*>> rest{{sum.unfinished, "unfinished"}, {sum.rejected, "rejected"}, {sum.truncated, "truncated"}};
  for (const auto& [count, what] : rest) {
    if (count > 0) line += ", " + inked(style, Ink::warn, fmt::format("{} {}", with_separators(count), what));
  }
  line += fmt::format(" · {} tokens in, {} out", with_separators(sum.input_tokens), with_separators(sum.output_tokens));
  const std::string audit = result.audit.exact ? inked(style, Ink::good, "exact") : inked(style, Ink::bad, "FAILED");
  line += fmt::format("\n{}     {}: states = bins = classes = devices", inked(style, Ink::heading, "Audit"), audit);
  if (result.audit.attributed_share > 0) line += fmt::format(" · {} of the active joules are a request's", percent(result.audit.attributed_share));
  return line + "\n";
}

/// Half of a figure's 80 % interval over it: of the draws where there are any, else of the first order; NaN where it is not known.
double relative_half_width(const Result& result, const study::Uncertainty* known, const std::string& key) {
  if (known != nullptr) {
    const study::UncertainFigure* figure = known->find(key);
    if (figure == nullptr || !figure->interval || figure->stated == 0) return std::nan("");
    return (figure->interval->high - figure->interval->low) / (2 * std::abs(figure->stated));
  }
  return result.spread ? result.spread->relative[kFacility] : std::nan("");
}

std::string spread_text(double relative) {
  return std::isfinite(relative) ? fmt::format("± {:.{}f} %", 100 * relative, relative < 0.0995 ? 1 : 0) : std::string(kUnknown);
}

/// One row: the four values in the unit of the smallest of them, with the digits that their interval leaves them.
void add_quantity(Table& table, double relative, const std::string& what, UnitFamily family, const char* per, const PerBoundary<double>& values) {
  const double smallest = *std::min_element(values.begin(), values.end());
  const Unit unit = unit_for(family, std::isfinite(smallest) ? smallest : family.front().size);
  std::vector<Cell> cells{words("  " + what), words(std::string(unit.name) + per, Ink::dim)};
  for (const double value : values) cells.push_back({significant(value / unit.size, digits_of(relative))});
  cells.push_back(dim(std::isfinite(values[kFacility]) ? spread_text(relative) : std::string(kUnknown)));
  table.row(std::move(cells));
}

std::string energy(const Result& result, const study::Uncertainty* known, const Style& style) {
  const Totals sum = totals(result);
  const auto& joules_at = result.energy.joules;
  const auto power = [&](double PowerStatistics::*value) {
    PerBoundary<double> values{};
    for (std::size_t b = 0; b < kBoundaries; ++b) values[b] = result.energy.power[b].*value;
    return values;
  };
  const auto per = [&](std::uint64_t count) {
    PerBoundary<double> values{};
    for (std::size_t b = 0; b < kBoundaries; ++b) values[b] = count > 0 ? joules_at[b] / static_cast<double>(count) : std::nan("");
    return values;
  };
  const auto sure = [&](const char* key) { return relative_half_width(result, known, key); };
  Table table;
  table.row({title("Energy"), words(""), heading("GPU"), heading("chassis AC"), heading("IT"), heading("facility"), heading("80 %")});
  add_quantity(table, sure("energy_joules.facility"), "energy", watt_hours(), "", joules_at);
  add_quantity(table, sure("power_watts.facility.mean"), "power, mean", watts(), "", power(&PowerStatistics::mean));
  add_quantity(table, sure("power_watts.facility.p99_60s"), "power, p99 of 1 min", watts(), "", power(&PowerStatistics::p99_60s));
  add_quantity(table, sure("power_watts.facility.peak_900s"), "power, peak 15 min", watts(), "", power(&PowerStatistics::peak_900s));
  add_quantity(table, sure("power_watts.facility.peak_1s"), "power, peak 1 s", watts(), "", power(&PowerStatistics::peak_1s));
  if (sum.output_tokens > 0)
    add_quantity(table, sure("energy_per_output_token_joules.facility"), "per output token", joules(), "", per(sum.output_tokens));
  if (sum.completed > 0) add_quantity(table, sure("energy_per_request_joules.facility"), "per request", joules(), "", per(sum.completed));
  return table.text(style);
}

/// Digits that the interval of the facility's energy leaves what is a part of it, or in proportion to it.
int energy_digits(const Result& result, const study::Uncertainty* known) {
  return digits_of(relative_half_width(result, known, "energy_joules.facility"));
}

std::string states(const Result& result, int digits, const Style& style) {
  double total = 0;
  for (const auto nanojoules : result.energy.state_nanojoules) total += static_cast<double>(nanojoules) / 1e9;
  if (total <= 0) return {};
  const Unit unit = unit_for(watt_hours(), total);
  Table table;
  table.row({title("GPU energy by state"), heading(std::string(unit.name)), heading("share")});
  constexpr std::array<const char*, metering::kStates> names{"bare idle", "context idle", "spin wait", "active"};
  for (std::size_t s = metering::kStates; s-- > 0;) {
    const double value = static_cast<double>(result.energy.state_nanojoules[s]) / 1e9;
    if (value <= 1e-9 * total) continue;  // what is left of the last nanosecond is no state worth a line
    std::string bar;
    const auto length = static_cast<std::size_t>(std::lround(value / total * static_cast<double>(kBarWidth)));
    for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) bar += "█";
    table.row({words(std::string("  ") + names[s]),
               {significant(value / unit.size, digits)},
               {percent(value / total)},
               words(bar, s == 3 ? Ink::good : Ink::dim)});
  }
  return table.text(style);
}

Cell attainment(const scenario::TrafficResult& traffic) {
  if (!traffic.slo_attainment) return dim(std::string(kUnknown));
  if (!traffic.slo_target) return {percent(*traffic.slo_attainment)};
  return {percent(*traffic.slo_attainment), *traffic.slo_attainment >= *traffic.slo_target ? Ink::good : Ink::bad};
}

std::string traffics(const Result& result, const Style& style) {
  if (result.traffics.empty()) return {};
  Table table;
  table.row({title("Traffic"), heading("completed"), heading("tokens/s"), heading("within SLO"), heading("TTFT p50"), heading("p99"),
             heading("TPOT p50"), heading("p99"), heading("E2E p50"), heading("p99")});
  for (const auto& traffic : result.traffics) {
    std::vector<Cell> cells{
        words("  " + traffic.name), {with_separators(traffic.completed)}, {three_digits(traffic.output_tokens_per_s)}, attainment(traffic)};
    for (const auto* distribution : {&traffic.ttft_s, &traffic.tpot_s, &traffic.e2e_s}) {
      cells.push_back({scaled(seconds(), distribution->p50)});
      cells.push_back({scaled(seconds(), distribution->p99)});
    }
    table.row(std::move(cells));
    std::vector<std::string> remarks;
    if (traffic.slo_attainment && traffic.slo_target) remarks.push_back(fmt::format("SLO asks for {}", percent(*traffic.slo_target)));
    if (traffic.accuracy) remarks.push_back(fmt::format("accuracy {} a {}", percent(*traffic.accuracy), traffic.accuracy_per));
    if (traffic.unfinished > 0) remarks.push_back(with_separators(traffic.unfinished) + " unfinished, in no percentile");
    if (traffic.over_context > 0) {
      remarks.push_back(fmt::format("{} over context: {} rejected, {} truncated", with_separators(traffic.over_context),
                                    with_separators(traffic.rejected), with_separators(traffic.truncated)));
    }
    if (traffic.prefill_s) {
      remarks.push_back(fmt::format("prompt p50 {}, then KV {} (p99 {})", scaled(seconds(), traffic.prefill_s->p50),
                                    scaled(seconds(), traffic.kv_transfer_s->p50), scaled(seconds(), traffic.kv_transfer_s->p99)));
    }
    if (!remarks.empty()) table.remark("  " + fmt::format("  {}", fmt::join(remarks, " · ")));
  }
  return table.text(style);
}

std::string last_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string pools(const Result& result, int digits, const Style& style) {
  if (result.pools.empty() && result.no_pool_gpus == 0) return {};
  const Unit unit = unit_for(watt_hours(), result.energy.joules[kFacility]);
  Table table;
  table.row({title("Pool"), heading("GPUs"), heading(fmt::format("{} facility", unit.name)), heading("batch"), heading("busy"), heading("KV"),
             heading("GPU J/token"), title("clock"), title("watts from")});
  const auto facility = [&](const std::string& pool) {
    const auto* account = account_of(result, pool);
    return account == nullptr ? std::string(kUnknown) : significant(account->joules[kFacility] / unit.size, digits);
  };
  for (const auto& pool : result.pools) {
    const auto* account = account_of(result, pool.name);
    const double per_token =
        account != nullptr && pool.output_tokens > 0 ? account->joules[kGpu] / static_cast<double>(pool.output_tokens) : std::nan("");
    table.row({words("  " + pool.name),
               {with_separators(static_cast<std::uint64_t>(pool.gpus))},
               {facility(pool.name)},
               {pool.steps > 0 ? three_digits(pool.mean_batch) : std::string(kUnknown)},
               {percent(pool.busy)},
               {percent(pool.kv_usage)},
               {significant(per_token, digits)},
               words(pool.clock),
               words(pool.watts_source)});
    std::string remark =
        fmt::format("    {} x TP{} {} on {}, {}", pool.replicas, pool.tensor_parallel_size, last_part(pool.model), pool.gpu, pool.node);
    if (pool.tokens_per_verification) remark += fmt::format(" · {} tokens a verification", three_digits(*pool.tokens_per_verification));
    if (!pool.role.empty())
      remark += fmt::format(" · {}, {:.3g} GB of KV {}", pool.role, *pool.kv_transferred_bytes * 1e-9, pool.role == "decode" ? "received" : "sent");
    if (pool.preemptions > 0) remark += fmt::format(" · {} preemptions", with_separators(pool.preemptions));
    if (pool.prefix_hit_rate) remark += fmt::format(" · prefix hits {}", percent(*pool.prefix_hit_rate));
    table.remark(std::move(remark));
    if (pool.belief_over_simulated) {
      table.remark(
          fmt::format("    joules a request believed ({}) over simulated: {}", pool.belief_source, three_digits(*pool.belief_over_simulated)));
    }
  }
  if (result.no_pool_gpus > 0) {
    const std::string none(kUnknown);
    table.row({words("  " + kNoPool),
               {with_separators(static_cast<std::uint64_t>(result.no_pool_gpus))},
               {facility(kNoPool)},
               dim(none),
               dim(none),
               dim(none),
               dim(none),
               words(none, Ink::dim),
               words("idle", Ink::dim)});
  }
  return table.text(style);
}

std::string by_provenance(const std::map<std::string, double>& shares) {
  std::string text;
  for (int p = 0; p < kProvenances; ++p) {
    const auto at = shares.find(std::string(name(static_cast<Provenance>(p))));
    if (at == shares.end() || !(at->second > 0)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", percent(at->second), at->first);
  }
  return text;
}

std::string cost_text(const scenario::Cost& cost, int digits) {
  if (cost.rental || cost.capital) digits = 3;  // most of it is not energy
  std::string text;
  const std::pair<const std::optional<double>&, const char*> parts[] = {
      {cost.energy, "energy"}, {cost.demand, "demand"}, {cost.rental, "rental"}, {cost.capital, "capital"}};
  for (const auto& [value, what] : parts) {
    if (value) text += fmt::format("{}{} {}", text.empty() ? "" : " + ", significant(*value, digits), what);
  }
  text = fmt::format("{} {}{}", significant(cost.total, digits), cost.currency, text.empty() ? "" : " = " + text);
  if (cost.per_million_input && cost.per_million_output) {
    text += fmt::format(" · a million tokens: {} in, {} out", significant(*cost.per_million_input, digits),
                        significant(*cost.per_million_output, digits));
  }
  return text;
}

std::string how_sure(const Result& result, const study::Uncertainty* known, const Style& style) {
  const int digits = energy_digits(result, known);
  Table table;
  if (result.cost) table.row({title("Cost"), words(cost_text(*result.cost, digits))});
  if (result.carbon_grams) table.row({title("Carbon"), words(scaled(grams(), *result.carbon_grams, digits) + " CO2e")});
  const std::string energy_from = by_provenance(result.energy_coverage), time_from = by_provenance(result.time_coverage);
  if (!energy_from.empty()) table.row({title("Watts from"), words(energy_from + " (of energy)")});
  if (!time_from.empty()) table.row({title("Times from"), words(time_from + " (of time)")});
  if (known == nullptr && result.spread && !result.spread->sources.empty()) {
    const auto& [source, share] = result.spread->sources.front();
    table.row({title("Least sure"), words(fmt::format("{}: {} of the facility energy's variance", source, percent(share)))});
  }
  return table.text(style);
}

/// `text` broken at spaces into lines of at most kColumns, further lines indented.
std::string wrapped(const std::string& text, const std::string& first, const std::string& next) {
  std::string lines, line = first;
  bool empty = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && display_width(line) + 1 + display_width(word) > kColumns) {
      lines += line + "\n";
      line = next;
      empty = true;
    }
    line += (empty ? "" : " ") + word;
    empty = false;
    at = end + 1;
  }
  return lines + line + "\n";
}

std::string notes(const Result& result, const Style& style) {
  std::string text;
  for (const auto& note : result.notes) text += wrapped(note, "  - ", "    ");
  for (const auto& traffic : result.traffics) {
    for (const auto& note : traffic.notes) text += wrapped(traffic.name + ": " + note, "  - ", "    ");
  }
  return text.empty() ? text : inked(style, Ink::heading, "Notes") + "\n" + text;
}

}  // namespace

std::string terminal_report(const Result& result, const Style& style, const study::Uncertainty* known) {
  std::string head = inked(style, Ink::heading, result.name) + fmt::format(" · {} · seed {}", length_of_time(result.horizon_s), result.seed);
  if (!result.start.empty()) head += " · from " + result.start;
  if (result.warmup_s > 0) head += fmt::format(" · {} of warm-up left out of latency and power", length_of_time(result.warmup_s));
  if (result.partial)
    head += "\n" + inked(style, Ink::warn, fmt::format("INTERRUPTED: only the first {} of simulated time", length_of_time(result.horizon_s)));
  const int digits = energy_digits(result, known);
  std::string text = head + "\n" + (result.traffics.empty() ? "" : tokens_and_requests(result, style));
  for (const std::string& part :
       {energy(result, known, style), states(result, digits, style), feed_rows(result, digits, style), traffics(result, style),
        pools(result, digits, style), training_rows(result, digits, style), site_rows(result, digits, style), how_sure(result, known, style),
        known != nullptr ? uncertainty_report(*known, style) : "", notes(result, style)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

}  // namespace joulecast::report
