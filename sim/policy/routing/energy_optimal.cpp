#include "policy/routing/energy_optimal.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "policy/routing/share_assignment.hpp"

namespace joulecast::policy {
namespace {

/// A share times a number of requests is taken as whole within this.
constexpr double kShareRounding = 1e-9;

class EnergyOptimal final : public serving::PoolRouter {
 public:
  EnergyOptimal(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice) : zeta_(parameters.zeta, choice), pools_(choice.pools) {
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const serving::PoolFacts& facts = pools_[i];
      JOULECAST_CHECK(facts.belief && facts.accuracy, "energy_optimal needs a belief and an accuracy of every pool");
      Model& model = model_of(facts.model, parameters.shares);
      model.pools.push_back(i);
      energy_scale_ = std::max(energy_scale_, facts.belief->clamped_joules(choice.mean_input, choice.mean_output));
      accuracy_scale_ = std::max(accuracy_scale_, facts.accuracy->of(choice.mean_input, choice.mean_output));
    }
    JOULECAST_CHECK(energy_scale_ > 0 && accuracy_scale_ > 0, "energy_optimal needs beliefs and accuracies above 0");
  }

  bool is_offline() const override { return true; }

  void foresee(std::span<const serving::ForeseenRequest> requests) override {
    std::vector<WeighedRequest> costs;
    std::vector<std::uint32_t> pool;  // the best of each model, as `costs`
    costs.reserve(requests.size() * models_.size());
    for (const serving::ForeseenRequest& foreseen : requests) {
      for (const Model& model : models_) {
        const std::size_t best = cheapest_pool(model, foreseen.request);
        pool.push_back(static_cast<std::uint32_t>(best));
        costs.push_back(weighed(best, foreseen));
      }
    }
    const std::vector<AssignmentCost> whole = whole_costs(costs, models_.size());
    const std::vector<std::uint32_t> assigned = assign(whole, bounds(requests.size()));
    for (std::size_t q = 0; q < requests.size(); ++q) {
      const std::uint32_t number = requests[q].request.number;
      if (plan_.size() <= number) plan_.resize(number + 1, kUnplanned);
      plan_[number] = pool[q * models_.size() + assigned[q]];
    }
  }

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::PoolView>&, Time, Stream&) override {
    JOULECAST_CHECK(request.number < plan_.size() && plan_[request.number] != kUnplanned, "a request that the plan does not know");
    return plan_[request.number];
  }

 private:
  static constexpr std::uint32_t kUnplanned = ~std::uint32_t{0};

  struct Model {
    std::string name;
    double at_least = 0, at_most = 1;
    std::vector<std::size_t> pools;
  };

  Model& model_of(const std::string& name, const std::vector<ShareBounds>& shares) {
    for (Model& model : models_) {
      if (model.name == name) return model;
    }
    models_.push_back({name, 0, 1, {}});
    for (const ShareBounds& share : shares) {
      if (share.model != name) continue;
      models_.back().at_least = share.at_least;
      models_.back().at_most = share.at_most;
    }
    return models_.back();
  }

  double joules(std::size_t pool, const serving::RoutedRequest& request) const {
    return pools_[pool].belief->clamped_joules(request.input, request.predicted_output);
  }

  std::size_t cheapest_pool(const Model& model, const serving::RoutedRequest& request) const {
    return *std::min_element(model.pools.begin(), model.pools.end(),
                             [&](std::size_t a, std::size_t b) { return joules(a, request) < joules(b, request); });
  }

  WeighedRequest weighed(std::size_t pool, const serving::ForeseenRequest& foreseen) const {
    const double zeta = zeta_.at(foreseen.arrival);
    const double e = joules(pool, foreseen.request);
    const double a = pools_[pool].accuracy->of(foreseen.request.input, foreseen.request.predicted_output);
    return {zeta * e / energy_scale_ - (1 - zeta) * a / accuracy_scale_, e};
  }

  std::vector<CountBounds> bounds(std::size_t requests) const {
    const auto n = static_cast<double>(requests);
    std::vector<CountBounds> all;
    for (const Model& model : models_) {
      all.push_back({static_cast<std::int64_t>(std::floor(model.at_least * n * (1 + kShareRounding))),
                     static_cast<std::int64_t>(std::ceil(model.at_most * n * (1 - kShareRounding)))});
    }
    return all;
  }

  Zeta zeta_;
  std::vector<serving::PoolFacts> pools_;
  std::vector<Model> models_;
  double energy_scale_ = 0, accuracy_scale_ = 0;
  std::vector<std::uint32_t> plan_;  ///< the pool, by the request's number
};

}  // namespace

config::Record<EnergyAwareParameters> energy_optimal_record() { return energy_trade_record("energy_optimal"); }

std::unique_ptr<serving::PoolRouter> make_energy_optimal(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice) {
  return std::make_unique<EnergyOptimal>(parameters, choice);
}

}  // namespace joulecast::policy
