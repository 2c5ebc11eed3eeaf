#include "report/plan_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;
constexpr const char* kSplit = "cost of the whole fleet by attributed joules of prompt and generated tokens";

const char* minimise(scenario::Minimise minimise) {
  constexpr const char* names[] = {"cost", "energy", "gpus"};
  return names[static_cast<int>(minimise)];
}

void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

Json per_boundary(const metering::PerBoundary<double>& values) {
  Json object = Json::object();
  for (std::size_t b = 0; b < metering::kBoundaries; ++b) {
    if (std::isfinite(values[b])) object[std::string(metering::name(static_cast<metering::Boundary>(b)))] = values[b];
  }
  return object;
}

Json tail(const study::TailJudgement& tail) {
  Json object = {{"held", tail.held()},      {"judged", tail.judged},     {"misses", tail.misses},  {"allowed_misses", tail.allowed},
                 {"attainment", tail.share}, {"required", tail.required}, {"margin", tail.margin()}};
  Json limits = Json::object();
  for (const study::SloLimit& each : tail.limits) {
    limits[each.name] = {{"limit_s", each.limit_s}, {"misses", each.misses}};
    put(limits[each.name], "holds_at_s", each.holds);
  }
  object["limit"] = std::move(limits);
  return object;
}

Json survivors(const study::SurvivorRun& run) {
  const study::Judgement judged = study::judgement(run.tails);
  Json object = {{"nodes", run.nodes}, {"held", judged.held}, {"margin", judged.margin}, {"traffic", Json::object()}};
  for (const auto& each : run.tails) object["traffic"][each.traffic] = tail(each);
  return object;
}

Json load(const study::HeldLoad& load) {
  Json object = {{"held", load.found.load.has_value()}};
  put(object, "scale", load.found.load);
  object["bounded"] = load.found.bounded;
  object["monotone"] = load.found.monotone;
  if (!load.fails_first.empty()) object["fails_first"] = load.fails_first;
  object["tried"] = Json::array();
  for (const auto& each : load.found.tried) {
    object["tried"].push_back({{"scale", each.load}, {"held", each.judgement.held}, {"margin", each.judgement.margin}});
  }
  return object;
}

Json cost(const study::FleetFigures& figures, const std::string& currency) {
  const study::CostRate& rate = *figures.cost;
  Json object = {{"currency", currency}};
  const auto a_month = [](const std::optional<double>& value) { return value ? std::optional(*value * study::kMonth) : std::nullopt; };
  put(object, "total_per_month", a_month(rate.total));
  put(object, "energy_per_month", a_month(rate.energy));
  put(object, "demand_per_month", a_month(rate.demand));
  put(object, "rental_per_month", a_month(rate.rental));
  put(object, "capital_per_month", a_month(rate.capital));
  put(object, "per_million_input", figures.per_million_input);
  put(object, "per_million_output", figures.per_million_output);
  if (rate.total) object["per_million_split"] = kSplit;
  return object;
}

Json figures_of(const study::PlannedFleet& fleet, const std::string& currency) {
  const study::FleetFigures& figures = *fleet.figures;
  Json object = {{"nodes", figures.nodes}, {"gpus", figures.gpus}, {"replicas", figures.replicas}};
  put(object, "peak_it_watts", figures.peak_it_watts);
  object["peak_window_s"] = figures.peak_window_s;
  object["mean_watts"] = per_boundary(figures.mean_watts);
  object["energy_per_output_token_joules"] = per_boundary(figures.joules_per_output_token);
  object["output_tokens_per_s"] = figures.output_tokens_per_s;
  if (figures.relative_half_width) object["relative_half_width80"] = per_boundary(*figures.relative_half_width);
  if (figures.cost) object["cost"] = cost(figures, currency);
  if (figures.carbon_grams_per_s) object["carbon_grams_per_month"] = *figures.carbon_grams_per_s * study::kMonth;
  put(object, "embodied_carbon_grams", figures.embodied_grams);
  if (figures.embodied_grams_per_s) object["embodied_carbon_grams_per_month"] = *figures.embodied_grams_per_s * study::kMonth;
  object["coverage"] = {{"energy", figures.energy_coverage}, {"time", figures.time_coverage}};
  object["tier"] = {{"watts", study::worst_provenance(figures.energy_coverage)}, {"time", study::worst_provenance(figures.time_coverage)}};
  return object;
}

Json candidate(const study::PlannedFleet& fleet, const study::Plan& plan) {
  Json object = {{"node", fleet.candidate.node}, {"verdict", study::name(fleet.verdict)}};
  if (!fleet.why.empty()) object["why"] = fleet.why;
  Json settings = Json::object();
  for (const auto& [key, value] : fleet.candidate.settings) settings[key] = value;
  object["settings"] = std::move(settings);
  if (!fleet.candidate.scenario) return object;
  object["gpu"] = fleet.gpu;
  object["tensor_parallel_size"] = fleet.tensor_parallel_size;
  object["gpus_per_node"] = fleet.gpus_per_node;
  object["replicas_per_node"] = fleet.replicas_per_node;
  if (!fleet.candidate.cost_source.empty()) object["cost_source"] = fleet.candidate.cost_source;
  if (!fleet.candidate.embodied_source.empty()) object["embodied_source"] = fleet.candidate.embodied_source;
  if (fleet.bounds) {
    Json bounds = {{"least_tpot_s", fleet.bounds->step_s}, {"least_ttft_s", fleet.bounds->prompt_s}};
    if (fleet.bounds->node_requests_per_s > 0) bounds["sustainable_requests_per_s_per_node"] = fleet.bounds->node_requests_per_s;
    if (fleet.bounds->keeping_up_nodes) bounds["keeping_up_nodes"] = *fleet.bounds->keeping_up_nodes;
    object["bounds"] = std::move(bounds);
  }
  object["tried"] = Json::array();
  for (const auto& each : fleet.found.tried) {
    object["tried"].push_back({{"nodes", each.nodes}, {"held", each.judgement.held}, {"margin", each.judgement.margin}});
  }
  object["monotone"] = fleet.found.monotone;
  if (fleet.figures) object["fleet"] = figures_of(fleet, plan.currency);
  if (fleet.grown_peak_it_watts) object["grown_peak_it_watts"] = *fleet.grown_peak_it_watts;
  if (fleet.survivors) object["survivors"] = survivors(*fleet.survivors);
  if (fleet.one_fewer) object["one_node_fewer"] = survivors(*fleet.one_fewer);
  if (fleet.load) object["load"] = load(*fleet.load);
  if (fleet.holds()) object["scenario"] = "plans/" + fleet.candidate.name + ".toml";
  return object;
}

