#include "cli/run_facts.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "cli/build_info.hpp"

namespace joulecast::cli {
namespace {

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

std::string folder_name(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
    if (stays) {
      out += c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out.substr(0, 80);
}

std::filesystem::path results_folder(const std::string& out, const std::string& name, const std::string& hash) {
  return out.empty() ? std::filesystem::path("runs") / fmt::format("{}-{}", folder_name(name), hash) : std::filesystem::path(out);
}

int threads_or_cores(int asked) { return asked > 0 ? asked : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

report::RunFacts run_facts(std::chrono::steady_clock::time_point started, int threads) {
  const BuildInfo build = build_info();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  return {std::string(build.version),
          std::string(build.commit),
          fmt::format("{}, {}", build.compiler, build.build_type),
          host_name(),
          threads,
          wall.count(),
          cpu_seconds(),
          peak_memory_bytes()};
}

}  // namespace joulecast::cli
