#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "metering/ledger.hpp"

namespace joulecast::metering {

/// The bins of [0, end): all `width` wide but the last, which ends at `end`.
struct Bins {
  std::int64_t width_ns;
  std::int64_t end_ns;
  std::size_t count;

  Bins(Span width, Time end) : width_ns(width.ns), end_ns(end.ns), count(static_cast<std::size_t>((end.ns + width.ns - 1) / width.ns)) {}
  std::size_t whole() const { return static_cast<std::size_t>(end_ns / width_ns); }
  double seconds(std::size_t bin) const {
    const std::int64_t from = static_cast<std::int64_t>(bin) * width_ns;
    return Span{std::min(width_ns, end_ns - from)}.seconds();
  }
};

/// Energy of equal bins.
using Nanojoules = std::vector<std::int64_t>;

inline void add_bins(Nanojoules& sum, const Nanojoules& bins) {
  for (std::size_t i = 0; i < bins.size(); ++i) sum[i] += bins[i];
}

inline std::int64_t total(const Nanojoules& bins) {
  std::int64_t sum = 0;
  for (const std::int64_t bin : bins) sum += bin;
  return sum;
}

struct Ledger::Parts {
  struct Pool {
    std::string name;
    std::array<std::pair<Provenance, Provenance>, kMaxClasses> provenance;  ///< of time, of watts
  };
  struct Node {
    std::string name;
    int gpus;
    NodeOverhead overhead;
    NodePlace place;
  };
  struct Device {
    Meter meter;
    std::size_t pool, node;
  };

  Span bin;
  std::vector<double> pues;  ///< of the sites
  std::size_t feeds = 0;
  std::vector<std::string> classes;
  std::vector<Pool> pools;
  std::vector<Node> nodes;
  std::deque<Device> devices;

  /// Throws Bug unless states = bins = classes = [0, end) on every device and every node's GPUs are in a device.
  void audit(Time end, const Bins& bins) const;
  /// Everything of the pools but what lies beyond their GPUs.
  std::vector<PoolAccount> gpu_accounts(const Bins& bins) const;
  std::vector<ClassAccount> class_accounts(std::size_t pool) const;
  double pue(const Node& node) const { return pues[node.place.site]; }
  /// Joules of every node at each boundary; adds its watts a bin to `watts`, and to its site and feed in `account`.
  std::vector<PerBoundary<double>> node_joules(const Bins& bins, PerBoundary<std::vector<double>>& watts, EnergyAccount& account) const;
  /// Joules of a pool at the facility; what it has at several sites is multiplied by the PUE of each.
  double facility_joules(std::size_t pool, double it_joules, const std::vector<PerBoundary<double>>& nodes) const;
  /// Shares what lies beyond the GPUs of a node among its devices by the number of GPUs.
  void share_overhead(const std::vector<PerBoundary<double>>& nodes, std::vector<PoolAccount>& accounts) const;
};

}  // namespace joulecast::metering
