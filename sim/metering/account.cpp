#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "metering/ledger_parts.hpp"

namespace joulecast::metering {

namespace {

constexpr auto kGpu = static_cast<std::size_t>(Boundary::gpu);
constexpr auto kChassisAc = static_cast<std::size_t>(Boundary::chassis_ac);
constexpr auto kIt = static_cast<std::size_t>(Boundary::it);
constexpr auto kFacility = static_cast<std::size_t>(Boundary::facility);

std::vector<float> mean_watts(const Nanojoules& nanojoules, const Bins& bins) {
  std::vector<float> watts(bins.count);
  for (std::size_t i = 0; i < bins.count; ++i) watts[i] = static_cast<float>(static_cast<double>(nanojoules[i]) * 1e-9 / bins.seconds(i));
  return watts;
}

std::int64_t total(const std::array<std::int64_t, kStates>& states) {
  std::int64_t sum = 0;
  for (const std::int64_t state : states) sum += state;
  return sum;
}

void audit_sum(const std::vector<PoolAccount>& pools, const PerBoundary<double>& joules) {
  for (std::size_t b = 0; b < kBoundaries; ++b) {
    double parts = 0;
    for (const PoolAccount& pool : pools) parts += pool.joules[b];
    JOULECAST_CHECK(std::abs(parts - joules[b]) <= 1e-9 * std::abs(joules[b]),
                    fmt::format("audit: {} is {:.15g} J over pools and {:.15g} J over nodes", name(static_cast<Boundary>(b)), parts, joules[b]));
  }
}

/// Statistics of the whole bins from `first` on; the mean takes the last, shorter bin in.
PowerStatistics statistics_of(const std::vector<double>& watts, const Bins& bins, std::size_t first) {
  const std::vector<float> whole(watts.begin(), watts.begin() + static_cast<std::ptrdiff_t>(bins.whole()));
  PowerStatistics statistics = power_statistics(whole, Span{bins.width_ns}.seconds(), first);
  double joules = 0, seconds = 0;
  for (std::size_t i = first; i < bins.count; ++i) {
    joules += watts[i] * bins.seconds(i);
    seconds += bins.seconds(i);
  }
  statistics.mean = seconds > 0 ? joules / seconds : std::numeric_limits<double>::quiet_NaN();
  return statistics;
}

}  // namespace

std::vector<ClassAccount> Ledger::Parts::class_accounts(std::size_t pool) const {
  std::vector<ClassAccount> accounts;
  for (std::size_t id = 0; id < classes.size(); ++id) {
    FixedTime seconds;
    FixedEnergy joules;
    for (const Device& device : devices) {
      if (device.pool != pool) continue;
      seconds += device.meter.class_seconds(static_cast<ClassId>(id));
      joules += device.meter.class_joules(static_cast<ClassId>(id));
    }
    if (seconds == FixedTime{} && joules == FixedEnergy{}) continue;
    const auto [time, watts] = pools[pool].provenance[id];
    accounts.push_back({classes[id], time, watts, joules.units(), seconds.units()});
  }
  return accounts;
}

std::vector<PoolAccount> Ledger::Parts::gpu_accounts(const Bins& bins) const {
  std::vector<PoolAccount> accounts(pools.size());
  for (std::size_t p = 0; p < pools.size(); ++p) {
    accounts[p].name = pools[p].name;
    accounts[p].classes = class_accounts(p);
    for (int s = 0; s < kStates; ++s) {
      Nanojoules sum(bins.count, 0);
      for (const Device& device : devices) {
        if (device.pool == p) add_bins(sum, device.meter.bins(static_cast<State>(s)));
      }
      accounts[p].state_watts[static_cast<std::size_t>(s)] = mean_watts(sum, bins);
      accounts[p].state_nanojoules[static_cast<std::size_t>(s)] = total(sum);
    }
  }
  for (const Device& device : devices) accounts[device.pool].gpus += device.meter.gpus();
  return accounts;
}

std::vector<PerBoundary<double>> Ledger::Parts::node_joules(const Bins& bins, PerBoundary<std::vector<double>>& watts, EnergyAccount& account) const {
  std::vector<PerBoundary<double>> joules(nodes.size());
  const BinnedPower none{std::vector<double>(bins.count, 0.0), Span{bins.width_ns}, Time{bins.end_ns}};
  for (const double each : pues) account.sites.push_back({{}, none, each});
  account.feeds.assign(feeds, none);
  for (auto& series : watts) series.assign(bins.count, 0.0);
  std::vector<Nanojoules> gpu(nodes.size(), Nanojoules(bins.count, 0));
  for (const Device& device : devices) {
    for (int s = 0; s < kStates; ++s) add_bins(gpu[device.node], device.meter.bins(static_cast<State>(s)));
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const NodeOverhead& overhead = nodes[n].overhead;
    for (std::size_t i = 0; i < bins.count; ++i) {
      const double seconds = bins.seconds(i);
      const Watts gpus{static_cast<double>(gpu[n][i]) * 1e-9 / seconds};
      const Watts chassis_ac = overhead.chassis_ac(gpus);
      const Watts it = chassis_ac + overhead.network;
      const PerBoundary<double> draw{gpus.si(), chassis_ac.si(), it.si(), it.si() * pue(nodes[n])};
      account.sites[nodes[n].place.site].it.watts[i] += it.si();
      if (nodes[n].place.feed) account.feeds[*nodes[n].place.feed].watts[i] += it.si();
      for (std::size_t b = 0; b < kBoundaries; ++b) {
        watts[b][i] += draw[b];
        joules[n][b] += draw[b] * seconds;
      }
    }
    joules[n][kGpu] = static_cast<double>(total(gpu[n])) / 1e9;
    for (std::size_t b = 0; b < kBoundaries; ++b) account.sites[nodes[n].place.site].joules[b] += joules[n][b];
  }
  return joules;
}

void Ledger::Parts::share_overhead(const std::vector<PerBoundary<double>>& node_joules, std::vector<PoolAccount>& accounts) const {
  for (PoolAccount& pool : accounts) pool.joules.fill(static_cast<double>(total(pool.state_nanojoules)) / 1e9);
  for (const Device& device : devices) {
    const auto& node = node_joules[device.node];
    const double gpu_share = static_cast<double>(device.meter.gpus()) / nodes[device.node].gpus;
    for (std::size_t b = kChassisAc; b <= kIt; ++b) accounts[device.pool].joules[b] += (node[b] - node[kGpu]) * gpu_share;
  }
  for (std::size_t p = 0; p < accounts.size(); ++p) accounts[p].joules[kFacility] = facility_joules(p, accounts[p].joules[kIt], node_joules);
}

double Ledger::Parts::facility_joules(std::size_t pool, double it_joules, const std::vector<PerBoundary<double>>& node_joules) const {
  std::optional<double> common;
  bool several = false;
  for (const Device& device : devices) {
    if (device.pool != pool) continue;
    several = several || (common && *common != pue(nodes[device.node]));
    common = pue(nodes[device.node]);
  }
  if (!several) return it_joules * common.value_or(pues.front());
  double facility = 0;
  for (const Device& device : devices) {
    if (device.pool != pool) continue;
    const Node& node = nodes[device.node];
    double gpus = 0;
    for (int s = 0; s < kStates; ++s) gpus += static_cast<double>(total(device.meter.bins(static_cast<State>(s)))) / 1e9;
    const auto& drawn = node_joules[device.node];
    facility += pue(node) * (gpus + (drawn[kIt] - drawn[kGpu]) * static_cast<double>(device.meter.gpus()) / node.gpus);
  }
  return facility;
}

EnergyAccount Ledger::close(Time end, Span warmup) const {
  const Bins bins(parts_->bin, end);
  parts_->audit(end, bins);
  EnergyAccount account;
  account.horizon_s = end.seconds();
  account.bin_s = parts_->bin.seconds();
  account.pools = parts_->gpu_accounts(bins);
  for (const PoolAccount& pool : account.pools) {
    for (std::size_t s = 0; s < kStates; ++s) account.state_nanojoules[s] += pool.state_nanojoules[s];
  }

  PerBoundary<std::vector<double>> watts;
  const auto nodes = parts_->node_joules(bins, watts, account);
  for (const auto& node : nodes) {
    for (std::size_t b = 0; b < kBoundaries; ++b) account.joules[b] += node[b];
  }
  account.joules[kGpu] = static_cast<double>(total(account.state_nanojoules)) / 1e9;
  parts_->share_overhead(nodes, account.pools);
  audit_sum(account.pools, account.joules);

  const auto first = static_cast<std::size_t>((warmup.ns + parts_->bin.ns - 1) / parts_->bin.ns);
  for (std::size_t b = 0; b < kBoundaries; ++b) {
    account.watts[b].assign(watts[b].begin(), watts[b].end());
    account.power[b] = statistics_of(watts[b], bins, first);
  }
  return account;
}

}  // namespace joulecast::metering
