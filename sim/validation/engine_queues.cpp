#include "validation/engine_queues.hpp"

#include <cmath>
#include <deque>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "engine/simulation.hpp"

namespace joulecast::validation {
namespace {

/// The whole station as one entity: timer 0 is the next arrival, timer s the end of service at server s.
class QueueStation final : public engine::Entity {
 public:
  QueueStation(Service service, int servers, double rho, std::uint64_t seed, std::uint64_t customers, std::uint64_t left_out)
      : arrivals_(seed, "station", "arrivals"),
        services_(seed, "station", "services"),
        exponential_(service == Service::exponential),
        mean_gap_(1.0 / (rho * servers)),
        customers_(customers),
        left_out_(left_out) {
    for (int s = servers; s > 0; --s) free_.push_back(static_cast<std::uint16_t>(s));
  }

  double mean_wait() const { return wait_.seconds() / static_cast<double>(customers_ - left_out_); }

  void start(engine::Context& context) override { context.set_timer(0, context.now() + gap()); }
  void on(const engine::Event& event, engine::Context& context) override {
    if (event.kind == 0) {
      if (++arrived_ < customers_) context.set_timer(0, event.time + gap());
      if (free_.empty()) {
        waiting_.push_back(event.time);
      } else {
        serve(event.time, free_.back(), context);
        free_.pop_back();
      }
    } else if (waiting_.empty()) {
      free_.push_back(event.kind);
    } else {
      serve(waiting_.front(), event.kind, context);
      waiting_.pop_front();
    }
  }
  std::uint64_t fingerprint(Time) const override { return served_; }

 private:
  Span gap() { return span_from_seconds(mean_gap_ * arrivals_.exponential()); }
  void serve(Time came, std::uint16_t server, engine::Context& context) {
    if (served_++ >= left_out_) wait_ = wait_ + (context.now() - came);
    context.set_timer(server, context.now() + (exponential_ ? span_from_seconds(services_.exponential()) : Span{1'000'000'000}));
  }

  Stream arrivals_, services_;
  bool exponential_;
  double mean_gap_;
  std::uint64_t customers_, left_out_;
  std::uint64_t arrived_ = 0, served_ = 0;
  std::deque<Time> waiting_;
  std::vector<std::uint16_t> free_;
  Span wait_;
};

}  // namespace

double mean_wait(Service service, int servers, double rho, std::uint64_t seed, std::uint64_t customers, std::uint64_t left_out) {
  JOULECAST_CHECK(servers > 0 && rho > 0 && customers > left_out, "a station has servers, arrivals and customers that count");
  engine::Simulation simulation;
  QueueStation* station = simulation.add_new<QueueStation>("station", engine::Level::decode, service, servers, rho, seed, customers, left_out).second;
  simulation.run({});
  return station->mean_wait();
}

QueueCheck mean_wait_check(Service service, int servers, double rho, int replications, std::uint64_t customers, std::uint64_t left_out) {
  JOULECAST_CHECK(replications > 1, "a standard error takes two replications or more");
  double sum = 0, squares = 0;
  for (int seed = 1; seed <= replications; ++seed) {
    const double mean = mean_wait(service, servers, rho, static_cast<std::uint64_t>(seed), customers, left_out);
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / replications;
  return {mean, std::sqrt((squares / replications - mean * mean) / (replications - 1))};
}

}  // namespace joulecast::validation
