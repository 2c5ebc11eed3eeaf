#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "scenario/resolver.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {

namespace {

/// The file of a length histogram: a shipped one by its name, any other by its path (".toml").
std::string histogram_path(const std::string& share, const std::string& name, const Place& place) {
  namespace fs = std::filesystem;
  if (name.ends_with(".toml")) {
    const std::string path = config::resolve_path(name, place);
    if (fs::exists(path)) return path;
    throw UserError(place, "there is no file \"" + path + "\"", "name a shipped histogram, or a file that tools/make-length-histogram made");
  }
  const fs::path folder = fs::path(share) / "workloads/serving";
  if (fs::exists(folder / (name + ".toml"))) return (folder / (name + ".toml")).string();
  std::vector<std::string> known;
  for (const auto& entry : fs::directory_iterator(folder)) known.push_back(entry.path().stem().string());
  std::sort(known.begin(), known.end());
  std::string list;
  for (const auto& each : known) list += (list.empty() ? "" : ", ") + each;
  const std::string near = config::nearest(name, known);
  throw UserError(place, "there is no length histogram \"" + name + "\"",
                  (near.empty() ? "" : "did you mean \"" + near + "\"? ") + "shipped are " + list);
}

}  // namespace

void Resolver::traffic(const std::string& name, const TrafficTable& table) {
  Traffic traffic;
  traffic.name = name;
  traffic.length_prediction = table.length_prediction;
  traffic.slo = table.slo;
  if (table.num_requests) traffic.num_requests = static_cast<std::uint64_t>(*table.num_requests);
  traffic.trace = table.requests.trace;
  const std::string histogram = table.requests.histogram.empty() ? table.lengths : table.requests.histogram;
  const int sources = (traffic.trace ? 1 : 0) + (table.requests.histogram.empty() ? 0 : 1) + (table.lengths.empty() ? 0 : 1);
  if (sources != 1) {
    diagnostics_.error(table.place, sources == 0 ? "the traffic has neither requests nor lengths" : "the traffic has both requests and lengths",
                       "write requests = \"azure-2023-conv\" with request_rate, or a trace, or arrivals with lengths");
    return;
  }
  if (traffic.trace) {
    scenario_.inputs.push_back(traces::trace_path(*traffic.trace));
    if (table.request_rate)
      scenario_.notes.push_back(fmt::format("traffic \"{}\": request_rate is ignored, the trace has arrivals of its own", name));
    if (table.arrivals) diagnostics_.error(table.place, "a trace has arrivals of its own", "remove arrivals, or take lengths in place of requests");
  } else {
    collecting([&] { traffic.histogram_path = histogram_path(share_, histogram, table.place); });
    traffic.histogram = histogram;
    scenario_.inputs.push_back(traffic.histogram_path);
    if (table.arrivals) {
      traffic.arrivals = *table.arrivals;
      if (table.request_rate) diagnostics_.error(table.place, "request_rate stands twice", "keep the one in arrivals");
    } else if (!table.request_rate) {
      diagnostics_.error(table.place, "the traffic has no request_rate", "write request_rate = \"5.5 /s\"");
    } else {
      traffic.arrivals.request_rate = *table.request_rate;
    }
    if (traffic.arrivals.request_rate.si() > 1e7) {
      diagnostics_.error(table.place, fmt::format("request_rate {:g} /s is above 1e7 /s", traffic.arrivals.request_rate.si()), "choose a lower one");
    }
  }
  traffic_pools(traffic, table);
  scenario_.traffics.push_back(std::move(traffic));
}

void Resolver::traffic_pools(Traffic& traffic, const TrafficTable& table) {
  traffic.models = table.models;
  if (traffic.models.empty()) {
    for (const Pool& pool : scenario_.pools) {
      if (std::find(traffic.models.begin(), traffic.models.end(), pool.model_name) == traffic.models.end()) traffic.models.push_back(pool.model_name);
    }
    if (traffic.models.size() > 1) {
      diagnostics_.error(table.place, "the pools have several models and the traffic does not say which may answer",
                         "write models = [\"" + traffic.models.front() + "\"]");
    }
  } else if (traffic.models.size() > 1) {
    diagnostics_.error(table.place, "choosing among several models is not yet supported", "name one model");
  }
  for (std::size_t i = 0; i < scenario_.pools.size(); ++i) {
    if (std::find(traffic.models.begin(), traffic.models.end(), scenario_.pools[i].model_name) != traffic.models.end()) traffic.pools.push_back(i);
  }
  if (traffic.pools.empty() && !diagnostics_.failed()) {
    diagnostics_.error(table.place, "no pool serves a model of this traffic", "name a model that a pool has");
  }
}

}  // namespace joulecast::scenario
