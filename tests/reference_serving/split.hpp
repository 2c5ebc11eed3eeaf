#pragma once

#include "reference_serving/engine_road.hpp"
#include "serving/kv_transfer.hpp"

namespace joulecast::reference {

/// Replicas that compute prompts and others that go on with them, behind a router each and one network. The network's endpoints are the producers' and then
/// the consumers'.
struct SplitProblem {
  Problem producers, consumers;  ///< requests, prefixes, horizon and warm-up are the producers'
  serving::KvNetworkSetup network;
};

struct SplitAnswer {
  std::vector<serving::Outcome> outcomes;
  std::vector<ReplicaAnswer> producers, consumers;
};

/// The rules written down a second time: one loop over arrivals, steps and transfers. Fair shares are the program's.
SplitAnswer solve_split(const SplitProblem& problem);

struct SplitRoadAnswer {
  SplitAnswer answer;
  engine::RunStats run;
  bool meters_exact = true;
};
/// The same on the program's own road.
SplitRoadAnswer solve_split_with_engine(const SplitProblem& problem, const EngineRoadOptions& options);

}  // namespace joulecast::reference
