// The engine's own share of an event where few are pending: `replicas` entities that do nothing but move a timer on, as a replica in step
// mode does, in one cell.  bench_step_loop [REPLICAS] [EVENTS]  prints nanoseconds of CPU time an event.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "engine/simulation.hpp"

using namespace joulecast;
using namespace joulecast::engine;

namespace {

class Stepper final : public Entity {
 public:
  explicit Stepper(Span step) : step_(step) {}
  void start(Context& context) override { context.set_timer(0, context.now() + step_); }
  void on(const Event&, Context& context) override {
    ++steps_;
    context.set_timer(0, context.now() + step_);
  }
  std::uint64_t fingerprint(Time) const override { return steps_; }

 private:
  Span step_;
  std::uint64_t steps_ = 0;
};

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint32_t replicas = argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 4;
  const std::uint64_t events = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 3'000'000;
  Simulation simulation;
  std::vector<EntityId> all;
  for (std::uint32_t i = 0; i < replicas; ++i) {
    all.push_back(simulation.add_new<Stepper>("replica " + std::to_string(i), Level::decode, Span{20'000'000 + 1'234'567 * (i % 16)}).first);
  }
  simulation.group(all);
  RunOptions options;
  options.horizon = Time{static_cast<std::int64_t>(events / replicas) * 25'000'000};
  const double begin = cpu_seconds();
  const RunStats stats = simulation.run(options);
  std::printf("%.2f\n", (cpu_seconds() - begin) * 1e9 / static_cast<double>(stats.events));
}
