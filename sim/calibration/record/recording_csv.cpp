#include "calibration/record/recording_csv.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

constexpr std::string_view kHeader =
    "time_unix_s,gpu,uuid,power_average_w,power_instant_w,energy_j,sm_clock_hz,memory_clock_hz,utilization,temperature_c,power_limit_w,"
    "throttle_reasons,memory_used_bytes,mark\n";

std::string head_text(const RecordingHead& head) {
  std::string text = "# format: joulecast-record 1\n";
  const auto line = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) text += fmt::format("# {}: {}\n", key, value);
  };
  line("host", head.host);
  line("driver", head.driver);
  line("nvml", head.nvml);
  line("started", head.started);
  line("period_s", fmt::format("{}", head.period_s));
  line("slow_columns", "temperature_c, power_limit_w and memory_used_bytes are read once a second and held");
  for (const RecordedGpu& gpu : head.gpus) {
    const auto of_gpu = [&](std::string_view key, std::string_view value) { line(fmt::format("gpu.{}.{}", gpu.index, key), value); };
    of_gpu("name", gpu.name);
    of_gpu("uuid", gpu.uuid);
    if (gpu.default_limit_w) of_gpu("power_limit_w", fmt::format("{}", *gpu.default_limit_w));
    of_gpu("power_average", gpu.power_average_source);
    of_gpu("power_instant", gpu.power_instant_source);
    of_gpu("energy", gpu.energy_source);
  }
  return text + std::string(kHeader);
}

}  // namespace

bool is_mark_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.:/ +=").find(c) != std::string_view::npos;
  });
}

RecordingCsv::RecordingCsv(std::string path, const RecordingHead& head) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file_ < 0) {
    const bool exists = errno == EEXIST;
    throw UserError(Place{path_}, exists ? "a file is there already" : fmt::format("cannot be made: {}", std::strerror(errno)),
                    "name another file: --out FILE.csv");
  }
  rows_ = head_text(head);
  flush();
}

RecordingCsv::~RecordingCsv() {
  if (file_ >= 0) ::close(file_);
}

void RecordingCsv::add(const RecordedGpu& gpu, const Reading& r, std::string_view mark) {
  const auto out = std::back_inserter(rows_);
  fmt::format_to(out, "{:.6f},{},{}", r.unix_s, gpu.index, gpu.uuid);
  const auto cell = [&](const auto& value, auto format) {
    rows_ += ',';
    if (value) fmt::format_to(out, format, *value);
  };
  cell(r.power_average_w, FMT_STRING("{:.3f}"));
  cell(r.power_instant_w, FMT_STRING("{:.3f}"));
  cell(r.energy_j, FMT_STRING("{:.3f}"));
  cell(r.sm_clock_hz, FMT_STRING("{:.0f}"));
  cell(r.memory_clock_hz, FMT_STRING("{:.0f}"));
  cell(r.utilization, FMT_STRING("{:.2f}"));
  cell(r.temperature_c, FMT_STRING("{:.0f}"));
  cell(r.power_limit_w, FMT_STRING("{:.3f}"));
  cell(r.throttle_reasons, FMT_STRING("{:#x}"));
  cell(r.memory_used_bytes, FMT_STRING("{}"));
  rows_ += ',';
  rows_ += mark;
  rows_ += '\n';
}

void RecordingCsv::event(double unix_s, std::string_view text) { fmt::format_to(std::back_inserter(rows_), "# event {:.6f} {}\n", unix_s, text); }

void RecordingCsv::flush() {
  std::size_t written = 0;
  while (written < rows_.size()) {
    const ssize_t count = ::write(file_, rows_.data() + written, rows_.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      const int fault = errno;
      // What is there stays a file of whole rows; a file that cannot even be cut says so by the fault it names.
      const bool cut = ::ftruncate(file_, static_cast<off_t>(whole_bytes_)) == 0;
      rows_.clear();
      throw UserError(Place{path_}, fmt::format("cannot be written on: {}{}", std::strerror(fault), cut ? "" : "; its last row may be torn"),
                      "make room there; what was recorded until now is whole");
    }
    written += static_cast<std::size_t>(count);
  }
  whole_bytes_ += static_cast<long long>(rows_.size());
  rows_.clear();
}

}  // namespace joulecast::calibration
