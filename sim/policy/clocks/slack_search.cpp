#include "policy/clocks/slack_search.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace joulecast::policy {
namespace {

class Search {
 public:
  Search(const OperationTimes& times, const EffectiveCosts& costs, const SlackProgram::Relaxed& relaxed, Waiting waiting, FixedTime deadline,
         training::Plan plan, long nodes)
      : times_(times), second_(waiting == Waiting::ends_with_the_iteration ? blocking_power(times.iteration()).si() : 0), nodes_(nodes) {
    const std::size_t count = times.operations();
    ends_.resize(count);
    chosen_.resize(count);
    for (std::size_t i = 0; i < count; ++i) add_options(i, costs, relaxed.price[i]);
    times.latest_ends(durations(times.iteration(), fastest_plan(times.iteration())), deadline, latest_);
    for (std::size_t i = 0; i < count; ++i) chosen_[i] = plan[i];
    best_ = std::move(plan);
    least_ = value_of(best_);
    bound_ = relaxed.bound_joules;
  }

  training::Plan run() {
    visit(0, 0, 0);
    return best_;
  }

 private:
  struct Option {
    std::int32_t point;
    FixedTime time;
    double joules, excess;
  };

  void add_options(std::size_t i, const EffectiveCosts& costs, double price) {
    const auto& points = times_.iteration().costs[static_cast<std::size_t>(times_.iteration().operations[i].kind)];
    std::vector<Option> options;
    double least = 0;
    for (const EffectivePoint& point : costs.of(i).best) {
      const double value = point.joules + price * point.seconds;
      least = options.empty() ? value : std::min(least, value);
      options.push_back({point.point, points[static_cast<std::size_t>(point.point)].time, point.joules, value});
    }
    for (Option& option : options) option.excess -= least;
    std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) { return a.excess < b.excess; });
    options_.push_back(std::move(options));
  }

  double value_of(const training::Plan& plan) {
    double joules = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const auto option = std::find_if(options_[i].begin(), options_[i].end(), [&](const Option& each) { return each.point == plan[i]; });
      joules += option->joules;
    }
    return joules + second_ * times_.earliest_ends(durations(times_.iteration(), plan), ends_).units();
  }

  void visit(std::size_t i, double joules, double excess) {
    if (i == options_.size()) {
      FixedTime makespan;
      for (const FixedTime end : ends_) makespan = std::max(makespan, end);
      const double value = joules + second_ * makespan.units();
      if (value >= least_ * (1 - 1e-14)) return;
      least_ = value;
      best_ = chosen_;
      return;
    }
    FixedTime start;
    for (const auto& before : times_.before(i)) start = std::max(start, ends_[static_cast<std::size_t>(before.operation)] + before.delay);
    for (const Option& option : options_[i]) {
      if (bound_ + excess + option.excess > least_ || --nodes_ < 0) return;
      if (start + option.time > latest_[i]) continue;
      ends_[i] = start + option.time;
      chosen_[i] = option.point;
      visit(i + 1, joules + option.joules, excess + option.excess);
    }
  }

  const OperationTimes& times_;
  double second_;
  long nodes_;
  double least_ = 0, bound_ = 0;
  std::vector<std::vector<Option>> options_;
  std::vector<FixedTime> ends_, latest_;
  training::Plan chosen_, best_;
};

}  // namespace

training::Plan search_plans(const OperationTimes& times, const EffectiveCosts& costs, const SlackProgram::Relaxed& relaxed, Waiting waiting,
                            FixedTime deadline, training::Plan plan, long nodes) {
  return Search(times, costs, relaxed, waiting, deadline, std::move(plan), nodes).run();
}

}  // namespace joulecast::policy
