#include "cli/calibrate_fit_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/hash.hpp"
#include "cli/sensor_words.hpp"
#include "cli/share.hpp"
#include "hardware/profiles.hpp"
#include "llm/architecture.hpp"
#include "traces/chassis/log.hpp"
#include "traces/delimited.hpp"
#include "traces/load/log.hpp"
#include "traces/power/number_cells.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::cli {
namespace {

using Faults = std::vector<UserFault>;

std::optional<traces::PowerKind> power_kind(const std::string& text, Faults& faults) {
  if (text.empty()) return std::nullopt;
  for (const auto kind : {traces::PowerKind::draw, traces::PowerKind::average, traces::PowerKind::instant, traces::PowerKind::meter}) {
    if (text == traces::name(kind)) return kind;
  }
  faults.push_back(
      {{}, fmt::format("--power \"{}\" is none of draw, average, instant, meter", text), "`joulecast calibrate inspect` lists the log's columns"});
  return std::nullopt;
}

/// "r0=0-3" or "r0=0,2": GPU indices; with or without "gpu" before them.
void add_indices(const std::string& word, std::set<std::string>& chosen, Faults& faults) {
  const std::size_t equals = word.find('=');
  std::string rest = equals == std::string::npos ? "" : word.substr(equals + 1);
  for (std::size_t at; (at = rest.find("gpu")) != std::string::npos;) rest.erase(at, 3);
  bool good = !rest.empty();
  for (std::size_t begin = 0; good && begin <= rest.size();) {
    const std::size_t end = std::min(rest.find(',', begin), rest.size());
    int first = 0, last = 0;
    const char* stop = rest.data() + end;
    auto read = std::from_chars(rest.data() + begin, stop, first);
    last = first;
    if (read.ec == std::errc{} && read.ptr != stop && *read.ptr == '-') read = std::from_chars(read.ptr + 1, stop, last);
    good = read.ec == std::errc{} && read.ptr == stop && first >= 0 && last >= first && last < 1024;
    for (int i = first; good && i <= last; ++i) chosen.insert(fmt::format("{}", i));
    begin = end + 1;
  }
  if (!good) faults.push_back({{}, fmt::format("--replica \"{}\" names no GPUs", word), "write --replica r0=0-3, by the log's index"});
}

/// The watts of a chassis, or the sum of its supplies at the first one's samples.
calibration::StepSignal chassis_sum(const traces::ChassisLog& log) {
  std::vector<calibration::StepSignal> all;
  for (const traces::ChassisSeries* series : traces::counted_series(log)) all.emplace_back(series->time_ns, series->watts);
  return calibration::sum_of(all);
}

/// Watts of another meter, of a GPU or of the chassis: a log of ipmitool, Redfish or MLPerf's meter, or two columns.
calibration::StepSignal meter_signal(const std::string& path, const std::string& timezone) {
  if (!traces::find_chassis_format(traces::SeriesText(path, Place{})).empty()) {
    traces::PowerLogOptions options;
    options.file = path;
    options.timezone = timezone;
    const traces::ChassisLog log = traces::read_chassis_log(options);
    if (log.time_base != traces::TimeBase::utc) {
      throw UserError({path, 0, 0}, "the meter's times are in no known zone", "name the zone with --timezone");
    }
    return chassis_sum(log);
  }
  traces::Delimited rows(traces::TextLines(path), {{{"time_unix_s", "unix_s"}}, {{"watts", "power_w", "ac_watts", "pmd_W"}}});
  std::vector<std::int64_t> times;
  std::vector<double> watts;
  while (rows.next()) {
    const auto time = traces::number_cell(rows, 0, "a time in Unix seconds");
    const auto power = traces::positive_cell(rows, 1, "watts");
    if (!time || !power) break;
    times.push_back(std::llround(*time * 1e9));
    watts.push_back(*power);
    if (times.size() > 1 && times.back() <= times[times.size() - 2]) {
      throw UserError(rows.place(0), "a time that is not after the row before", "sort the rows by time and drop repeats");
    }
  }
  if (times.size() < 2) throw UserError({path, 0, 0}, "a meter's log of fewer than two rows", "log it as long as the GPUs");
  return {times, watts};
}

/// The sum over GPUs of what their sensors showed, freed of the gain and offset that are stated.
calibration::StepSignal gpu_sum(const traces::PowerLog& log, std::optional<traces::PowerKind> kind, const calibration::SensorStatement& sensor) {
  calibration::SensorModel model;
  model.gain = sensor.gain.value_or(1);
  model.offset = sensor.offset.value_or(0);
  std::vector<calibration::StepSignal> all;
  for (const auto& gpu : log.gpus) {
    const auto* channel = kind ? gpu.channel(*kind) : gpu.best_channel();
    if (channel == nullptr || channel->missing >= gpu.samples()) continue;
    std::vector<double> watts = channel->watts;
    for (double& each : watts) each = model.watts(each);
    all.emplace_back(gpu.time_ns, watts);
  }
  if (all.empty()) throw UserError({log.source.file, 0, 0}, "no GPU of the log has power readings", "log power.draw of every GPU of the node");
  return calibration::sum_of(all);
}

std::string hashed(const char* what, const std::string& path) {
  return fmt::format("{} {} (sha256 {})", what, path, sha256_of_file(path).substr(0, 12));
}

void read_chassis(const CalibrateFitArguments& arguments, FitInput& input) {
  config::Diagnostics diagnostics;
  input.node = hardware::load_node(hardware::find_profile(hardware::node_folder(share_folder()), "node", arguments.node, {}), diagnostics);
  diagnostics.throw_if_failed();
  if (input.log.time_base != traces::TimeBase::utc) {
    throw UserError({arguments.log, 0, 0}, "the log's times are in no known zone, so the chassis cannot be laid beside it",
                    "name the zone with --timezone");
  }
  constexpr double kStretch = 30;  // longer than the slowest meter's mean
  input.chassis = calibration::chassis_points(gpu_sum(input.log, input.request.kind, input.request.sensor),
                                              meter_signal(arguments.chassis, arguments.timezone), kStretch);
  if (static_cast<int>(input.log.gpus.size()) != input.node->gpus) {
    throw UserError({arguments.log, 0, 0},
                    fmt::format("the log has {} GPUs and {} has {}", input.log.gpus.size(), input.node->name, input.node->gpus),
                    "log every GPU of the node, or name another --node");
  }
  input.beside.push_back(hashed("chassis", arguments.chassis));
}

/// Holds the log's only GPU against the meter; gain and offset that it shows are taken where none are stated.
void read_meter(const CalibrateFitArguments& arguments, FitInput& input) {
  if (input.log.time_base != traces::TimeBase::utc) {
    throw UserError({arguments.log, 0, 0}, "the log's times are in no known zone, so the meter cannot be laid beside it",
                    "name the zone with --timezone");
  }
  if (input.log.gpus.size() != 1) {
    throw UserError({arguments.log, 0, 0}, fmt::format("{} GPUs beside a meter of one", input.log.gpus.size()),
                    "name the metered one: --replica meter=0");
  }
  const calibration::StepSignal meter = meter_signal(arguments.meter, arguments.timezone), shown = gpu_sum(input.log, input.request.kind, {});
  const std::int64_t from = std::max(meter.begin_ns(), shown.begin_ns()), to = std::min(meter.last_ns(), shown.last_ns());
  input.meter = calibration::check_meter(meter, shown, from, to);
  input.request.sensor.by_meter = !input.request.sensor.gain && !input.request.sensor.offset;
  if (!input.request.sensor.gain) input.request.sensor.gain = input.meter->gain;
  if (!input.request.sensor.offset) input.request.sensor.offset = input.meter->offset;
  input.beside.push_back(hashed("meter", arguments.meter));
}

/// The load of the engine whose label is a --replica's name; of the only one where there is one.
traces::EngineLoad engine_of(const CalibrateFitArguments& arguments) {
  traces::PowerLogOptions options;
  options.file = arguments.load;
  options.timezone = arguments.timezone;
  const traces::LoadLog load = traces::read_load_log(options);
  if (load.engines.size() == 1) return load.engines.front();
  std::string labels;
  for (const traces::EngineLoad& engine : load.engines) {
    labels += (labels.empty() ? "" : ", ") + engine.label;
    for (const std::string& word : arguments.replicas) {
      if (word.substr(0, word.find('=')) == engine.label) return engine;
    }
  }
  throw UserError({arguments.load, 0, 0}, fmt::format("the load of {} engines: {}", load.engines.size(), labels),
                  "name one with the GPUs it ran on: --replica LABEL=0-3");
}

void require(const std::string& value, const char* what, const char* remedy, Faults& faults) {
  if (value.empty()) faults.push_back({{}, what, remedy});
}

/// The runs that --model describes, but for what the log says of them.
std::optional<calibration::MeasuredRun> measured_run(const CalibrateFitArguments& arguments, Faults& faults) {
  if (arguments.model.empty()) {
    if (!arguments.engine.empty() || !arguments.prompt_tokens.empty() || !arguments.output_tokens.empty())
      faults.push_back({{}, "--engine, --prompt-tokens and --output-tokens are of a --model", "name the model that ran: --model Llama-3.1-8B"});
    return std::nullopt;
  }
  calibration::MeasuredRun run;
  const auto tokens = [&](const char* option, const std::string& text) {
    require(text, fmt::format("--model without {}: measured steps are of requests of known length", option).c_str(), "give the mean of a request",
            faults);
    double value = 1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (!text.empty() && (read.ec != std::errc{} || read.ptr != text.data() + text.size() || !(value >= 1) || !std::isfinite(value)))
      faults.push_back({{}, fmt::format("{} \"{}\" is no number of tokens", option, text), fmt::format("write {} 400", option)});
    return value;
  };
  run.prompt_tokens = tokens("--prompt-tokens", arguments.prompt_tokens);
  run.output_tokens = tokens("--output-tokens", arguments.output_tokens);
  run.engine = arguments.engine;
  run.gpu = arguments.name;
  return run;
}

}  // namespace

