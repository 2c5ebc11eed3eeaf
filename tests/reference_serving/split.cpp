#include "reference_serving/split.hpp"

#include <algorithm>
#include <cmath>

#include "reference_serving/reference_replica.hpp"
#include "serving/fair_share.hpp"

namespace joulecast::reference {
namespace {

struct Transfer {
  std::size_t job, from, to;
  std::vector<std::size_t> links;
  double latency, bytes, rate;
  Time done;
};
struct Message {
  Time at;
  std::size_t replica, job;
};

Time later(Time now, double seconds) { return {now.ns + static_cast<std::int64_t>(std::ceil(seconds * 1e9))}; }

class Network {
 public:
  explicit Network(const serving::KvNetworkSetup& setup) : setup_(setup) {
    for (const auto& node : setup.nodes) links_.insert(links_.end(), {node.network_rate, node.network_rate});
    for (const auto& end : setup.endpoints) links_.insert(links_.end(), {end.network_rate, end.network_rate, end.in_node_rate, end.in_node_rate});
  }

  void begin(std::size_t job, std::size_t from, std::size_t to, std::int64_t blocks) {
    const auto& a = setup_.endpoints[from];
    const auto& b = setup_.endpoints[to];
    const std::size_t replicas = 2 * setup_.nodes.size();
    Transfer transfer{job, from, to, {}, 0, static_cast<double>(blocks * b.block_bytes), 0, {}};
    if (a.node == b.node) {
      transfer.links = {replicas + 4 * from + 2, replicas + 4 * to + 3};
      transfer.latency = std::max(a.in_node_latency, b.in_node_latency) + b.in_node_root * std::sqrt(transfer.bytes / std::min(a.gpus, b.gpus));
    } else {
      transfer.links = {replicas + 4 * from, 2 * a.node, 2 * b.node + 1, replicas + 4 * to + 1};
      const auto& x = setup_.nodes[a.node];
      const auto& y = setup_.nodes[b.node];
      const int further = x.cluster != y.cluster ? 2 : x.leaf == y.leaf ? 0 : x.hops_between_leaves - 1;
      transfer.latency = std::max(x.message_latency, y.message_latency) + further * std::max(x.hop_latency, y.hop_latency);
    }
    transfers_.push_back(std::move(transfer));
  }

  Time next_end() const {
    Time next = kForever;
    for (const Transfer& each : transfers_) next = std::min(next, each.done);
    return next;
  }

  void move_to(Time now) {
    for (Transfer& each : transfers_) each.bytes = std::max(0.0, each.bytes - each.rate * (now - moved_).seconds());
    moved_ = now;
  }

