#include "study/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/csv.hpp"
#include "base/error.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::study {

namespace {

RequestTimes measured_times(const traces::RecordedRequest& request) { return {request.ttft(), request.e2e(), request.tpot()}; }

RequestTimes simulated_times(const traces::Request& facts, const serving::Outcome& outcome) {
  const double first = (outcome.first_token - facts.arrival).seconds(), whole = (outcome.last_token - facts.arrival).seconds();
  RequestTimes times{first, whole, std::nullopt};
  if (outcome.generated > 1) times.tpot = (whole - first) / (outcome.generated - 1);
  return times;
}

/// Ring all-reduces over the link that the run states, in place of the profile's: 2(n - 1) hops, each with a share of 1/n of the bytes.
void use_link(const traces::RecordedRun& run, hardware::GpuProfile& gpu) {
  if (!run.link_bandwidth || !run.link_latency) return;
  const std::string source = run.folder + "/cluster_config.json: link of the run";
  gpu.all_reduce.clear();
  for (const std::int64_t gpus : {2, 4, 8}) {
    const double hops = 2.0 * static_cast<double>(gpus - 1), share = hops / static_cast<double>(gpus);
    hardware::AllReduceForm form;
    form.gpus = gpus;
    form.alpha = {Seconds(hops * *run.link_latency), source, hardware::FigureKind::modelled, 0.5};
    form.root = {0, source, hardware::FigureKind::modelled, 0.5};
    form.beta = {BytesPerSecond(*run.link_bandwidth / share), source, hardware::FigureKind::modelled, 0.5};
    gpu.all_reduce.push_back(form);
  }
}

template <class Figure>
MeanPair means(const std::vector<ReplayedRequest>& requests, Figure&& figure) {
  MeanPair sum;
  double count = 0;
  for (const ReplayedRequest& request : requests) {
    const std::optional<double> measured = figure(request.measured), simulated = figure(request.simulated);
    if (!measured || !simulated) continue;
    sum.measured += *measured;
    sum.simulated += *simulated;
    ++count;
  }
  return count > 0 ? MeanPair{sum.measured / count, sum.simulated / count} : sum;
}

/// The record's rows in the simulator's order: of a trace's rows at one instant the file's order holds in both.
std::vector<ReplayedRequest> side_by_side(const traces::RecordedRun& run, const serving::RequestTable& table) {
  if (table.size() != run.requests.size()) {
    throw UserError({run.requests_file(), 0, 0}, fmt::format("{} of {} requests were simulated", table.size(), run.requests.size()),
                    "look at the notes of `joulecast run` on the imported scenario");
  }
  std::vector<ReplayedRequest> rows;
  for (std::uint32_t number = 0; number < table.size(); ++number) {
    const traces::RecordedRequest& recorded = run.requests[number];
    const auto& [facts, outcome] = table[number];
    JOULECAST_CHECK(facts.input == recorded.input && facts.output == recorded.output, "recorded and simulated requests are in one order");
    if (outcome.fate != serving::Fate::completed) {
      throw UserError({run.requests_file(), 0, 0},
                      fmt::format("request \"{}\" is longer than the engine's context, and was not simulated", recorded.id),
                      "take it out, or state the max_model_len that the engine had in meta.json");
    }
    rows.push_back({recorded.id, recorded.input, recorded.output, recorded.arrival, measured_times(recorded), simulated_times(facts, outcome)});
  }
  return rows;
}

}  // namespace

Replay replay(const traces::RecordedRun& run, const ReplaySettings& settings) {
  scenario::LoadOptions load;
  load.share_dir = settings.share;
  scenario::Scenario scenario = scenario::load_text(recorded_scenario(run, settings), run.folder + "/recorded.toml", load);
  for (scenario::Cluster& cluster : scenario.clusters) {
    if (!settings.layers.empty()) cluster.gpu.tables.layers = {settings.layers};
    use_link(run, cluster.gpu);
  }
  scenario::RunOptions options;
  options.keep_requests = true;
  const scenario::Result result = scenario::simulate(scenario, options);

  Replay replay;
  replay.requests = side_by_side(run, *result.requests.front().second);
  replay.ttft = means(replay.requests, [](const RequestTimes& times) { return std::optional(times.ttft); });
  replay.tpot = means(replay.requests, [](const RequestTimes& times) { return times.tpot; });
  replay.e2e = means(replay.requests, [](const RequestTimes& times) { return std::optional(times.e2e); });
  for (const ReplayedRequest& request : replay.requests) {
    replay.makespan.measured = std::max(replay.makespan.measured, request.arrival_s + request.measured.e2e);
    replay.makespan.simulated = std::max(replay.makespan.simulated, request.arrival_s + request.simulated.e2e);
  }
  replay.preemptions = result.pools.front().preemptions;
  replay.mean_batch = result.pools.front().mean_batch;
  replay.time_coverage = result.time_coverage;
  replay.notes = result.notes;
  return replay;
}

std::string replay_csv(const Replay& replay) {
  std::string csv =
      "request,input_tokens,output_tokens,arrival_s,ttft_measured_s,ttft_simulated_s,ttft_error,tpot_measured_s,tpot_simulated_s,tpot_error,"
      "e2e_measured_s,e2e_simulated_s,e2e_error\n";
  const auto pair = [](double measured, double simulated) {
    return fmt::format(",{:.9g},{:.9g},{}", measured, simulated, measured > 0 ? fmt::format("{:.6g}", simulated / measured - 1) : "");
  };
  for (const ReplayedRequest& each : replay.requests) {
    csv += fmt::format("{},{},{},{:.9g}", csv_cell(each.id), each.input, each.output, each.arrival_s);
    csv += pair(each.measured.ttft, each.simulated.ttft);
    csv += each.measured.tpot && each.simulated.tpot ? pair(*each.measured.tpot, *each.simulated.tpot) : ",,,";
    csv += pair(each.measured.e2e, each.simulated.e2e) + "\n";
  }
  return csv;
}

}  // namespace joulecast::study
