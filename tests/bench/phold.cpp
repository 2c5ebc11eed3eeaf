// PHOLD by queue alone and by the engine. One measurement a process: a fresh heap, and nothing left over in caches.
//   bench_phold QUEUE PENDING [EVENTS]
// QUEUE is std (std::priority_queue), heap (the 4-ary heap, pop and push), replace (the same, as the engine uses it) or engine.
// Prints events per CPU second.

#include "../support/phold.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <queue>
#include <string>
#include <vector>

#include "engine/heap.hpp"

using namespace joulecast;
using namespace joulecast::engine;

namespace {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Exponential increments from SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): cheap, so that the queue is what is measured.
class Increments {
 public:
  Span next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    const double uniform = (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
    return {static_cast<std::int64_t>(-1e6 * std::log(uniform))};
  }

 private:
  std::uint64_t state_ = 42;
};

struct Later {
  bool operator()(const Event& a, const Event& b) const { return b < a; }
};

class StdQueue {
 public:
  void push(const Event& event) { queue_.push(event); }
  const Event& top() const { return queue_.top(); }
  void replace_top(const Event& event) {
    queue_.pop();
    queue_.push(event);
  }

 private:
  std::priority_queue<Event, std::vector<Event>, Later> queue_;
};

class PopPushQueue {
 public:
  void push(const Event& event) { heap_.push(event); }
  const Event& top() const { return heap_.top(); }
  void replace_top(const Event& event) {
    heap_.pop();
    heap_.push(event);
  }

 private:
  EventHeap heap_;
};

template <class Queue>
double hold(std::uint64_t pending, std::uint64_t events) {
  Queue queue;
  Increments increments;
  std::uint64_t number = 0, check = 0;
  const auto event_after = [&](Time t) {
    ++number;
    return Event{t + increments.next(), number, static_cast<EntityId>(number), 0, 0, number};
  };
  for (std::uint64_t i = 0; i < pending; ++i) queue.push(event_after(Time{0}));
  const auto run = [&](std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const Event event = queue.top();
      check += event.payload;
      queue.replace_top(event_after(event.time));
    }
  };
  run(events / 4);
  const double begin = cpu_seconds();
  run(events);
  const double seconds = cpu_seconds() - begin;
  if (check == 0) std::abort();
  return static_cast<double>(events) / seconds;
}

double hold_by_engine(std::uint64_t pending, std::uint64_t events) {
  test::PholdSize size;
  size.processes = 256;
  size.messages_each = static_cast<std::uint32_t>(pending / size.processes);
  Simulation simulation;
  test::build_phold(simulation, size);
  RunOptions options;
  options.grouping = Grouping::one_cell;
  const double delay = size.lookahead.seconds() + size.mean_delay;
  options.horizon = Time{0} + span_from_seconds(delay * static_cast<double>(events) / static_cast<double>(pending));
  const double begin = cpu_seconds();
  const RunStats stats = simulation.run(options);
  return static_cast<double>(stats.events) / (cpu_seconds() - begin);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string queue = argc > 1 ? argv[1] : "";
  const std::uint64_t pending = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::uint64_t events = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 3'000'000;
  double rate = 0;
  if (pending >= 256 && events > 0) {
    if (queue == "std") rate = hold<StdQueue>(pending, events);
    if (queue == "heap") rate = hold<PopPushQueue>(pending, events);
    if (queue == "replace") rate = hold<EventHeap>(pending, events);
    if (queue == "engine") rate = hold_by_engine(pending, events);
  }
  if (rate == 0) {
    std::fprintf(stderr, "usage: bench_phold std|heap|replace|engine PENDING(>= 256) [EVENTS]\n");
    return 2;
  }
  std::printf("%.0f\n", rate);
}
