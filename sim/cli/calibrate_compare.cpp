#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/format.hpp"
#include "cli/commands.hpp"
#include "cli/share.hpp"
#include "report/table.hpp"
#include "study/recorded_run.hpp"

namespace joulecast::cli {
namespace {

using Json = nlohmann::ordered_json;

Json pair_json(const study::MeanPair& pair) { return {{"measured", pair.measured}, {"simulated", pair.simulated}, {"error", pair.error()}}; }

std::string json_text(const traces::RecordedRun& run, const study::Replay& replay) {
  Json out = {{"schema", 1},
              {"run", run.folder},
              {"model", run.model},
              {"requests", replay.requests.size()},
              {"ttft_mean_s", pair_json(replay.ttft)},
              {"tpot_mean_s", pair_json(replay.tpot)},
              {"e2e_mean_s", pair_json(replay.e2e)},
              {"makespan_s", pair_json(replay.makespan)},
              {"simulated_preemptions", replay.preemptions},
              {"simulated_mean_batch", replay.mean_batch},
              {"time_coverage", replay.time_coverage},
              {"fitted", false},
              {"notes", replay.notes}};
  return out.dump(2) + "\n";
}

std::string summary(const traces::RecordedRun& run, const study::Replay& replay, const report::Style& style) {
  using report::Ink;
  using report::words;
  report::Table table;
  table.row({words(fmt::format("{}, {} requests", run.model, replay.requests.size()), Ink::heading),
             {"measured", Ink::heading},
             {"simulated", Ink::heading},
             {"error", Ink::heading}});
  const auto row = [&](const char* name, const study::MeanPair& pair) {
    table.row({words(name), {si(pair.measured, "s")}, {si(pair.simulated, "s")}, {fmt::format("{:+.1f} %", 100 * pair.error())}});
  };
  row("TTFT, mean", replay.ttft);
  row("TPOT, mean", replay.tpot);
  row("E2E, mean", replay.e2e);
  row("first arrival to last token", replay.makespan);
  std::string text = table.text(style);
  std::string coverage;
  for (const auto& [kind, share] : replay.time_coverage) coverage += fmt::format("{}{:.1f} % {}", coverage.empty() ? "" : ", ", 100 * share, kind);
  text +=
      fmt::format("\nNothing fitted; simulated times are {}; mean batch {:.1f}, {} preemptions\n", coverage, replay.mean_batch, replay.preemptions);
  return text;
}

/// Options of the other kind of recorded run say nothing here: each that was given is refused by name.
void refuse(bool power, const CalibrateCompareArguments& arguments) {
  std::vector<UserFault> faults;
  const auto unless_empty = [&](const char* option, bool empty) {
    if (empty) return;
    faults.push_back(power ? UserFault{{}, fmt::format("{} says nothing of a power log", option), "write it into the folder's scenario.toml"}
                           : UserFault{{}, fmt::format("{} says nothing of a vLLM run", option), "leave it out: it is for a power log"});
  };
  if (power) {
    unless_empty("--gpu-name", arguments.gpu_name.empty());
    unless_empty("--node", arguments.node.empty());
    unless_empty("--layers", arguments.layers.empty());
  } else {
    unless_empty("--sensor", arguments.sensor.empty());
    unless_empty("--offset", arguments.offset.empty());
    unless_empty("--timezone", arguments.timezone.empty());
  }
  if (!faults.empty()) throw UserError(std::move(faults));
}

}  // namespace

int calibrate_compare(const CalibrateCompareArguments& arguments, Console& console) {
  const bool power = is_power_run(arguments.folder);
  refuse(power, arguments);
  if (power) return compare_power(arguments, console);
  const traces::RecordedRun run = traces::read_recorded_run(arguments.folder);
  study::ReplaySettings settings;
  settings.share = share_folder();
  settings.gpu = arguments.gpu_name;
  settings.node = arguments.node;
  settings.layers = arguments.layers;
  const study::Replay replay = study::replay(run, settings);
  if (!arguments.csv.empty()) {
    std::ofstream file(arguments.csv);
    file << study::replay_csv(replay);
    file.close();
    if (!file) throw UserError(Place{arguments.csv, 0, 0}, "can't write the table there", "give a file in a folder that exists: --csv FILE");
  }
  if (arguments.json) {
    console.print(json_text(run, replay));
    return kDone;
  }
  for (const std::string& note : replay.notes) console.note(note);
  console.print(summary(run, replay, console.style()));
  return kDone;
}

}  // namespace joulecast::cli