Json limits(const scenario::PlanLimits& limits) {
  Json object = Json::object();
  if (limits.power) object["it_power_watts"] = limits.power->si();
  if (limits.nodes) object["nodes"] = *limits.nodes;
  if (limits.gpus) object["gpus"] = *limits.gpus;
  if (limits.cost) {
    object["cost_per_month"] = limits.cost->amount.si() * study::kMonth;
    object["cost_currency"] = limits.cost->currency;
  }
  if (limits.carbon) object["carbon_grams_per_month"] = limits.carbon->si();
  return object;
}

Json turn(const study::Turn& turn) {
  Json object = {{"input", turn.input}, {"unit", turn.unit}};
  put(object, "now", turn.now);
  object["at"] = turn.at;
  if (!turn.to.empty()) object["to"] = turn.to;
  object["what"] = turn.what;
  object["simulated"] = turn.simulated;
  return object;
}

std::string cell(const std::optional<double>& value) { return value && std::isfinite(*value) ? fmt::format("{}", *value) : ""; }

std::string line(const study::Plan& plan, const study::PlannedFleet& fleet) {
  std::string text = fmt::format("{},{},{},{},{}", fleet.candidate.name, csv_cell(fleet.candidate.node), csv_cell(fleet.gpu),
                                 fleet.tensor_parallel_size > 0 ? fmt::to_string(fleet.tensor_parallel_size) : "", study::name(fleet.verdict));
  if (fleet.figures) {
    const study::FleetFigures& f = *fleet.figures;
    const auto month = [](const std::optional<double>& value) { return cell(value ? std::optional(*value * study::kMonth) : std::nullopt); };
    text +=
        fmt::format(",{},{},{},{},{:g},{},{},{},{},{},{},{},{},{},{}", f.nodes, f.gpus, f.replicas, cell(f.peak_it_watts), f.peak_window_s,
                    cell(f.joules_per_output_token[static_cast<int>(metering::Boundary::it)]),
                    cell(f.joules_per_output_token[static_cast<int>(metering::Boundary::facility)]), month(f.cost ? f.cost->total : std::nullopt),
                    cell(f.per_million_input), cell(f.per_million_output), f.cost && f.cost->total ? plan.currency : "", month(f.carbon_grams_per_s),
                    cell(f.embodied_grams), study::worst_provenance(f.energy_coverage), study::worst_provenance(f.time_coverage));
  } else {
    text += ",,,,,,,,,,,,,,,";
  }
  text += fmt::format(",{},{},{}\n", fleet.load ? cell(fleet.load->found.load) : "", fleet.load ? csv_cell(fleet.load->fails_first) : "",
                      csv_cell(fleet.why));
  return text;
}

}  // namespace

std::string plan_json(const study::Plan& plan) {
  Json object = {{"schema", kSchema}, {"name", plan.name}, {"seed", plan.seed}, {"minimise", minimise(plan.settings.minimise)}};
  object["growth"] = plan.settings.growth;
  object["survive"] = {{"nodes", plan.settings.survive.nodes}};
  object["confidence"] = plan.settings.confidence.value;
  object["confidence_method"] = "binomial bound of a quantile by order statistics";
  object["limits"] = limits(plan.settings.limits);
  object["holds"] = plan.most_frugal.has_value();
  Json winners = Json::object();
  for (const auto& [key, winner] : {std::pair{"cost", plan.cheapest}, std::pair{"energy", plan.most_frugal}, std::pair{"gpus", plan.smallest}}) {
    if (winner) winners[key] = plan.fleets[*winner].candidate.name;
  }
  object["winner"] = std::move(winners);
  if (!plan.binding.empty()) object["binding"] = plan.binding;
  object["candidate"] = Json::object();
  for (const auto& each : plan.fleets) object["candidate"][each.candidate.name] = candidate(each, plan);
  object["turns"] = Json::array();
  for (const auto& each : plan.turns) object["turns"].push_back(turn(each));
  object["notes"] = plan.notes;
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string plan_csv(const study::Plan& plan) {
  std::string text =
      "candidate,node,gpu,tensor_parallel_size,verdict,nodes,gpus,replicas,peak_it_watts,peak_window_s,it_joules_per_output_token,"
      "facility_joules_per_output_token,cost_per_month,cost_per_million_input,cost_per_million_output,currency,carbon_grams_per_month,"
      "embodied_carbon_grams,watts_tier,time_tier,held_load,fails_first,why\n";
  for (const auto& each : plan.fleets) text += line(plan, each);
  return text;
}

}  // namespace joulecast::report
