#include "training/job.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace joulecast::training {

namespace {

using metering::State;

constexpr std::uint16_t kIterationTimer = 0;

}  // namespace

/// Puts an iteration's passes and waits into the meters, from `begun` on.
class Job::Charge final : public LaneSink {
 public:
  Charge(Job& job, FixedTime begun) : job_(job), begun_(begun) {}

  void work(std::size_t lane, const Operation& operation, FixedTime from, const OperatingPoint& point) override {
    add_operation(job_.lanes_[lane], operation.pass, point);
    meter(lane, State::active, from, point.time, point.energy);
  }
  void wait(std::size_t lane, Spent spent, FixedTime from, FixedTime length, FixedEnergy energy) override {
    SpentAccount& own = job_.lanes_[lane];
    own.time[static_cast<std::size_t>(spent)] += length;
    own.energy[static_cast<std::size_t>(spent)] += energy;
    meter(lane, spent == Spent::communication ? State::active : State::spin_wait, from, length, energy);
  }

 private:
  void meter(std::size_t lane, State state, FixedTime from, FixedTime length, FixedEnergy energy) {
    for (const JobDevice& device : job_.setup_.devices[lane]) {
      device.meter->add(state, begun_ + from, begun_ + from + length, device.copies * energy);
    }
  }

  Job& job_;
  FixedTime begun_;
};

Job::Job(JobSetup setup) : setup_(std::move(setup)), lanes_(setup_.fleet.lanes()) {
  JOULECAST_CHECK(setup_.devices.size() == setup_.fleet.lanes(), "a job has devices for every lane");
  statistics_.stages.resize(setup_.fleet.stages());
}

void Job::start(engine::Context& context) {
  if (setup_.iterations > 0) context.set_timer(kIterationTimer, std::max(setup_.start, context.now()));
}

void Job::on(const engine::Event&, engine::Context& context) {
  if (!running_) {
    idle_until(to_fixed(context.now()));
    begin(to_fixed(context.now()), context);
    return;
  }
  const FixedTime length = setup_.fleet.makespan();
  charge(length);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const SpentAccount all = setup_.fleet.multiplicity(lane) * lanes_[lane];
    statistics_.stages[lane % setup_.fleet.stages()] += all;
    statistics_.spent += all;
  }
  statistics_.shortest = statistics_.iterations == 0 ? length : std::min(statistics_.shortest, length);
  statistics_.longest = std::max(statistics_.longest, length);
  statistics_.time += length;
  ++statistics_.iterations;
  running_ = false;
  statistics_.finished = statistics_.iterations == setup_.iterations;
  if (!statistics_.finished) begin(begun_ + length, context);
}

void Job::begin(FixedTime at, engine::Context& context) {
  setup_.fleet.advance();
  JOULECAST_CHECK(setup_.fleet.makespan() > FixedTime{}, "an iteration that takes no time");
  begun_ = at;
  running_ = true;
  context.set_timer(kIterationTimer, floor_time(at + setup_.fleet.makespan()));
}

/// Charges the running iteration's first `limit`.
void Job::charge(FixedTime limit) {
  std::fill(lanes_.begin(), lanes_.end(), SpentAccount{});
  Charge sink(*this, begun_);
  setup_.fleet.tell(sink, limit);
  const auto add = [](const JobDevice& device, metering::ClassId id, const SpentAccount& own, Spent spent) {
    const auto i = static_cast<std::size_t>(spent);
    device.meter->add_class(id, device.copies * own.time[i], device.copies * own.energy[i]);
  };
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    for (const JobDevice& device : setup_.devices[lane]) {
      add(device, setup_.classes.forward, lanes_[lane], Spent::forward);
      add(device, setup_.classes.backward, lanes_[lane], Spent::backward);
      add(device, setup_.classes.recompute, lanes_[lane], Spent::recompute);
      add(device, setup_.classes.optimizer, lanes_[lane], Spent::optimizer);
      add(device, setup_.classes.communication, lanes_[lane], Spent::communication);
    }
  }
}

void Job::idle_until(FixedTime to) {
  for (const auto& lane : setup_.devices) {
    for (const JobDevice& device : lane) {
      const FixedTime from = device.meter->covered();
      if (to > from) device.meter->add(State::bare_idle, from, to, device.meter->gpus() * WaitingPower(setup_.bare_idle).until(to - from));
    }
  }
}

void Job::finish(engine::Context& context) {
  const FixedTime now = to_fixed(context.now());
  if (running_) charge(now - begun_);
  running_ = false;
  idle_until(now);
}

std::uint64_t Job::fingerprint(Time now) const {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(statistics_.iterations), static_cast<std::uint64_t>(begun_.raw));
  if (running_) hash = mix(hash, static_cast<std::uint64_t>(now.ns - floor_time(begun_).ns));
  return hash;
}

}  // namespace joulecast::training
