#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "calibration/record/gpu_choice.hpp"
#include "calibration/record/mark_pipe.hpp"
#include "calibration/record/measuring_plan.hpp"
#include "calibration/record/recorder.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/mark_signal.hpp"
#include "cli/record_view.hpp"
#include "cli/share.hpp"
#include "config/node.hpp"
#include "config/units.hpp"
#include "hardware/profiles.hpp"
#include "report/recording_h5.hpp"
#include "traces/power/open_log.hpp"

namespace joulecast::cli {
namespace {

constexpr double kLeastPeriod = 0.01, kMostPeriod = 60;
/// What `--plan` is for where no GPU is named.
constexpr const char* kPlanGpu = "H100 SXM";

double seconds_of(const std::string& text, const char* option) {
  config::Diagnostics diagnostics;
  const auto parsed = config::parse_measured(text, config::Dimension{{0, 1, 0, 0, 0, 0}}, {}, diagnostics, option);
  diagnostics.throw_if_failed();
  return parsed->si;
}

std::int64_t period_ns(const RecordArguments& arguments) {
  const double period = seconds_of(arguments.period, "--period");
  if (period < kLeastPeriod || period > kMostPeriod) {
    throw UserError({}, fmt::format("--period \"{}\" is not from 10 ms to 60 s", arguments.period),
                    "no sensor shows a new value more often than every 10 ms; 50 ms suits most: --period \"50 ms\"");
  }
  return std::llround(period * 1e9);
}

std::string json_text(const nlohmann::ordered_json& json) { return json.dump(2) + "\n"; }

int print_plan(const RecordArguments& arguments, Console& console) {
  const auto plan = calibration::measuring_plan(arguments.plan);
  if (!plan) {
    const auto nearest = config::nearest(arguments.plan, calibration::measuring_plan_names());
    throw UserError({}, fmt::format("no measuring plan is called \"{}\"", arguments.plan),
                    nearest.empty() ? fmt::format("there are {}", fmt::join(calibration::measuring_plan_names(), ", "))
                                    : fmt::format("did you mean {}?", nearest));
  }
  config::Diagnostics diagnostics;
  const std::string name = arguments.base.empty() ? kPlanGpu : arguments.base;
  const auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder(share_folder()), "GPU", name, {}), diagnostics);
  diagnostics.throw_if_failed();
  const std::string script = calibration::measuring_script(*plan, gpu);
  console.print(arguments.json ? json_text({{"plan", arguments.plan}, {"gpu", gpu.name}, {"script", script}}) : script);
  if (arguments.base.empty()) console.note(fmt::format("the plan is for {}: --base PROFILE plans for another GPU", kPlanGpu));
  return kDone;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

void check_marks(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!calibration::is_mark_name(name)) {
      throw UserError({}, fmt::format("--mark \"{}\" cannot stand in a cell", name),
                      "use letters, digits and - _ . : / + = and spaces, 64 at the most");
    }
  }
}

/// Writes the finished recording as HDF5 beside it and returns that file's path; "" where it cannot be, which costs nothing but a note.
std::string write_beside(const std::string& path, Console& console) {
  std::filesystem::path beside = path;
  beside.replace_extension(".h5");
  try {
    if (std::filesystem::exists(beside)) throw UserError(Place{beside.string()}, "a file is there already", "move it away");
    traces::PowerLogOptions options;
    options.file = path;
    options.format = "record";
    report::write_recording_h5(beside, traces::read_power_log(options));
    return beside.string();
  } catch (const UserError& error) {
    console.note(fmt::format("no {}: {}; the CSV is whole", beside.string(), error.faults().front().what));
    return {};
  }
}

nlohmann::ordered_json json_of(const std::string& path, const std::string& beside, const calibration::RecordSummary& summary, std::size_t gpus) {
  return {{"file", path},           {"hdf5", beside.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(beside)},
          {"gpus", gpus},           {"seconds", summary.seconds},
          {"polls", summary.polls}, {"rows", summary.rows},
          {"late", summary.late},   {"without_power", summary.without_power},
          {"lost", summary.lost}};
}

}  // namespace

