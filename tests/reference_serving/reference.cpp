#include "reference_serving/reference.hpp"

#include <algorithm>

#include "reference_serving/reference_replica.hpp"

namespace joulecast::reference {

std::vector<Job> jobs_of(const Problem& problem) {
  std::vector<Job> jobs;
  for (const traces::Request& request : problem.requests) {
    Job& job = jobs.emplace_back();
    job.facts = request;
    for (auto node = request.prefix; node != 0; node = problem.prefixes->depth(node) > 1 ? problem.prefixes->parent(node) : 0) {
      job.path.insert(job.path.begin(), std::uint64_t{1} << 63 | node);
    }
  }
  return jobs;
}

Answer solve(const Problem& problem) {
  const Time end = problem.horizon;
  std::vector<Job> jobs = jobs_of(problem);
  std::vector<Replica> replicas(problem.replicas, Replica(problem, jobs));
  std::size_t arrived = 0;
  for (;;) {
    const auto earliest =
        std::min_element(replicas.begin(), replicas.end(), [](const auto& a, const auto& b) { return a.next_event() < b.next_event(); });
    const Time arrival = arrived < jobs.size() ? jobs[arrived].facts.arrival : kForever;
    if (std::min(arrival, earliest->next_event()) >= end) break;
    if (arrival > earliest->next_event()) {
      earliest->handle_event();
      continue;
    }
    auto chosen = replicas.begin() + static_cast<std::ptrdiff_t>(arrived % replicas.size());
    if (problem.router == "least_outstanding") {
      chosen = std::min_element(replicas.begin(), replicas.end(), [](const auto& a, const auto& b) { return a.outstanding() < b.outstanding(); });
    }
    jobs[arrived].outcome.replica = static_cast<std::int32_t>(chosen - replicas.begin());
    chosen->arrive(arrived++, arrival);
  }
  Answer answer;
  for (Replica& replica : replicas) answer.replicas.push_back(replica.close(end));
  for (const Job& job : jobs) answer.outcomes.push_back(job.outcome);
  return answer;
}

}  // namespace joulecast::reference
