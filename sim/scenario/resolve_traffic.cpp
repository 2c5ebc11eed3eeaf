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
  traffic.priority = table.priority;
  traffic.prefix_hit_rate = table.prefix_hit_rate.value;
  if (table.num_requests) traffic.num_requests = static_cast<std::uint64_t>(*table.num_requests);
  const int sources = (table.requests.trace ? 1 : 0) + (table.requests.histogram.empty() ? 0 : 1) + (table.lengths ? 1 : 0);
  if (sources != 1) {
    diagnostics_.error(table.place, sources == 0 ? "the traffic has neither requests nor lengths" : "the traffic has both requests and lengths",
                       "write requests = \"azure-2023-conv\" with request_rate, or a trace, or arrivals with lengths");
    return;
  }
  if (table.requests.trace) {
    replayed_traffic(traffic, table);
  } else {
    generated_traffic(traffic, table);
  }
  traffic_pools(traffic, table);
  scenario_.traffics.push_back(std::move(traffic));
}

void Resolver::replayed_traffic(Traffic& traffic, const TrafficTable& table) {
  traffic.trace = table.requests.trace;
  scenario_.inputs.push_back(traces::trace_path(*traffic.trace));
  if (table.request_rate) {
    scenario_.notes.push_back(fmt::format("traffic \"{}\": request_rate is ignored, the trace has arrivals of its own", traffic.name));
  }
  if (table.arrivals) diagnostics_.error(table.place, "a trace has arrivals of its own", "remove arrivals, or take lengths in place of requests");
  traffic.resample = table.resample;
  if (!table.rate) return;
  if (!table.rate->daily.empty()) {
    diagnostics_.error(table.rate->place, "a trace has a daily shape of its own", "scale the trace, or take lengths with arrivals");
  }
  if (table.rate->scale && table.rate->by) traffic.rate = traces::RateScale{*table.rate->scale, *table.rate->by};
}

void Resolver::generated_traffic(Traffic& traffic, const TrafficTable& table) {
  if (!table.lengths) {
    traffic.lengths.push_back({table.requests.histogram, {}, 1});
  } else if (table.lengths->trace) {
    traffic.lengths.push_back({"", table.lengths->trace, 1});
  } else {
    for (const auto& [histogram, share] : table.lengths->histograms) traffic.lengths.push_back({histogram, {}, share});
  }
  for (LengthsPart& part : traffic.lengths) {
    if (!part.trace) collecting([&] { part.path = histogram_path(share_, part.path, table.place); });
    scenario_.inputs.push_back(part.trace ? traces::trace_path(*part.trace) : part.path);
  }
  if (table.arrivals) {
    traffic.arrivals = *table.arrivals;
    if (table.request_rate) diagnostics_.error(table.place, "request_rate stands twice", "keep the one in arrivals");
  } else if (!table.request_rate) {
    diagnostics_.error(table.place, "the traffic has no request_rate", "write request_rate = \"5.5 /s\"");
  } else {
    traffic.arrivals.request_rate = *table.request_rate;
  }
  const bool closed = traffic.arrivals.process == traces::Arrivals::Process::closed;
  if (closed) {
    scenario_.notes.push_back(fmt::format("traffic \"{}\": a closed loop, whose first {} requests come at the beginning of the run at once",
                                          traffic.name, traffic.arrivals.max_concurrency));
  }
  if (table.resample) diagnostics_.error(table.resample->place, "resample is for a trace", "leave it out: each seed draws other requests");
  if (table.rate) {
    if (table.rate->scale) diagnostics_.error(table.rate->place, "rate.scale is for a trace", "choose another request_rate");
    if (closed) diagnostics_.error(table.rate->place, "a closed loop has no rate", "leave rate out, or choose another process");
    if (table.rate->daily.size() == 24) {
      auto& daily = traffic.arrivals.daily.emplace();
      std::copy(table.rate->daily.begin(), table.rate->daily.end(), daily.factors.begin());
    }
  }
  const double most = traffic.arrivals.request_rate.si() * (traffic.arrivals.daily ? traffic.arrivals.daily->peak() : 1);
  if (most > 1e7) diagnostics_.error(table.place, fmt::format("request_rate {:g} /s is above 1e7 /s", most), "choose a lower one");
}

}  // namespace joulecast::scenario
