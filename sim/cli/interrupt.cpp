#include "cli/interrupt.hpp"

#include <csignal>

namespace joulecast::cli {
namespace {

// A signal handler reaches nothing but a global; nothing outside this file sees it.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void raise_flag(int) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

Interrupt::Interrupt() {
  interrupted.store(false);
  struct sigaction action {};
  action.sa_handler = raise_flag;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { std::signal(SIGINT, SIG_DFL); }

const std::atomic<bool>& Interrupt::stop() const { return interrupted; }

}  // namespace joulecast::cli
