#include "hardware/node.hpp"

#include <fmt/format.h>

#include <cmath>

namespace joulecast::hardware {

namespace {

using config::Bounds;

std::optional<double> plain(const config::Node& node) {
  if (const auto* number = node.as<double>()) return *number;
  if (const auto* whole = node.as<std::int64_t>()) return static_cast<double>(*whole);
  return std::nullopt;
}

/// `value = [[load, efficiency], ..]`: rising loads in (0, 1], efficiencies in (0, 1].
void read_efficiency(NodeProfile& target, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto text = read_figure_text(node, "psu_efficiency", diagnostics);
  if (!text) return;
  std::vector<std::pair<double, double>> points;
  bool whole = true;
  if (const auto* rows = text->value->as<config::Node::Array>()) {
    for (const auto& row : *rows) {
      const auto* pair = row.as<config::Node::Array>();
      const auto load = pair != nullptr && pair->size() == 2 ? plain((*pair)[0]) : std::nullopt;
      const auto efficiency = pair != nullptr && pair->size() == 2 ? plain((*pair)[1]) : std::nullopt;
      const bool rises = load && (points.empty() || *load > points.back().first);
      if (!load || !efficiency || !rises || *load <= 0 || *load > 1 || *efficiency <= 0 || *efficiency > 1) {
        whole = false;
        break;
      }
      points.emplace_back(*load, *efficiency);
    }
  }
  if (!whole || points.empty()) {
    diagnostics.error(text->value->place(), "\"psu_efficiency\" is no list of [load, efficiency] with rising loads, all in 0 .. 1",
                      "write value = [[0.1, 0.90], [0.5, 0.96], [1, 0.91]]");
    return;
  }
  target.psu_efficiency = {std::move(points), text->source, text->kind, text->error};
}

config::Record<NodeProfile> node_record() {
  config::Record<NodeProfile> r("node profile");
  r.required("name", &NodeProfile::name, Bounds::any(), "name of the node");
  r.optional("aliases", &NodeProfile::aliases, "[]", Bounds::any(), "other names it answers to");
  r.required("gpu", &NodeProfile::gpu, Bounds::any(), "name of its GPUs' profile");
  r.required("gpus", &NodeProfile::gpus, Bounds::between(1, 1024), "number of GPUs");
  r.optional("fabric", &NodeProfile::fabric, "\"\"", Bounds::any(), "fabric profile that joins such nodes where a cluster names none");
  figure(r, "host", &NodeProfile::host, Bounds::not_negative(), "DC watts of CPUs, memory, NICs and switches, GPUs and fans left out");
  figure(r, "fans_peak", &NodeProfile::fans_peak, Bounds::not_negative(), "DC watts of the fans at their peak; 0 where a liquid cools");
  figure(r, "fans_peak_dc", &NodeProfile::fans_peak_dc, Bounds::positive(), "GPUs + host watts at which the fans are at their peak");
  figure(r, "fans_idle_share", &NodeProfile::fans_idle_share, Bounds::between(0, 1), "share of the fans' peak that is drawn always");
  figure(r, "psu_rated", &NodeProfile::psu_rated, Bounds::positive(), "DC watts of all supplies that share the load");
  figure(r, "rated", &NodeProfile::rated, Bounds::positive(), "the whole node's rating, AC");
  r.custom("psu_efficiency", "figure { value = [[load, efficiency], ..], source, kind, error }", "", "efficiency of the supplies by load",
           read_efficiency, true);
  return r;
}

}  // namespace

metering::NodeOverhead NodeProfile::overhead() const {
  metering::NodeOverhead overhead;
  overhead.host = host.value;
  overhead.fans_peak = fans_peak.value;
  overhead.fans_idle_share = fans_idle_share.value;
  overhead.fans_peak_dc = fans_peak_dc.value;
  overhead.psu_rated = psu_rated.value;
  overhead.psu_efficiency = psu_efficiency.value;
  overhead.network = network;
  return overhead;
}

Watts NodeProfile::nameplate(Watts gpu_limit) const { return overhead().chassis_ac(static_cast<double>(gpus) * gpu_limit); }

NodeProfile load_node(const std::string& path, config::Diagnostics& diagnostics) {
  auto node = node_record().read(config::load(path), diagnostics);
  node.file = path;
  return node;
}

}  // namespace joulecast::hardware
