#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/node.hpp"
#include "policy/registry.hpp"

namespace joulecast::policy {

/// Views that are given.
template <class View>
class Given final : public engine::Views<View> {
 public:
  explicit Given(std::vector<View> views) : views_(std::move(views)) {}
  std::size_t size() const override { return views_.size(); }
  View at(std::size_t position, Time) const override { return views_[position]; }

 private:
  std::vector<View> views_;
};

/// Replicas of which position i has so many waiting and running requests.
inline Given<serving::ReplicaView> loads(const std::vector<std::pair<int, int>>& requests) {
  std::vector<serving::ReplicaView> views;
  for (const auto& [waiting, running] : requests) {
    serving::ReplicaView view;
    view.waiting = waiting;
    view.running = running;
    views.push_back(view);
  }
  return Given<serving::ReplicaView>(std::move(views));
}

/// Pools of which position i has so many replicas and outstanding requests.
inline Given<serving::PoolView> pool_loads(const std::vector<std::pair<int, int>>& pools) {
  std::vector<serving::PoolView> views;
  for (const auto& [replicas, outstanding] : pools) {
    serving::PoolView view;
    view.replicas = replicas;
    view.running = outstanding;
    views.push_back(view);
  }
  return Given<serving::PoolView>(std::move(views));
}

/// A request as a policy sees it.
inline serving::RoutedRequest asks(std::int32_t input, double predicted_output = 1) {
  serving::RoutedRequest request;
  request.input = input;
  request.predicted_output = predicted_output;
  return request;
}

/// What a policy's function reported: the faults, then the notes, a line each.
inline std::string told(const config::Diagnostics& diagnostics) {
  std::string text;
  try {
    diagnostics.throw_if_failed();
  } catch (const UserError& error) {
    for (const UserFault& fault : error.faults()) text += fault.what + " / " + fault.remedy + "\n";
  }
  for (const std::string& note : diagnostics.notes()) text += "note: " + note + "\n";
  return text;
}

/// A belief that holds for up to 4,000 tokens in and 2,000 out.
inline control::EnergyBelief belief(double input, double output, double product = 0) {
  control::EnergyBelief made;
  made.input = input;
  made.output = output;
  made.product = product;
  made.range = {1, 4000, 1, 2000};
  made.source = "test";
  return made;
}

/// What traffic "chat", of such lengths, chooses among.
inline serving::PoolChoice choice_among(std::vector<serving::PoolFacts> pools, std::vector<std::string> models) {
  serving::PoolChoice choice;
  choice.traffic = "chat";
  choice.pools = std::move(pools);
  choice.known_models = std::move(models);
  choice.lengths = {1, 4000, 1, 2000};
  choice.mean_input = 1000;
  choice.mean_output = 200;
  return choice;
}

struct Made {
  std::unique_ptr<serving::PoolRouter> router;  ///< null where faults were reported
  std::string told;
};

/// A registered policy that chooses a pool, with the parameters of a file.
inline Made made(const char* policy, const serving::PoolChoice& choice, const std::string& parameters) {
  const config::Node table = config::parse_text(parameters, "policy.toml");
  config::Diagnostics diagnostics;
  find_pool_policy(policy)->needs(&table, diagnostics);
  if (diagnostics.failed()) return {nullptr, told(diagnostics)};
  auto router = find_pool_policy(policy)->make(&table, choice, diagnostics);
  return {std::move(router), told(diagnostics)};
}

}  // namespace joulecast::policy
