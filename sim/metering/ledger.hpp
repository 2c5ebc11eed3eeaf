#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "metering/binned_power.hpp"
#include "metering/meter.hpp"
#include "metering/node_overhead.hpp"
#include "metering/power_statistics.hpp"

namespace joulecast::metering {

/// Where watts are counted. chassis_ac: GPUs, host and fans over the supplies' efficiency; it: with the network, what a feeder carries;
/// facility: it times PUE.
enum class Boundary : std::uint8_t { gpu, chassis_ac, it, facility };
inline constexpr int kBoundaries = 4;
std::string_view name(Boundary boundary);
template <class T>
using PerBoundary = std::array<T, kBoundaries>;

struct ClassAccount {
  std::string name;
  Provenance time_provenance, watts_provenance;
  double joules = 0, seconds = 0;  ///< seconds are GPU-set seconds (a replica's step counts once, not once a GPU)
};

struct PoolAccount {
  std::string name;
  int gpus = 0;
  PerBoundary<double> joules{};  ///< what a node draws beside its GPUs is shared by the number of GPUs
  std::array<std::int64_t, kStates> state_nanojoules{};
  std::array<std::vector<float>, kStates> state_watts;  ///< mean watts a bin
  std::vector<ClassAccount> classes;                    ///< those with joules or seconds, in order of registration
};

/// The nodes of one place that share a PUE.
struct SiteAccount {
  PerBoundary<double> joules{};
  BinnedPower it;  ///< facility: times `pue`
  double pue = 1;
};

struct EnergyAccount {
  double horizon_s = 0, bin_s = 0;
  PerBoundary<double> joules{};
  std::array<std::int64_t, kStates> state_nanojoules{};
  std::vector<PoolAccount> pools;         ///< in order of registration; unused GPUs under "no pool"
  PerBoundary<std::vector<float>> watts;  ///< mean watts a bin, all devices; the last bin ends at the horizon
  PerBoundary<PowerStatistics> power{};   ///< whole bins from the first that begins after the warm-up
  std::vector<SiteAccount> sites;         ///< in order of registration
  std::vector<BinnedPower> feeds;         ///< `it` watts of the nodes on each, in order of registration
};

/// Where a node stands.
struct NodePlace {
  std::size_t site = 0;
  std::optional<std::size_t> feed = std::nullopt;
};

/// Owns the meters of a run and turns them into an account at four boundaries.
class Ledger {
 public:
  /// `bin` > 0; `pue` >= 1 applies from `it` to `facility` at the first site, number 0.
  Ledger(Span bin, double pue);
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  /// Registers a class of work; at most kMaxClasses.
  ClassId register_class(std::string name);
  std::size_t add_pool(std::string name);
  /// A further site, with its PUE.
  std::size_t add_site(double pue);
  std::size_t add_feed();
  /// `gpus` is what the node has; GPUs that no device uses must be registered as a device of bare idle ("no pool").
  std::size_t add_node(std::string name, int gpus, NodeOverhead overhead, NodePlace place = {});
  /// Provenance holds for all devices of a pool; modelled where none was set.
  void set_provenance(std::size_t pool, ClassId id, Provenance time, Provenance watts);
  /// A device lies in one node. The reference lives as long as the ledger.
  Meter& add_device(std::string name, std::size_t pool, std::size_t node, int gpus);

  /// The account of [0, end). Throws Bug, with the figures, if the audit fails: states = bins = devices exactly, classes = active
  /// exactly, every device's states cover [0, end) exactly, all GPUs of every node are in a device, overheads to 1e-9.
  EnergyAccount close(Time end, Span warmup) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace joulecast::metering
