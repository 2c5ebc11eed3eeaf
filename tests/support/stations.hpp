#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/philox.hpp"
#include "engine/simulation.hpp"

namespace joulecast::test {

/// Sends customers to the first station of a line, Poisson with `rate` a second; a customer is a number.
class CustomerSource final : public engine::Entity {
 public:
  CustomerSource(std::uint64_t seed, double rate, std::uint64_t customers)
      : random_(seed, "customers", "arrivals"), rate_(rate), customers_(customers) {}

  engine::Port port;
  engine::EntityId first_station = 0;

  void start(engine::Context& context) override { context.set_timer(0, context.now() + gap()); }
  void on(const engine::Event&, engine::Context& context) override {
    context.send(port, first_station, 0, sent_++);
    if (sent_ < customers_) context.set_timer(0, context.now() + gap());
  }
  std::uint64_t fingerprint(Time) const override { return sent_; }

 private:
  Span gap() { return span_from_seconds(random_.exponential() / rate_); }

  Stream random_;
  double rate_;
  std::uint64_t customers_;
  std::uint64_t sent_ = 0;
};

/// `servers` servers with one queue, first come first served, with a mean service of 1 s; passes customers on where there is a next station.
class Station final : public engine::Entity {
 public:
  Station(std::uint64_t seed, const std::string& name, int servers, bool exponential)
      : random_(seed, name, "service"), in_service_(static_cast<std::size_t>(servers), kFree), exponential_(exponential) {}

  engine::Port port;
  engine::EntityId next = UINT32_MAX;
  std::vector<double> waits;  ///< seconds, in the order of service

  void on(const engine::Event& event, engine::Context& context) override {
    if (event.timer == 0) {
      queue_.push_back({event.payload, event.time});
    } else {
      if (next != UINT32_MAX) context.send(port, next, 0, in_service_[event.kind]);
      in_service_[event.kind] = kFree;
    }
    for (std::uint16_t server = 0; server < in_service_.size() && !queue_.empty(); ++server) {
      if (in_service_[server] != kFree) continue;
      in_service_[server] = queue_.front().number;
      waits.push_back((event.time - queue_.front().came).seconds());
      queue_.pop_front();
      context.set_timer(server, event.time + span_from_seconds(exponential_ ? random_.exponential() : 1.0));
    }
  }
  std::uint64_t fingerprint(Time) const override { return waits.size(); }

 private:
  struct Customer {
    std::uint64_t number;
    Time came;
  };
  static constexpr std::uint64_t kFree = UINT64_MAX;

  Stream random_;
  std::deque<Customer> queue_;
  std::vector<std::uint64_t> in_service_;
  bool exponential_;
};

}  // namespace joulecast::test
