#include "traces/requests/arrivals.hpp"

#include <algorithm>
#include <vector>

namespace joulecast::traces {
namespace {

constexpr double kMostSeconds = 6.3e9;

void read_process(Arrivals& arrivals, const config::Node& node, config::Diagnostics& diagnostics) {
  const std::vector<std::string> words = {"poisson", "gamma", "constant", "closed"};
  const auto* word = node.as<std::string>();
  const auto found = word == nullptr ? words.end() : std::find(words.begin(), words.end(), *word);
  if (found == words.end()) {
    const std::string read = word == nullptr ? std::string(node.kind()) : "\"" + *word + "\"";
    const std::string near = word == nullptr ? "" : config::nearest(*word, words);
    diagnostics.error(node.place(), "process is " + read + ", expected one of poisson | gamma | constant | closed",
                      near.empty() ? "write one of these words" : "is \"" + near + "\" meant?");
    return;
  }
  arrivals.process = static_cast<Arrivals::Process>(found - words.begin());
}

void check_process(const Arrivals& arrivals, const Place& place, config::Diagnostics& diagnostics) {
  const bool rated = arrivals.request_rate.si() > 0;
  if (arrivals.process == Arrivals::Process::closed) {
    if (arrivals.max_concurrency == 0) diagnostics.error(place, "process \"closed\" without max_concurrency", "add max_concurrency = 64");
    if (rated) diagnostics.error(place, "a closed loop has no request_rate", "leave it out: a request comes when one completes");
  } else {
    if (!rated) diagnostics.error(place, "arrivals without request_rate", "add request_rate = \"5.5 /s\"");
    if (arrivals.max_concurrency != 0 || arrivals.think_time.si() > 0) {
      diagnostics.error(place, "max_concurrency and think_time belong to process \"closed\"", "write process = \"closed\", or leave them out");
    }
  }
  if (arrivals.process == Arrivals::Process::gamma || arrivals.burstiness == 1) return;
  diagnostics.error(place, "burstiness belongs to process \"gamma\"", "write process = \"gamma\", or leave burstiness out");
}

}  // namespace

config::Record<Arrivals> arrivals_record() {
  using config::Bounds;
  config::Record<Arrivals> record("arrivals of generated requests");
  record.custom("process", "one of poisson | gamma | constant | closed", "\"poisson\"",
                "law of the gaps between arrivals; \"closed\": a request comes when one completes", read_process);
  record.optional("request_rate", &Arrivals::request_rate, "", Bounds::between(1e-6, 1e8), "mean arrivals a second; needed unless \"closed\"");
  record.optional("burstiness", &Arrivals::burstiness, "1", Bounds::between(0.001, 1e6), "shape of the gamma law; below 1 is burstier than Poisson");
  record.optional("max_concurrency", &Arrivals::max_concurrency, "", Bounds::between(1, 1e6),
                  "of a closed loop: requests in flight; all of them come at the beginning of the run at once");
  record.optional(
      "think_time", &Arrivals::think_time, "\"0 s\"", Bounds::between(0, 1e6),
      "of a closed loop: from the completion of a request to the arrival of the next (not from arrival to arrival); at least 1 ns passes");
  record.check(check_process);
  return record;
}

ArrivalTimes::ArrivalTimes(const Arrivals& arrivals, std::uint64_t seed, std::string_view name)
    : arrivals_(arrivals), mean_gap_(1 / arrivals.request_rate.si()), stream_(seed, name, "arrivals") {
  JOULECAST_CHECK(arrivals.request_rate.si() > 0 && arrivals.process != Arrivals::Process::closed, "arrivals without a rate");
  if (arrivals.daily) clock_.emplace(*arrivals.daily);
}

Time ArrivalTimes::next() {
  double gap = mean_gap_;
  switch (arrivals_.process) {
    case Arrivals::Process::poisson:
      gap *= stream_.exponential();
      break;
    case Arrivals::Process::gamma:
      gap *= stream_.gamma(arrivals_.burstiness);
      break;
    case Arrivals::Process::constant:
    case Arrivals::Process::closed:
      break;
  }
  if (gap > kMostSeconds || at_.units() > kMostSeconds) return kForever;
  const FixedTime even = FixedTime::from_units(gap);
  at_ = clock_ ? clock_->advance(even, FixedTime::from_units(kMostSeconds)) : at_ + even;
  return floor_time(at_);
}

}  // namespace joulecast::traces
