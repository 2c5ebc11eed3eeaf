#include <vector>

#include "scenario/run.hpp"

namespace joulecast::scenario {

/// What is served at most: by the pool with the least context among those that may get a request.
serving::ContextLimit Run::limit_of(const Traffic& traffic) const {
  std::optional<serving::ContextLimit> least;
  for (const auto& pools : {traffic.pools, traffic.decode_pools}) {
    for (const std::size_t pool : pools) {
      const auto limit = serving::ContextLimit::of(scenario_.pools[pool].engine);
      if (!least || limit.tokens < least->tokens) least = limit;
    }
  }
  return *least;
}

/// Tells an offline policy of every request that the traffic will bring, as its router will show it: numbers count rejected requests too, those over
/// the context come cut, answers are as predicted.
void Run::foresee(serving::PoolRouter& policy, const Traffic& traffic) const {
  std::shared_ptr<traces::ReadCounts> counts;
  const auto requests = stream(traffic, counts);
  const serving::ContextLimit limit = limit_of(traffic);
  auto predictor = this->predictor(traffic);
  std::vector<serving::ForeseenRequest> foreseen;
  for (std::uint32_t number = 0; auto request = requests->next(); ++number) {
    if (!limit.allows(*request)) {
      if (limit.over_context == serving::OverContext::reject || limit.tokens < 2) continue;
      *request = limit.truncated(*request);
    }
    serving::ForeseenRequest each{request->arrival, {}};
    each.request.number = number;
    each.request.input = request->input;
    if (predictor) each.request.predicted_output = predictor->predict(number, request->output);
    each.request.conversation = request->conversation;
    foreseen.push_back(each);
  }
  policy.foresee(foreseen);
}

}  // namespace joulecast::scenario
