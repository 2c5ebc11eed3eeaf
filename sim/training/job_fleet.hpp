#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "training/folding.hpp"
#include "training/iteration.hpp"
#include "training/jitter.hpp"
#include "training/replay_account.hpp"
#include "training/waiting.hpp"

namespace joulecast::training {

/// What the stages of a fleet do during an iteration, told lane by lane in order of time. A lane is a stage of a class of replicas.
class LaneSink {
 public:
  virtual ~LaneSink() = default;
  /// A pass that lasts `point.time` > 0 from `from`.
  virtual void work(std::size_t lane, const Operation& operation, FixedTime from, const OperatingPoint& point) = 0;
  /// A wait (communication, bubble or straggler_wait) of `length` > 0.
  virtual void wait(std::size_t lane, Spent spent, FixedTime from, FixedTime length, FixedEnergy energy) = 0;
};

/// Data-parallel replicas of one pipeline, each with its own speeds and jitter, that synchronise their gradients stage by stage: the synchronisation
/// of a stage begins when the last replica's has come, and an iteration ends for all when the last operation has. Flat arrays, nothing allocated an
/// iteration.
class Fleet {
 public:
  /// `plans`: those that classes refer to (empty: first points). `deviation`: relative standard deviation of an operation's time, 0 for none;
  /// every class then has one replica. `name`: what the random draws of replica r are keyed by, with r.
  Fleet(const Iteration& iteration, std::vector<Plan> plans, std::vector<ReplicaClass> classes, double deviation, std::uint64_t seed,
        const std::string& name);

  /// Works out the next iteration; without jitter they are all the same.
  void advance();
  /// Of the iteration that `advance` worked out.
  FixedTime makespan() const { return makespan_; }
  /// Tells what happens in it until `limit` after its start (what lies across is cut, joules in proportion to time).
  void tell(LaneSink& sink, FixedTime limit) const;

  std::size_t lanes() const { return classes_.size() * stages_; }
  std::size_t stages() const { return stages_; }
  const std::vector<ReplicaClass>& classes() const { return classes_; }
  std::int64_t multiplicity(std::size_t lane) const { return classes_[lane / stages_].multiplicity(); }
  /// Operations of one iteration of all classes.
  std::size_t operations() const { return classes_.size() * operations_.size(); }

 private:
  struct Before {
    std::int32_t operation;
    FixedTime delay;
  };
  /// Costs of a plan at a class's speeds: `of[i]` is operation i's in `points`.
  struct CostSet {
    std::vector<OperatingPoint> points;
    std::vector<std::uint32_t> of;
  };
  /// When an operation of a class began, when the message it waited for last had set out, and how it was stretched.
  struct Run {
    FixedTime start, sent;
    Stretching stretching;
  };

  CostSet costs(const Iteration& iteration, const Plan& plan, const std::vector<double>& slowdown) const;
  const OperatingPoint& point(std::size_t c, std::size_t i) const {
    const CostSet& set = cost_sets_[cost_set_of_[c]];
    return set.points[set.of[i]];
  }
  FixedTime end(std::size_t c, std::size_t i) const {
    const Run& run = runs_[c * operations_.size() + i];
    return run.start + run.stretching(point(c, i).time);
  }
  void run_operation(std::size_t c, std::size_t i, FixedTime not_before);
  void tell_class(std::size_t c, LaneSink& sink, FixedTime limit) const;

  std::size_t stages_;
  std::vector<Operation> operations_;
  std::vector<std::size_t> first_before_;  ///< by operation, one more at the end
  std::vector<Before> before_;
  std::vector<std::size_t> body_, tail_;  ///< passes; gradient synchronisations and optimizers
  std::vector<WaitingPower> waiting_;     ///< by stage
  std::vector<ReplicaClass> classes_;
  std::vector<CostSet> cost_sets_;
  std::vector<std::size_t> cost_set_of_;  ///< by class
  std::vector<Jitter> jitters_;           ///< by class; empty without jitter
  std::vector<Run> runs_;                 ///< [class][operation]
  std::vector<FixedTime> ends_;           ///< [class][operation]
  std::vector<FixedTime> ready_;          ///< by stage: when the last class's passes are done
  std::vector<FixedTime> class_end_;
  FixedTime makespan_;
  bool known_ = false;  ///< nothing changes from now on
};

}  // namespace joulecast::training
