#include "study/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/hash.hpp"
#include "study/arm_run.hpp"
#include "study/parallel.hpp"

namespace joulecast::study {

namespace {

using Runs = std::vector<std::vector<std::optional<RawRun>>>;  ///< by replication and arm

void check_slo(const scenario::Arms& arms) {
  if (arms.compare.hold != scenario::Hold::slo) return;
  for (const scenario::Arm& arm : arms.arms) {
    const auto& traffics = arm.scenario.traffics;
    if (std::any_of(traffics.begin(), traffics.end(), [](const scenario::Traffic& t) { return t.slo.has_value(); })) continue;
    throw UserError(arms.compare.place, fmt::format("hold = \"slo\", and no traffic of the arm \"{}\" has an slo", arm.name),
                    "add slo = { ttft = \"2 s\", tpot = \"80 ms\" } to a traffic, or write hold = \"traffic\"");
  }
}

class Work {
 public:
  Work(const scenario::Arms& arms, const CompareOptions& options, const std::vector<Replication>& replications)
      : arms_(arms), options_(options), replications_(replications), runs_(replications.size()) {
    for (auto& each : runs_) each.resize(arms.arms.size());
  }

  /// Runs replications first .. end - 1.
  void run(std::size_t first, std::size_t end) {
    const std::size_t arms = arms_.arms.size();
    in_parallel(options_.threads, (end - first) * arms, [&](std::size_t i) {
      if (options_.stop != nullptr && options_.stop->load()) return;
      const std::size_t r = first + i / arms, a = i % arms;
      auto raw = run_arm(replicated(arms_.arms[a].scenario, replications_[r], arms_.compare), arms_.compare, options_.stop);
      if (raw && r > 0) raw->result.reset();
      runs_[r][a] = std::move(raw);
      const std::lock_guard lock(mutex_);
      ++done_;
      if (options_.progress) options_.progress(done_, replications_.size() * arms);
    });
  }

  /// Whether a replication gave in every arm what the first one gave. Arms whose SLO holds at no load have given nothing that could be compared.
  bool repeats_the_first(std::size_t r) const {
    bool compared = false;
    for (std::size_t a = 0; a < arms_.arms.size(); ++a) {
      const auto &one = runs_[0][a], &other = runs_[r][a];
      if (!one || !other || one->figures.size() != other->figures.size() || one->run.requests != other->run.requests) return false;
      compared = compared || one->run.held();
      for (std::size_t f = 0; f < one->figures.size(); ++f) {
        if (one->figures[f].value != other->figures[f].value) return false;
      }
    }
    return compared;
  }

  Runs take() { return std::move(runs_); }

