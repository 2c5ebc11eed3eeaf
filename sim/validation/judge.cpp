#include <algorithm>

#include "base/error.hpp"
#include "validation/registry.hpp"

namespace joulecast::validation {

std::string_view name(Kind kind) {
  constexpr std::string_view names[] = {"exact", "measured", "derived", "regression"};
  return names[static_cast<int>(kind)];
}

std::string_view name(Verdict verdict) {
  constexpr std::string_view names[] = {"pass", "fail", "skipped"};
  return names[static_cast<int>(verdict)];
}

std::vector<Outcome> validate(const std::vector<Comparison>& all, const Sources& sources, std::string_view only,
                              const std::function<void(const Entry&)>& begin) {
  std::vector<Outcome> outcomes;
  for (const Comparison& comparison : all) {
    const auto chosen = [&](const Entry& entry) { return std::string_view(entry.id).starts_with(only); };
    const auto first = std::find_if(comparison.entries.begin(), comparison.entries.end(), chosen);
    if (first == comparison.entries.end()) continue;
    if (begin) begin(*first);
    const std::optional<std::vector<Ours>> ours = comparison.compute(sources);
    JOULECAST_CHECK(!ours || ours->size() == comparison.entries.size(), "a comparison gave another number of figures than it has entries");
    for (std::size_t i = 0; i < comparison.entries.size(); ++i) {
      const Entry& entry = comparison.entries[i];
      if (!chosen(entry)) continue;
      Outcome outcome{entry, std::nullopt, Verdict::skipped};
      if (ours) {
        const std::optional<Tolerance> tolerance = parse_tolerance(entry.tolerance);
        JOULECAST_CHECK(tolerance, "the tolerance of " + entry.id + " cannot be read");
        outcome.ours = (*ours)[i];
        outcome.verdict = tolerance->holds((*ours)[i], entry.expected, entry.unit) ? Verdict::pass : Verdict::fail;
      }
      outcomes.push_back(std::move(outcome));
    }
  }
  return outcomes;
}

}  // namespace joulecast::validation