void read_fit_input(const CalibrateFitArguments& arguments, FitInput& input) {
  Faults faults;
  require(arguments.base, "no profile to extend", "give --base \"H100 SXM\": `joulecast profiles` lists them", faults);
  require(arguments.name, "the new profile has no name", "give --name \"my H100\"", faults);
  require(arguments.out, "nowhere to write", "give --out DIR", faults);
  if (arguments.chassis.empty() != arguments.node.empty()) {
    faults.push_back({{}, "--chassis and --node go together", "give both: the AC log, and the node profile that keeps what it does not tell"});
  }
  input.request.sensor = sensor_statement(arguments.sensor, faults);
  input.request.kind = power_kind(arguments.power, faults);
  input.request.load_offset = option_amount("--load-offset", arguments.load_offset, faults);
  input.request.load_period = option_amount("--load-period", arguments.load_period, faults);
  input.request.host_step_seconds = option_amount("--host-step", arguments.host_step, faults).value_or(0);
  input.measured = measured_run(arguments, faults);
  std::set<std::string> chosen;
  for (const std::string& word : arguments.replicas) {
    if (&word == &arguments.replicas.front()) {
      add_indices(word, chosen, faults);
    } else {
      faults.push_back({{},
                        fmt::format("--replica \"{}\" is a second one: the load and the batches are those of one engine", word),
                        "fit each engine by itself; several ranges of one are --replica r0=0-1,4-5"});
    }
  }
  if (!faults.empty()) throw UserError(std::move(faults));

  config::Diagnostics diagnostics;
  input.request.base = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder(share_folder()), "GPU", arguments.base, {}), diagnostics);
  if (input.measured) {
    const std::string path = hardware::find_profile(hardware::model_folder(share_folder()), "model", arguments.model, {});
    input.measured->model = llm::load_architecture(path, diagnostics).name;
    input.measured->reference = input.request.base.clocks.reference.value;
  }
  diagnostics.throw_if_failed();
  traces::PowerLogOptions options;
  options.file = arguments.log;
  options.format = arguments.format;
  options.timezone = arguments.timezone;
  input.log = traces::read_power_log(options);
  if (!arguments.chassis.empty()) read_chassis(arguments, input);
  if (!chosen.empty()) {
    std::erase_if(input.log.gpus, [&](const traces::GpuSeries& gpu) { return !chosen.contains(gpu.index); });
    if (input.log.gpus.empty())
      throw UserError({arguments.log, 0, 0}, "the log has none of the GPUs that --replica names", "name them by the log's index");
  }
  if (!arguments.meter.empty()) read_meter(arguments, input);
  if (!arguments.load.empty()) {
    if (input.log.time_base != traces::TimeBase::utc && !input.request.load_offset) {
      throw UserError({arguments.log, 0, 0}, "the log's times are in no known zone, so the load cannot be laid beside it",
                      "name the zone with --timezone, or the seconds to add to the load's times with --load-offset");
    }
    input.request.load = engine_of(arguments);
    input.beside.push_back(hashed("load", arguments.load));
  }
  input.request.log = &input.log;
  if (!input.measured) return;
  input.measured->gpus = std::max<int>(1, static_cast<int>(input.log.gpus.size()));
  input.measured->source =
      fmt::format("{} (sha256 {})", std::filesystem::path(arguments.log).filename().string(), input.log.source.sha256.substr(0, 12));
}

}  // namespace joulecast::cli
