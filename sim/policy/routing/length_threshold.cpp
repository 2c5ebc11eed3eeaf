#include "policy/routing/length_threshold.hpp"

#include <fmt/format.h>

#include <vector>

#include "policy/routing/least_outstanding_pool.hpp"

namespace joulecast::policy {
namespace {

using Of = LengthThresholdParameters::Of;

class LengthThreshold final : public serving::PoolRouter {
 public:
  LengthThreshold(double tokens, Of of, std::vector<std::size_t> below, std::vector<std::size_t> above)
      : tokens_(tokens), of_(of), below_(std::move(below)), above_(std::move(above)) {}

  std::size_t choose(const serving::RoutedRequest& request, const engine::Views<serving::PoolView>& pools, Time now, Stream&) override {
    const double tokens = (of_ == Of::output ? 0 : request.input) + (of_ == Of::input ? 0 : request.predicted_output);
    return least_loaded(tokens <= tokens_ ? below_ : above_, pools, now);
  }

 private:
  double tokens_;
  Of of_;
  std::vector<std::size_t> below_, above_;
};

}  // namespace

config::Record<LengthThresholdParameters> length_threshold_record() {
  using P = LengthThresholdParameters;
  config::Record<P> record("length_threshold");
  record.required("tokens", &P::tokens, config::Bounds::between(1, 1e9), "requests of at most so many go to `below`")
      .choice("of", &P::of, {{"input", Of::input}, {"output", Of::output}, {"total", Of::total}}, "\"input\"",
              "which tokens: the prompt's, the predicted answer's, or both together")
      .required("below", &P::below, config::Bounds::any(), "the model of short requests")
      .required("above", &P::above, config::Bounds::any(), "the model of long requests")
      .check([](const P& p, const Place& place, config::Diagnostics& diagnostics) {
        if (p.below == p.above) diagnostics.error(place, "below and above name one model", "name two, or leave [router] pool out");
      });
  return record;
}

std::unique_ptr<serving::PoolRouter> make_length_threshold(const LengthThresholdParameters& parameters, const serving::PoolChoice& choice,
                                                           const Place& place, config::Diagnostics& diagnostics) {
  const auto pools_of = [&](const std::string& model) {
    std::vector<std::size_t> positions;
    for (std::size_t i = 0; i < choice.pools.size(); ++i) {
      if (choice.pools[i].model == model) positions.push_back(i);
    }
    if (positions.empty()) {
      diagnostics.error(place,
                        fmt::format("length_threshold sends requests to \"{}\", and no pool of traffic \"{}\" has that model", model, choice.traffic),
                        "name models of the traffic's list that pools serve");
    }
    return positions;
  };
  auto below = pools_of(parameters.below);
  auto above = pools_of(parameters.above);
  return std::make_unique<LengthThreshold>(static_cast<double>(parameters.tokens), parameters.of, std::move(below), std::move(above));
}

}  // namespace joulecast::policy