 private:
  const scenario::Arms& arms_;
  const CompareOptions& options_;
  const std::vector<Replication>& replications_;
  Runs runs_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

/// All figures that any run has, each once, in the order in which they first come.
std::vector<Figure> all_figures(const Runs& runs) {
  std::vector<Figure> all;
  for (const auto& replication : runs) {
    for (const auto& raw : replication) {
      if (!raw) continue;
      for (const FigureValue& each : raw->figures) {
        const bool known = std::any_of(all.begin(), all.end(), [&](const Figure& figure) { return figure.key == each.figure.key; });
        if (!known) all.push_back(each.figure);
      }
    }
  }
  return all;
}

std::vector<double> lined_up(const std::vector<FigureValue>& values, const std::vector<Figure>& figures) {
  std::vector<double> row;
  for (const Figure& figure : figures) {
    const auto found = std::find_if(values.begin(), values.end(), [&](const FigureValue& each) { return each.figure.key == figure.key; });
    row.push_back(found == values.end() ? std::numeric_limits<double>::quiet_NaN() : found->value);
  }
  return row;
}

std::vector<double> column(const ComparedArm& arm, std::size_t figure) {
  std::vector<double> values;
  for (const ArmRun& run : arm.runs) values.push_back(run.values[figure]);
  return values;
}

bool known(const std::vector<double>& values, double once) {
  return std::isfinite(once) && std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

void judge_differences(Comparison& comparison) {
  const ComparedArm& reference = comparison.arms[comparison.reference];
  for (ComparedArm& arm : comparison.arms) {
    for (std::size_t f = 0; f < comparison.figures.size(); ++f) {
      const std::vector<double> own = column(arm, f), its = column(reference, f);
      const double own_once = arm.once.values[f], its_once = reference.once.values[f];
      const bool has = known(own, own_once), both = has && known(its, its_once);
      arm.values.push_back(has ? std::optional(estimate(own, own_once, comparison.spread, comparison.confidence)) : std::nullopt);
      arm.differences.push_back(both ? std::optional(paired(own, its, own_once, its_once, comparison.spread, comparison.confidence)) : std::nullopt);
    }
  }
}

bool complete(const std::vector<std::optional<RawRun>>& replication) {
  return std::all_of(replication.begin(), replication.end(), [](const auto& raw) { return raw.has_value(); });
}

bool same_requests(const std::vector<std::optional<RawRun>>& replication) {
  const auto& first = replication.front();
  return std::all_of(replication.begin(), replication.end(),
                     [&](const auto& raw) { return !raw || !first || raw->run.requests == first->run.requests; });
}

std::vector<scenario::Input> inputs_of(const scenario::Arms& arms) {
  std::vector<std::string> paths;
  for (const scenario::Arm& arm : arms.arms) paths.insert(paths.end(), arm.scenario.inputs.begin(), arm.scenario.inputs.end());
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  std::vector<scenario::Input> inputs;
  for (const std::string& path : paths) inputs.push_back({path, sha256_of_file(path)});
  return inputs;
}

std::optional<Comparison> gathered(const scenario::Arms& arms, const std::vector<Replication>& replications, Runs runs) {
  if (!complete(runs.front())) return std::nullopt;
  Comparison comparison;
  comparison.same_requests = std::all_of(runs.begin(), runs.end(), same_requests);
  comparison.name = arms.arms.front().scenario.name;
  comparison.seed = arms.arms.front().scenario.seed;
  comparison.settings = arms.compare;
  comparison.spread = spread_of(arms.compare);
  if (arms.compare.confidence) comparison.confidence = arms.compare.confidence->value;
  comparison.reference = arms.reference;
  comparison.inputs = inputs_of(arms);
  comparison.figures = all_figures(runs);
  for (std::size_t a = 0; a < arms.arms.size(); ++a) {
    RawRun& first = *runs[0][a];
    ComparedArm arm{arms.arms[a].name, std::move(first.scenario), std::move(first.result), std::move(first.run), {}, {}, {}};
    arm.once.values = lined_up(first.figures, comparison.figures);
    comparison.arms.push_back(std::move(arm));
  }
  for (std::size_t r = 0; r < replications.size(); ++r) {
    if (!complete(runs[r])) {
      comparison.partial = true;
      continue;
    }
    const bool counts = comparison.spread != Spread::blocks || replications[r].resampled;
    if (counts) comparison.replications.push_back(replications[r]);
    for (std::size_t a = 0; a < arms.arms.size(); ++a) {
      if (!counts) continue;
      ArmRun run = r == 0 ? comparison.arms[a].once : std::move(runs[r][a]->run);
      if (r > 0) run.values = lined_up(runs[r][a]->figures, comparison.figures);
      comparison.arms[a].runs.push_back(std::move(run));
    }
  }
  judge_differences(comparison);
  return comparison;
}

}  // namespace

std::size_t ComparedArm::not_held() const {
  return static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const ArmRun& run) { return !run.held(); }));
}

std::string comparison_hash(const scenario::Arms& arms) {
  const scenario::CompareTable& settings = arms.compare;
  std::string content = fmt::format("{} {} {} {} {}", arms.reference, static_cast<int>(settings.boundary), static_cast<int>(settings.hold),
                                    settings.replications.value_or(1), settings.confidence ? settings.confidence->value : 0.95);
  if (settings.resample) content += fmt::format(" {} {}", settings.resample->blocks.si(), settings.resample->within.si());
  for (const scenario::Arm& arm : arms.arms) content += fmt::format("\n{}\n{}", arm.name, scenario::run_hash(arm.scenario));
  return sha256(content).substr(0, 16);
}

std::optional<Comparison> compare(const scenario::Arms& arms, const CompareOptions& options) {
  check_slo(arms);
  check_resample(arms);
  const auto replications = replications_of(arms.compare, arms.arms.front().scenario.seed);
  Work work(arms, options, replications);
  std::size_t done = 0;
  if (replications.size() > 1 && spread_of(arms.compare) == Spread::draws) {
    work.run(0, done = 2);
    if (work.repeats_the_first(1)) refuse_intervals(arms);
  }
  work.run(done, replications.size());
  return gathered(arms, replications, work.take());
}

}  // namespace joulecast::study
