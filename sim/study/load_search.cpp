#include "study/load_search.hpp"

#include <algorithm>
#include <cmath>

namespace joulecast::study {

namespace {

class Search {
 public:
  Search(const std::function<Judgement(double)>& judge, const LoadBounds& bounds) : judge_(judge), bounds_(bounds) {}

  FoundLoad run() {
    const double start = std::clamp(1.0, bounds_.least, bounds_.most);
    held(start) ? rise_from(start) : fall_from(start);
    const double steps = 1 + 4 * bounds_.precision;
    while (below_ && !sure_ && narrow()) {
      const double guard = *below_ / steps;
      sure_ = guard < bounds_.least || held(guard);
      if (!sure_) fall_from(guard);
    }
    if (below_ && above_ && *above_ * steps <= bounds_.most) held(*above_ * steps);
    return report();
  }

 private:
  bool held(double load) {
    for (const TriedLoad& tried : found_.tried) {
      if (tried.load == load) return tried.judgement.held;
    }
    found_.tried.push_back({load, judge_(load)});
    return found_.tried.back().judgement.held;
  }

  /// From a load that holds.
  void rise_from(double load) {
    below_ = load;
    while (*below_ < bounds_.most) {
      const double next = std::min(2 * *below_, bounds_.most);
      if (!held(next)) {
        above_ = next;
        return;
      }
      below_ = next;
    }
  }

  /// From a load that does not hold.
  void fall_from(double load) {
    above_ = load;
    below_.reset();
    while (*above_ > bounds_.least) {
      const double next = std::max(*above_ / 2, bounds_.least);
      if (held(next)) {
        below_ = next;
        return;
      }
      above_ = next;
    }
  }

  /// Halves the bracket until it is narrow; always true.
  bool narrow() {
    while (above_ && *above_ > *below_ * (1 + bounds_.precision)) {
      const double middle = std::sqrt(*above_ * *below_);
      (held(middle) ? below_ : above_) = middle;
    }
    return true;
  }

  FoundLoad report() {
    found_.load = below_;
    found_.bounded = above_.has_value();
    std::vector<TriedLoad> sorted = found_.tried;
    std::sort(sorted.begin(), sorted.end(), [](const TriedLoad& a, const TriedLoad& b) { return a.load < b.load; });
    bool failed = false;
    double least = INFINITY;
    for (const TriedLoad& tried : sorted) {
      found_.monotone = found_.monotone && !(failed && tried.judgement.held);
      failed = failed || !tried.judgement.held;
      found_.rise = std::max(found_.rise, tried.judgement.margin - least);
      least = std::min(least, tried.judgement.margin);
    }
    return found_;
  }

  const std::function<Judgement(double)>& judge_;
  LoadBounds bounds_;
  std::optional<double> below_, above_;
  bool sure_ = false;
  FoundLoad found_;
};

}  // namespace

FoundLoad search_load(const std::function<Judgement(double)>& judge, const LoadBounds& bounds) { return Search(judge, bounds).run(); }

}  // namespace joulecast::study
