#include "metering/ledger.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "metering/ledger_parts.hpp"

namespace joulecast::metering {

std::string_view name(Boundary boundary) {
  constexpr std::string_view names[] = {"gpu", "chassis_ac", "it", "facility"};
  return names[static_cast<int>(boundary)];
}

Ledger::Ledger(Span bin, double pue) : parts_(std::make_unique<Parts>()) {
  JOULECAST_CHECK(bin.ns > 0 && pue >= 1, fmt::format("a ledger with bins of {} ns and a PUE of {}", bin.ns, pue));
  parts_->bin = bin;
  parts_->pues.push_back(pue);
}
Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

ClassId Ledger::register_class(std::string name) {
  JOULECAST_CHECK(parts_->classes.size() < kMaxClasses, fmt::format("class {} is one more than the {} a meter holds", name, kMaxClasses));
  parts_->classes.push_back(std::move(name));
  return static_cast<ClassId>(parts_->classes.size() - 1);
}

std::size_t Ledger::add_pool(std::string name) {
  Parts::Pool pool{std::move(name), {}};
  pool.provenance.fill({Provenance::modelled, Provenance::modelled});
  parts_->pools.push_back(std::move(pool));
  return parts_->pools.size() - 1;
}

std::size_t Ledger::add_site(double pue) {
  JOULECAST_CHECK(pue >= 1, fmt::format("a site with a PUE of {}", pue));
  parts_->pues.push_back(pue);
  return parts_->pues.size() - 1;
}

std::size_t Ledger::add_feed() { return parts_->feeds++; }

std::size_t Ledger::add_node(std::string name, int gpus, NodeOverhead overhead, NodePlace place) {
  overhead.check();
  JOULECAST_CHECK(place.site < parts_->pues.size() && (!place.feed || *place.feed < parts_->feeds),
                  fmt::format("node {} is at no site or feed", name));
  parts_->nodes.push_back({std::move(name), gpus, std::move(overhead), place});
  return parts_->nodes.size() - 1;
}

void Ledger::set_provenance(std::size_t pool, ClassId id, Provenance time, Provenance watts) {
  parts_->pools.at(pool).provenance.at(id) = {time, watts};
}

Meter& Ledger::add_device(std::string name, std::size_t pool, std::size_t node, int gpus) {
  JOULECAST_CHECK(pool < parts_->pools.size() && node < parts_->nodes.size(), fmt::format("device {} is in no pool or node", name));
  return parts_->devices.emplace_back(Parts::Device{Meter(std::move(name), gpus, parts_->bin), pool, node}).meter;
}

}  // namespace joulecast::metering
