#include "cli/mark_signal.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <utility>

namespace joulecast::cli {
namespace {

// A signal handler reaches nothing but a global; nothing outside this file sees it.
std::atomic<unsigned> signals{0};
static_assert(std::atomic<unsigned>::is_always_lock_free);

void count_signal(int) { signals.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

MarkSignal::MarkSignal(std::vector<std::string> names) : names_(std::move(names)) {
  signals.store(0);
  struct sigaction action {};
  action.sa_handler = count_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
}

MarkSignal::~MarkSignal() { std::signal(SIGUSR1, SIG_DFL); }

std::optional<std::string> MarkSignal::next() {
  if (begun_ >= signals.load(std::memory_order_relaxed)) return std::nullopt;
  const std::size_t i = begun_++;
  return i < names_.size() ? names_[i] : fmt::format("phase-{}", i + 1);
}

}  // namespace joulecast::cli
