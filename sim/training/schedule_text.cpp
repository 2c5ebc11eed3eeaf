#include "training/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

namespace joulecast::training {

namespace {

constexpr std::int32_t kMostMicrobatches = 1'000'000;
constexpr std::int32_t kMostChunks = 1'000;

using Key = std::tuple<Pass, std::int32_t, std::int32_t>;
Key key(const Step& step) { return {step.pass, step.chunk, step.microbatch}; }

std::optional<Pass> pass_of(char letter) {
  switch (letter) {
    case 'F':
      return Pass::forward;
    case 'B':
      return Pass::backward;
    case 'I':
      return Pass::backward_input;
    case 'W':
      return Pass::backward_weight;
    default:
      return std::nullopt;
  }
}

std::optional<Step> parse_step(const std::string& word) {
  const auto pass = pass_of(word.front());
  if (!pass) return std::nullopt;
  Step step{*pass, 0, 0};
  const char* const end = word.data() + word.size();
  auto [rest, error] = std::from_chars(word.data() + 1, end, step.microbatch);
  if (error != std::errc{} || step.microbatch < 0 || step.microbatch >= kMostMicrobatches) return std::nullopt;
  if (rest != end) {
    if (*rest != '.') return std::nullopt;
    const auto chunk = std::from_chars(rest + 1, end, step.chunk);
    if (chunk.ec != std::errc{} || chunk.ptr != end || step.chunk < 0 || step.chunk >= kMostChunks) return std::nullopt;
  }
  return step;
}

/// What a stage runs must be what every stage runs, each pass once.
void check_passes(const Schedule& schedule, const Place& place, std::vector<UserFault>& faults) {
  std::vector<std::set<Key>> passes;
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    auto& own = passes.emplace_back();
    if (schedule[s].empty()) faults.push_back({place, fmt::format("stage {} of the schedule has no steps", s), "write its steps, such as \"F0 B0\""});
    for (const Step& step : schedule[s]) {
      if (!own.insert(key(step)).second) {
        faults.push_back({place, fmt::format("stage {} of the schedule runs {} twice", s, text(step, step.chunk > 0)), "run every pass once"});
      }
    }
    for (const Step& step : schedule[s]) {
      if (step.pass == Pass::forward) {
        const bool whole = own.count({Pass::backward, step.chunk, step.microbatch}) > 0;
        const bool input = own.count({Pass::backward_input, step.chunk, step.microbatch}) > 0;
        const bool weight = own.count({Pass::backward_weight, step.chunk, step.microbatch}) > 0;
        if ((whole && !input && !weight) || (!whole && input && weight)) continue;
        faults.push_back({place, fmt::format("stage {} of the schedule has no one backward pass for {}", s, text(step, step.chunk > 0)),
                          "add B, or I and W, of that microbatch"});
      } else if (own.count({Pass::forward, step.chunk, step.microbatch}) == 0) {
        faults.push_back({place, fmt::format("stage {} of the schedule runs {} without its forward pass", s, text(step, step.chunk > 0)),
                          "add F of that microbatch"});
      }
    }
  }
  for (std::size_t s = 1; s < schedule.size(); ++s) {
    for (const auto& [from, to] : {std::pair{s - 1, s}, std::pair{s, s - 1}}) {
      for (const Step& step : schedule[from]) {
        if (step.pass != Pass::forward || passes[to].count(key(step)) > 0) continue;
        faults.push_back({place, fmt::format("dangling dependency: stage {} runs {} and stage {} does not", from, text(step, step.chunk > 0), to),
                          "run every microbatch on every stage"});
      }
    }
  }
}

}  // namespace

std::string text(const Step& step, bool with_chunk) {
  constexpr char letters[] = {'F', 'B', 'I', 'W', 'S', 'O'};
  const char letter = letters[static_cast<std::size_t>(step.pass)];
  return with_chunk ? fmt::format("{}{}.{}", letter, step.microbatch, step.chunk) : fmt::format("{}{}", letter, step.microbatch);
}

Schedule parse_schedule(const std::vector<std::string>& stages, const Place& place) {
  std::vector<UserFault> faults;
  Schedule schedule;
  if (stages.empty()) faults.push_back({place, "a schedule without stages", "write a line of steps a stage, such as \"F0 B0\""});
  for (std::size_t s = 0; s < stages.size(); ++s) {
    auto& steps = schedule.emplace_back();
    std::istringstream words(stages[s]);
    for (std::string word; words >> word;) {
      if (const auto step = parse_step(word)) {
        steps.push_back(*step);
      } else {
        faults.push_back({place, fmt::format("stage {} of the schedule: \"{}\" is no step", s, word),
                          "write F, B, I or W, the microbatch and, with chunks, a dot and the chunk: \"F3\" or \"F3.1\""});
      }
    }
  }
  if (faults.empty()) check_passes(schedule, place, faults);
  if (!faults.empty()) throw UserError(std::move(faults));
  return schedule;
}

ScheduleShape shape_of(const Schedule& schedule) {
  ScheduleShape shape{static_cast<std::int32_t>(schedule.size()), 0, 0};
  std::set<std::int32_t> microbatches;
  for (const Step& step : schedule.front()) {
    microbatches.insert(step.microbatch);
    shape.chunks = std::max(shape.chunks, step.chunk + 1);
  }
  shape.microbatches = static_cast<std::int32_t>(microbatches.size());
  return shape;
}

}  // namespace joulecast::training
