#include "traces/requests/arrivals.hpp"

#include <algorithm>
#include <vector>

namespace joulecast::traces {
namespace {

constexpr double kMostSeconds = 6.3e9;

void read_process(Arrivals& arrivals, const config::Node& node, config::Diagnostics& diagnostics) {
  const std::vector<std::string> words = {"poisson", "gamma", "constant"};
  const auto* word = node.as<std::string>();
  if (word != nullptr && *word == "closed") {
    diagnostics.error(node.place(), "process = \"closed\" is not yet supported", "use \"poisson\", \"gamma\" or \"constant\" with a request_rate");
    return;
  }
  const auto found = word == nullptr ? words.end() : std::find(words.begin(), words.end(), *word);
  if (found == words.end()) {
    const std::string read = word == nullptr ? std::string(node.kind()) : "\"" + *word + "\"";
    const std::string near = word == nullptr ? "" : config::nearest(*word, words);
    diagnostics.error(node.place(), "process is " + read + ", expected one of poisson | gamma | constant",
                      near.empty() ? "write one of these words" : "is \"" + near + "\" meant?");
    return;
  }
  arrivals.process = static_cast<Arrivals::Process>(found - words.begin());
}

void check_burstiness(const Arrivals& arrivals, const Place& place, config::Diagnostics& diagnostics) {
  if (arrivals.process == Arrivals::Process::gamma || arrivals.burstiness == 1) return;
  diagnostics.error(place, "burstiness belongs to process \"gamma\"", "write process = \"gamma\", or leave burstiness out");
}

}  // namespace

config::Record<Arrivals> arrivals_record() {
  using config::Bounds;
  config::Record<Arrivals> record("arrivals of generated requests");
  record.custom("process", "one of poisson | gamma | constant", "\"poisson\"", "law of the gaps between arrivals", read_process);
  record.required("request_rate", &Arrivals::request_rate, Bounds::between(1e-6, 1e8), "mean arrivals a second");
  record.optional("burstiness", &Arrivals::burstiness, "1", Bounds::between(0.001, 1e6), "shape of the gamma law; below 1 is burstier than Poisson");
  record.later("max_concurrency", "requests in flight of a closed loop");
  record.check(check_burstiness);
  return record;
}

ArrivalTimes::ArrivalTimes(const Arrivals& arrivals, std::uint64_t seed, std::string_view name)
    : arrivals_(arrivals), mean_gap_(1 / arrivals.request_rate.si()), stream_(seed, name, "arrivals") {
  JOULECAST_CHECK(arrivals.request_rate.si() > 0, "arrivals without a rate");
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
      break;
  }
  if (gap > kMostSeconds || at_.units() > kMostSeconds) return kForever;
  at_ += FixedTime::from_units(gap);
  return floor_time(at_);
}

}  // namespace joulecast::traces
