#include "scenario/overload.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace joulecast::scenario {

namespace {

constexpr double kGrownShare = 0.05;
constexpr double kGrownRequests = 10;

/// Overlap of [from, to) with [low, high), seconds.
double overlap(Time from, Time to, double low, double high) { return std::max(0.0, std::min(to.seconds(), high) - std::max(from.seconds(), low)); }

}  // namespace

std::optional<Overload> find_overload(const serving::RequestTable& requests, Time warmup, Time end) {
  if (requests.size() == 0) return std::nullopt;
  // A closed run's last arrivals are at its end; a drained one is looked at while requests still come.
  const Time last = std::min(requests[static_cast<std::uint32_t>(requests.size() - 1)].facts.arrival, end);
  const double span = (last - warmup).seconds();
  if (!(span > 0)) return std::nullopt;
  const double quarter = span / static_cast<double>(kQuarters), half = warmup.seconds() + span / 2;

  Overload found;
  double came = 0, begun_late = 0, waiting = 0;
  for (std::uint32_t number = 0; number < requests.size(); ++number) {
    const auto& [facts, outcome] = requests[number];
    if (outcome.fate == serving::Fate::rejected_over_context || facts.arrival > last) continue;
    const Time begun = outcome.queued_until < Time{0} ? end : outcome.queued_until;
    for (std::size_t q = 0; q < kQuarters; ++q) {
      const double from = warmup.seconds() + quarter * static_cast<double>(q);
      found.waiting[q] += overlap(facts.arrival, begun, from, from + quarter) / quarter;
    }
    if (facts.arrival >= warmup) ++came;
    if (begun > last) ++waiting;
    if (outcome.queued_until >= Time{0} && begun.seconds() > half && begun <= last) ++begun_late;
  }
  found.offered_requests_per_s = came / span;
  found.sustained_requests_per_s = begun_late / (span / 2);
  bool grows = true;
  for (std::size_t q = 1; q < kQuarters; ++q) grows = grows && found.waiting[q] > (1 + kGrownShare) * found.waiting[q - 1];
  if (!grows || waiting <= std::max(kGrownRequests, kGrownShare * came)) return std::nullopt;
  return found;
}

std::string overload_note(const Overload& overload) {
  std::string quarters;
  for (const double waiting : overload.waiting) quarters += fmt::format("{}{:.3g}", quarters.empty() ? "" : ", ", waiting);
  return fmt::format("unstable: the queue grows through the run ({} requests wait in its quarters); {:.4g} requests/s come, {:.4g} are sustained",
                     quarters, overload.offered_requests_per_s, overload.sustained_requests_per_s);
}

}  // namespace joulecast::scenario
