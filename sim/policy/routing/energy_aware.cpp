#include "policy/routing/energy_aware.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"

namespace joulecast::policy {
namespace {

class EnergyAware final : public serving::PoolRouter {
 public:
  EnergyAware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice)
      : zeta_(parameters.zeta, choice), queue_weight_(parameters.queue_weight), slack_(static_cast<double>(parameters.share_slack)) {
    for (const serving::PoolFacts& facts : choice.pools) {
      JOULECAST_CHECK(facts.belief && facts.accuracy, "energy_aware needs a belief and an accuracy of every pool");
      std::size_t model = 0;
      while (model < models_.size() && models_[model].name != facts.model) ++model;
      if (model == models_.size()) models_.push_back(quota(facts.model, parameters.shares));
      pools_.push_back({*facts.belief, *facts.accuracy, model, static_cast<double>(facts.max_num_batched_tokens)});
      energy_scale_ = std::max(energy_scale_, facts.belief->clamped_joules(choice.mean_input, choice.mean_output));
      accuracy_scale_ = std::max(accuracy_scale_, facts.accuracy->of(choice.mean_input, choice.mean_output));
    }
    JOULECAST_CHECK(energy_scale_ > 0 && accuracy_scale_ > 0, "energy_aware needs beliefs and accuracies above 0");
  }

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::PoolView>& pools, Time now, Stream&) override {
    const auto number = static_cast<double>(sent_ + 1);
    const std::optional<std::size_t> owed = owed_model(number);
    const double zeta = zeta_.at(now);
    std::optional<std::size_t> best;
    double least_cost = 0, least_joules = 0;
    for (std::size_t i = 0; i < pools_.size(); ++i) {
      const Pool& pool = pools_[i];
      const Quota& model = models_[pool.model];
      const auto sent = static_cast<double>(model.sent);
      if (owed ? pool.model != *owed : sent + 1 >= model.at_most * number + slack_) continue;
      const double joules = pool.belief.clamped_joules(request.input, request.predicted_output);
      const double accuracy = pool.accuracy.of(request.input, request.predicted_output);
      double cost = zeta * joules / energy_scale_ - (1 - zeta) * accuracy / accuracy_scale_;
      cost += (std::max(0.0, sent - model.at_most * number) - std::max(0.0, model.at_least * number - sent)) / slack_;
      if (queue_weight_ > 0) {
        const serving::PoolView view = pools.at(i, now);
        cost += queue_weight_ * static_cast<double>(view.tokens_queued) / (view.replicas * pool.tokens_a_step);
      }
      if (best && (cost > least_cost || (cost == least_cost && joules >= least_joules))) continue;
      best = i;
      least_cost = cost;
      least_joules = joules;
    }
    // Shares at most add up to 1 or more, so not all models are at theirs.
    JOULECAST_CHECK(best, "no model may get a request");
    ++models_[pools_[*best].model].sent;
    ++sent_;
    return *best;
  }

 private:
  struct Quota {
    std::string name;
    double at_least = 0, at_most = 1;
    std::int64_t sent = 0;
  };
  struct Pool {
    control::EnergyBelief belief;
    serving::ModelAccuracy accuracy;
    std::size_t model;
    double tokens_a_step;
  };

  static Quota quota(const std::string& model, const std::vector<ShareBounds>& shares) {
    for (const ShareBounds& share : shares) {
      if (share.model == model) return {model, share.at_least, share.at_most};
    }
    return {model};
  }

  /// The model that falls furthest short of its least share, if by the slack or more.
  std::optional<std::size_t> owed_model(double number) const {
    std::optional<std::size_t> owed;
    double most = 0;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      const double shortfall = models_[m].at_least * number - static_cast<double>(models_[m].sent);
      if (shortfall < slack_ || shortfall <= most) continue;
      owed = m;
      most = shortfall;
    }
    return owed;
  }

  Zeta zeta_;
  double queue_weight_, slack_;
  std::vector<Pool> pools_;
  std::vector<Quota> models_;
  double energy_scale_ = 0, accuracy_scale_ = 0;
  std::int64_t sent_ = 0;
};

}  // namespace

std::unique_ptr<serving::PoolRouter> make_energy_aware(const EnergyAwareParameters& parameters, const serving::PoolChoice& choice) {
  return std::make_unique<EnergyAware>(parameters, choice);
}

}  // namespace joulecast::policy