int record(const RecordArguments& arguments, Console& console) {
  if (!arguments.plan.empty()) return print_plan(arguments, console);
  const std::int64_t period = period_ns(arguments);
  if (arguments.print_nvidia_smi) {
    const std::string line = calibration::nvidia_smi_line(std::max<std::int64_t>(1, period / 1'000'000));
    console.print(arguments.json ? json_text({{"command", line.substr(0, line.find_last_not_of('\n') + 1)}}) : line);
    return kDone;
  }
  check_marks(arguments.marks);
  calibration::RecordOptions options;
  options.period_ns = period;
  if (!arguments.duration.empty()) {
    const double duration = seconds_of(arguments.duration, "--duration");
    if (!(duration > 0) || duration > 1e8)
      throw UserError({}, fmt::format("--duration \"{}\" is no span above 0", arguments.duration), "write --duration \"10 min\"");
    options.duration_ns = std::llround(duration * 1e9);
  }

  // Before anything that takes time: a signal that comes earlier would end the recorder.
  MarkSignal signal(arguments.marks);
  const auto library = calibration::nvml::Library::open(arguments.library);
  auto opened = calibration::open_gpus(*library, arguments.gpus);
  for (const std::string& refused : opened.refused) console.note(refused + "; it is not recorded");
  const double started = calibration::unix_now();
  calibration::RecordingHead head{
      host_name(), library->driver_version(), library->nvml_version(), calibration::utc_text(started), static_cast<double>(period) * 1e-9, {}};
  for (const auto& gpu : opened.gpus) {
    head.gpus.push_back(gpu->facts());
    if (gpu->facts().power_average_source.empty() && gpu->facts().power_instant_source.empty()) {
      console.note(fmt::format("gpu {} ({}) tells no power: its column stays empty", gpu->facts().index, gpu->facts().name));
    }
  }
  std::string path = arguments.out;
  if (path.empty()) {
    path = "record-" + head.started + ".csv";
    path.erase(std::remove(path.begin() + 7, path.end() - 4, ':'), path.end() - 4);
  }
  std::optional<calibration::MarkPipe> pipe;
  if (!arguments.fifo.empty()) pipe.emplace(arguments.fifo);
  calibration::RecordingCsv file(path, head);

  const Interrupt interrupt;
  RecordView view(console);
  options.stop = &interrupt.stop();
  options.next_mark = [&]() -> std::optional<std::string> {
    if (auto name = signal.next()) return name;
    auto name = pipe ? pipe->next() : std::nullopt;
    while (name && !calibration::is_mark_name(*name)) {
      console.note(fmt::format("\"{:.80}\" is no name for a phase and was left out", *name));
      name = pipe->next();
    }
    return name;
  };
  options.shown = [&](const calibration::Poll& poll) { view(poll); };
  options.noted = [&](const std::string& lost) { console.note(lost + "; the rest is recorded on"); };
  if (console.messages_on_terminal()) console.message(fmt::format("recording {} GPUs to {}; Ctrl-C ends it", opened.gpus.size(), path));
  const calibration::RecordSummary summary = calibration::record(opened.gpus, file, options);
  view.end();
  const std::string beside = arguments.without_hdf5 ? std::string() : write_beside(path, console);

  if (arguments.json) {
    console.print(json_of(path, beside, summary, opened.gpus.size()).dump(2) + "\n");
  } else {
    console.print(fmt::format("{}: {} rows of {} GPUs in {:.1f} s{}\n", path, summary.rows, opened.gpus.size(), summary.seconds,
                              summary.late > 0 ? fmt::format(", {} polls left out because the one before was still running", summary.late) : ""));
    if (!beside.empty()) console.print(fmt::format("{}: the same as HDF5\n", beside));
    console.print(fmt::format("next: joulecast calibrate inspect {}\n", path));
  }
  if (!summary.all_lost) return kDone;
  throw UserError(Place{path}, "every GPU was lost; what was recorded until then is whole",
                  "see the kernel's log (Xid errors) and reset or reboot before the next try");
}

}  // namespace joulecast::cli
