#include "report/compare_draws_terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "report/numbers.hpp"

namespace joulecast::report {

namespace {

constexpr double kWorthNaming = 0.05;
constexpr std::size_t kNamed = 3;

/// Energy a token, else an iteration's, else energy: what arms are compared by in the end.
std::optional<std::size_t> told(const study::Comparison& comparison) {
  for (const std::string key : {"energy_per_output_token_joules.", "training.", "energy_joules."}) {
    for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
      const std::string& figure = comparison.figures[f].key;
      if (figure.starts_with(key) && (key != "training." || figure.ends_with("iteration_joules"))) return f;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string drawn_how_sure(const study::Comparison& comparison) {
  const study::CompareDraws& drawn = *comparison.drawn;
  const std::string cut = drawn.partial ? fmt::format(" (interrupted: of {})", drawn.asked) : "";
  return fmt::format("{} draws{} of what profiles state of {} figures' errors, the same in all arms; .. is what holds in 80 % of them",
                     with_separators(drawn.numbers.size()), cut, drawn.sources.size());
}

std::string drawn_sources(const study::Comparison& comparison, const Style& style) {
  const auto figure = told(comparison);
  if (!figure) return "";
  const study::CompareDraws& drawn = *comparison.drawn;
  std::string text;
  for (std::size_t a = 0; a < comparison.arms.size(); ++a) {
    const auto& difference = drawn.arms[a].differences[*figure];
    if (a == comparison.reference || !difference || difference->verdict == study::Verdict::same) continue;
    if (!difference->shares) {
      text +=
          fmt::format("  {}: lower in {} of the draws, too few to tell what it hangs on\n", comparison.arms[a].name, percent(difference->lower_in));
      continue;
    }
    const std::vector<double>& shares = difference->shares->of_source;
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return shares[i] > shares[j]; });
    std::string line;
    for (std::size_t i = 0; i < order.size() && i < kNamed && shares[order[i]] >= kWorthNaming; ++i) {
      line += fmt::format("{}{:.0f} % {}", line.empty() ? "" : ", ", 100 * shares[order[i]], drawn.sources[order[i]].name);
    }
    if (line.empty()) line = "no source by itself";
    text += fmt::format("  {}: lower in {} of the draws; {}\n", comparison.arms[a].name, percent(difference->lower_in), line);
    if (!order.empty() && shares[order.front()] >= kWorthNaming) text += "    " + drawn.sources[order.front()].remedy + "\n";
  }
  if (text.empty()) return text;
  return "\n" + inked(style, Ink::heading, "What the difference hangs on") + "  " + comparison.figures[*figure].key + "\n" + text;
}

}  // namespace joulecast::report
