#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenario/error_sources.hpp"

namespace joulecast::scenario {

/// Sources by name: what is added under a name that is there moves with it.
class ErrorSourceList {
 public:
  using Move = std::function<void(Scenario&, double normal)>;

  /// Nothing where the figure states no error, or one of 0.
  void add(ErrorSource source) {
    if (!(source.relative_error > 0)) return;
    source.drawn_error = std::max(source.drawn_error, source.relative_error);
    for (ErrorSource& known : sources_) {
      if (known.name != source.name) continue;
      known.drawn_error = std::max(known.drawn_error, source.drawn_error);
      known.move = [first = std::move(known.move), second = std::move(source.move)](Scenario& scenario, double normal) {
        first(scenario, normal);
        second(scenario, normal);
      };
      return;
    }
    sources_.push_back(std::move(source));
  }
  std::vector<ErrorSource> take() { return std::move(sources_); }

 private:
  std::vector<ErrorSource> sources_;
};

template <class Figure>
void scale(Figure& figure, double factor) {
  figure.value = factor * figure.value;
}
/// A share stays at most 1.
template <class Figure>
void scale_share(Figure& figure, double factor) {
  figure.value = std::min(1.0, factor * figure.value);
}

/// The profile's file for people and for results that do not depend on where the program lies.
std::string shown_file(const std::string& file);

/// Figures of one cluster's GPU that hold for all its pools and jobs; of its node and fabric.
/// `energy` says in which states GPUs were.
void add_gpu_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t cluster, const metering::EnergyAccount& energy);
void add_node_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t cluster);
/// What a pool's classes of work take and draw, by its account of the run as stated; a job's.
void add_pool_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t pool, const metering::PoolAccount& account);
void add_job_sources(ErrorSourceList& list, const Scenario& scenario, std::size_t job);

}  // namespace joulecast::scenario
