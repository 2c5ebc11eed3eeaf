#include <charconv>
#include <cstddef>

#include "calibration/phases.hpp"

namespace joulecast::calibration {
namespace {

/// A number with any unit that follows it left out ("1410", "1410MHz"); 0 where it is none or not above 0.
double number(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  return fault == std::errc{} && value > 0 ? value : 0;
}

void read_word(std::string_view word, PhaseFacts& facts) {
  if (word == "bare-idle") facts.state = PhaseState::bare_idle;
  if (word == "context-idle") facts.state = PhaseState::context_idle;
  if (word == "spin-wait") facts.state = PhaseState::spin_wait;
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return;
  const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
  if (key == "work") facts.work = std::string(value);
  if (key == "clock") facts.clock_hertz = 1e6 * number(value);
  if (key == "cap") facts.cap_watts = number(value);
  if (key == "batch") facts.batch = number(value);
  if (key == "step_s") facts.step_seconds = number(value);
  if (key == "clock" || key == "cap" || key == "batch" || key == "step_s" || key == "work") facts.state = PhaseState::active;
}

}  // namespace

std::string_view name(PhaseState state) {
  constexpr std::string_view names[] = {"bare idle", "context idle", "spin-wait", "active", "unknown"};
  return names[static_cast<std::size_t>(state)];
}

PhaseFacts phase_facts(std::string_view name) {
  PhaseFacts facts;
  while (!name.empty()) {
    const std::size_t end = name.find_first_of(" +");
    read_word(name.substr(0, end), facts);
    name = end == std::string_view::npos ? std::string_view{} : name.substr(end + 1);
  }
  return facts;
}

}  // namespace joulecast::calibration
