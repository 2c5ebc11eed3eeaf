#include <fmt/format.h>

#include "base/error.hpp"
#include "metering/ledger_parts.hpp"

namespace joulecast::metering {

namespace {

void audit_device(const Meter& meter, Time end, const Bins& bins) {
  JOULECAST_CHECK(meter.covered() == to_fixed(end),
                  fmt::format("audit: states of {} cover {:.9f} s of {:.9f} s", meter.device(), meter.covered().units(), end.seconds()));
  FixedTime seconds;
  for (int s = 0; s < kStates; ++s) {
    const auto state = static_cast<State>(s);
    seconds += meter.seconds(state);
    const std::int64_t in_bins = total(meter.bins(state));
    const std::int64_t in_state = meter.joules(state).floor_nano();
    JOULECAST_CHECK(meter.bins(state).size() <= bins.count && in_bins == in_state,
                    fmt::format("audit: {} of {} is {} nJ in {} bins of {} and {} nJ as a state", name(state), meter.device(), in_bins,
                                meter.bins(state).size(), bins.count, in_state));
  }
  JOULECAST_CHECK(seconds == to_fixed(end),
                  fmt::format("audit: states of {} last {:.9f} s of {:.9f} s", meter.device(), seconds.units(), end.seconds()));
  FixedEnergy classes;
  for (int id = 0; id < kMaxClasses; ++id) classes += meter.class_joules(static_cast<ClassId>(id));
  const FixedEnergy active = meter.joules(State::active);
  JOULECAST_CHECK(classes == active, fmt::format("audit: classes of {} are {:.12g} J and active is {:.12g} J, apart by {} x 2^-24 nJ", meter.device(),
                                                 classes.units(), active.units(), static_cast<std::int64_t>(classes.raw - active.raw)));
}

}  // namespace

void Ledger::Parts::audit(Time end, const Bins& bins) const {
  std::vector<int> gpus(nodes.size(), 0);
  for (const Device& device : devices) {
    audit_device(device.meter, end, bins);
    gpus[device.node] += device.meter.gpus();
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    JOULECAST_CHECK(gpus[i] == nodes[i].gpus, fmt::format("audit: {} has {} GPUs and its devices {}", nodes[i].name, nodes[i].gpus, gpus[i]));
  }
}

}  // namespace joulecast::metering