  std::vector<Transfer> end_due(Time now) {
    std::vector<Transfer> ended;
    for (std::size_t i = 0; i < transfers_.size();) {
      if (transfers_[i].done > now) {
        ++i;
        continue;
      }
      ended.push_back(transfers_[i]);
      transfers_.erase(transfers_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return ended;
  }

  void share(Time now) {
    std::vector<std::span<const std::size_t>> flows;
    for (const Transfer& each : transfers_) flows.emplace_back(each.links);
    const auto rates = serving::fair_share(links_, flows);
    for (std::size_t i = 0; i < transfers_.size(); ++i) {
      transfers_[i].rate = rates[i];
      transfers_[i].done = later(now, transfers_[i].bytes / rates[i]);
    }
  }

 private:
  const serving::KvNetworkSetup& setup_;
  std::vector<double> links_;
  std::vector<Transfer> transfers_;
  Time moved_{0};
};

std::vector<Message> take_due(std::vector<Message>& messages, Time now) {
  std::vector<Message> due;
  std::copy_if(messages.begin(), messages.end(), std::back_inserter(due), [&](const Message& each) { return each.at == now; });
  std::erase_if(messages, [&](const Message& each) { return each.at == now; });
  return due;
}

std::size_t choose(const Problem& problem, const std::vector<Replica>& replicas, std::size_t number) {
  if (problem.router == "round_robin") return number % replicas.size();
  const auto fewer = [](const Replica& a, const Replica& b) { return a.outstanding() < b.outstanding(); };
  return static_cast<std::size_t>(std::min_element(replicas.begin(), replicas.end(), fewer) - replicas.begin());
}

}  // namespace

SplitAnswer solve_split(const SplitProblem& problem) {
  const Time end = problem.producers.horizon;
  std::vector<Job> prompts = jobs_of(problem.producers), answers = prompts;
  for (Job& job : prompts) job.facts.output = 1;
  for (Job& job : answers) job.remote = Remote::remote;
  std::vector<Replica> producers(problem.producers.replicas, Replica(problem.producers, prompts));
  std::vector<Replica> consumers(problem.consumers.replicas, Replica(problem.consumers, answers));
  Network network(problem.network);
  std::vector<Message> asked, come, taken;
  std::size_t arrived = 0, handed = 0;
  for (;;) {
    Time now = std::min(arrived < prompts.size() ? prompts[arrived].facts.arrival : kForever, network.next_end());
    for (const auto* replicas : {&producers, &consumers}) {
      for (const Replica& replica : *replicas) now = std::min(now, replica.next_event());
    }
    for (const auto* messages : {&asked, &come, &taken}) {
      for (const Message& each : *messages) now = std::min(now, each.at);
    }
    if (now >= end) break;

    for (; arrived < prompts.size() && prompts[arrived].facts.arrival == now; ++arrived) {
      const std::size_t chosen = choose(problem.producers, producers, arrived);
      prompts[arrived].outcome.replica = static_cast<std::int32_t>(chosen);
      producers[chosen].arrive(arrived, now);
    }
    for (const Message& each : take_due(taken, now)) producers[each.replica].taken(each.job, now);
    std::vector<std::size_t> done;
    for (Replica& replica : producers) {
      while (replica.next_event() == now) replica.handle_event();
      for (const std::size_t job : replica.take_done()) {
        answers[job].outcome.prefilled = now;
        done.push_back(job);
      }
    }
    for (const std::size_t job : done) {
      const std::size_t chosen = choose(problem.consumers, consumers, handed++);
      answers[job].outcome.replica = static_cast<std::int32_t>(producers.size() + chosen);
      consumers[chosen].arrive(job, now);
    }
    const std::vector<Message> begin = take_due(asked, now);
    if (!begin.empty() || network.next_end() == now) {
      network.move_to(now);
      for (const Transfer& each : network.end_due(now)) {
        const Time there = later(now, each.latency);
        come.push_back({there, each.to - producers.size(), each.job});
        taken.push_back({std::max(there, Time{now.ns + 1}), each.from, each.job});
      }
      for (const Message& each : begin) {
        const auto from = static_cast<std::size_t>(prompts[each.job].outcome.replica);
        network.begin(each.job, from, producers.size() + each.replica, answers[each.job].fetched_blocks);
      }
      network.share(now);
    }
    for (const Message& each : take_due(come, now)) {
      answers[each.job].outcome.kv_received = now;
      consumers[each.replica].come(each.job, now);
    }
    for (std::size_t i = 0; i < consumers.size(); ++i) {
      while (consumers[i].next_event() == now) consumers[i].handle_event();
      for (const std::size_t job : consumers[i].take_loads()) asked.push_back({Time{now.ns + 1}, i, job});
    }
  }
  SplitAnswer answer;
  for (Replica& replica : producers) answer.producers.push_back(replica.close(end));
  for (Replica& replica : consumers) answer.consumers.push_back(replica.close(end));
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    serving::Outcome& outcome = answer.outcomes.emplace_back(answers[i].outcome);
    outcome.queued_until = prompts[i].outcome.queued_until;
    outcome.joules += prompts[i].outcome.joules;
    outcome.preemptions += prompts[i].outcome.preemptions;
    outcome.prefill_replica = outcome.prefilled < Time{0} ? -1 : prompts[i].outcome.replica;
    outcome.kv_blocks = static_cast<std::int32_t>(answers[i].fetched_blocks);
    if (outcome.replica < 0) outcome.replica = prompts[i].outcome.replica;
  }
  return answer;
}

}  // namespace joulecast::reference
