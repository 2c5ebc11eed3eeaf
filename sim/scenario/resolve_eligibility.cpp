#include <fmt/format.h>

#include <algorithm>

#include "scenario/resolver.hpp"
#include "serving/source.hpp"

namespace joulecast::scenario {

/// The pools that may answer a traffic: those with one of its models.
void Resolver::traffic_pools(Traffic& traffic, const TrafficTable& table) {
  const auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  std::vector<std::string> served;
  for (const Pool& pool : scenario_.pools) {
    if (!has(served, pool.model_name)) served.push_back(pool.model_name);
  }
  traffic.models = table.models;
  if (traffic.models.empty()) {
    traffic.models = served;
    if (served.size() > 1) {
      diagnostics_.error(table.place, "the pools have several models and the traffic does not say which may answer",
                         "write models = [\"" + served.front() + "\"]");
    }
  } else if (!diagnostics_.failed()) {
    for (const std::string& model : traffic.models) {
      if (has(served, model)) continue;
      const std::string near = config::nearest(model, served);
      diagnostics_.error(table.place, fmt::format("no pool serves \"{}\", a model of this traffic", model),
                         near.empty() ? "name models that pools have" : fmt::format("did you mean \"{}\"?", near));
    }
    if (traffic.models.size() > 1 && file_.router.pool.empty()) {
      diagnostics_.error(table.place, "the traffic has several models, and [router] does not say who chooses one for a request",
                         "name one model, or write pool = \"least_outstanding\" in [router]; see `joulecast policies`");
    }
  }
  for (std::size_t i = 0; i < scenario_.pools.size(); ++i) {
    if (!has(traffic.models, scenario_.pools[i].model_name)) continue;
    const bool decodes = scenario_.pools[i].engine.kv_role == serving::KvRole::consumer;
    (decodes ? traffic.decode_pools : traffic.pools).push_back(i);
  }
  if (!diagnostics_.failed()) check_roles(traffic, table.place);
  if (traffic.pools.empty() && !diagnostics_.failed()) {
    diagnostics_.error(table.place, "no pool serves a model of this traffic", "name a model that a pool has");
  }
  std::int64_t least = INT64_MAX, most = 0;
  std::vector<std::size_t> all = traffic.pools;
  all.insert(all.end(), traffic.decode_pools.begin(), traffic.decode_pools.end());
  for (const std::size_t i : all) {
    const std::int64_t tokens = serving::ContextLimit::of(scenario_.pools[i].engine).tokens;
    least = std::min(least, tokens);
    most = std::max(most, tokens);
  }
  if (least < most) {
    scenario_.notes.push_back(
        fmt::format("traffic \"{}\": its pools hold requests of {} to {} tokens; any of them may get a request, so one above {} is over context",
                    traffic.name, least, most, least));
  }
}

}  // namespace joulecast::scenario
