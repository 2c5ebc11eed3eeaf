#include "reference_serving/reference.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "reference_serving/kv_rules.hpp"

namespace joulecast::reference {
namespace {

using serving::Phase;

struct Member {
  std::size_t job;
  std::int64_t tokens, context;  // context: in KV before the step
  bool decodes, gives_token, is_last;

  std::int64_t reads() const { return tokens * context + tokens * (tokens + 1) / 2; }
};
using Step = std::vector<Member>;

class Replica {
 public:
  Replica(const Problem& problem, std::vector<Job>& jobs) : problem_(problem), engine_(problem.engine), jobs_(jobs), kv_(problem) {}

  std::size_t outstanding() const { return waiting_.size() + running_.size(); }

  void arrive(std::size_t job, Time now) {
    if (executing_.empty() && waiting_.empty()) woken_ = now;
    waiting_.push_back(job);
  }

  Time next_event() const {
    if (!executing_.empty()) return floor_time(clock_ + cost_.total_seconds());
    return waiting_.empty() ? kForever : woken_;
  }

  void handle_event() {
    pass(executing_.empty() ? to_fixed(woken_) : clock_ + cost_.total_seconds());
    if (!executing_.empty()) give_outputs();
    executing_ = std::exchange(next_, {});
    if (executing_.empty()) executing_ = schedule();
    if (executing_.empty()) return;
    for (const Member& member : executing_) {
      serving::Outcome& outcome = jobs_[member.job].outcome;
      if (outcome.queued_until < Time{0}) outcome.queued_until = floor_time(clock_);
    }
    price();
    if (engine_.async_scheduling) next_ = schedule();
  }

  ReplicaAnswer close(Time end) {
    pass(to_fixed(end));
    return answer_;
  }

 private:
  void pass(FixedTime to) {
    const FixedTime time = to - clock_;
    if (!executing_.empty()) {
      answer_.active += share(cost_.total_joules(), time, cost_.total_seconds());
      answer_.busy += time;
    } else {
      answer_.idle.raw += (problem_.costs->idle_joules_per_nanosecond().raw * time.raw) >> 24;
    }
    answer_.block_time += time.raw * (engine_.num_gpu_blocks - 1 - kv_.free());
    clock_ = to;
  }

  void preempt(std::size_t position) {
    const std::size_t number = running_[position];
    Job& job = jobs_[number];
    kv_.leave_findable(number, job);
    job.computed = 0;
    job.prompt_done = false;
    ++job.outcome.preemptions;
    ++answer_.preemptions;
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(position));
    waiting_.push_front(number);
  }

  void add(Step& step, std::size_t number, std::int64_t tokens, std::int64_t& budget) {
    Job& job = jobs_[number];
    kv_.allocate(job, job.computed + tokens);
    Member member{number, tokens, job.computed, job.prompt_done, false, false};
    job.computed += tokens;
    budget -= tokens;
    kv_.share_computed(job);
    if (job.rest() == 0) {
      job.prompt_done = member.gives_token = true;
      job.finishing = member.is_last = ++job.generated == job.facts.output;
    }
    step.push_back(member);
  }

  Step schedule() {
    Step step;
    std::int64_t budget = engine_.max_num_batched_tokens;
    bool preempted = false;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const Job& job = jobs_[running_[i]];
      const std::int64_t tokens = std::min(job.rest(), budget);
      bool alive = !job.finishing;
      while (alive && kv_.blocks_for(job.computed + tokens) - static_cast<std::int64_t>(job.blocks.size()) > kv_.free()) {
        std::size_t victim = running_.size() - 1;
        while (jobs_[running_[victim]].finishing) --victim;
        alive = victim != i;
        preempt(victim);
        preempted = true;
      }
      if (alive) add(step, running_[i], tokens, budget);
    }
    while (!preempted && !waiting_.empty() && budget > 0 && static_cast<std::int64_t>(running_.size()) < engine_.max_num_seqs) {
      const std::size_t number = waiting_.front();
      Job& job = jobs_[number];
      const KvRules::Found found = kv_.find(number, job);
      if (kv_.blocks_for(job.rest()) - found.held > kv_.free()) break;
      std::int64_t hit = static_cast<std::int64_t>(found.blocks.size()) * engine_.block_size;
      if (engine_.enable_prefix_caching) hit = std::max(hit, std::min<std::int64_t>(job.facts.cached, job.rest() - 1));
      if (!engine_.enable_chunked_prefill && job.rest() - hit > budget) break;
      kv_.take(number, job, found);
      job.computed = hit;
      if (engine_.enable_prefix_caching) answer_.prefix_queries += job.facts.input + job.generated;
      answer_.prefix_hits += job.computed;
      waiting_.pop_front();
      running_.push_back(number);
      add(step, number, std::min(job.rest(), budget), budget);
    }
    return step;
  }

  void price() {
    std::vector<serving::Chunk> chunks;
    int decodes = 0;
    std::int64_t context = 0, reads = 0, tokens = 0;
    for (const Member& member : executing_) {
      tokens += member.tokens;
      reads += member.reads();
      if (member.decodes) {
        ++decodes;
        context += member.context + 1;
      } else {
        chunks.push_back({member.tokens, member.context});
      }
    }
    const serving::StepCosts& costs = *problem_.costs;
    constexpr auto attention = static_cast<std::size_t>(serving::Work::attention);
    const Phase clock = costs.one_clock() ? Phase::decode : clock_of_step(chunks.empty() ? Phase::decode : Phase::prefill);
    if (chunks.empty()) {
      const serving::DecodeSegment& segment = costs.decode(clock, decodes, context);
      cost_ = segment.base;
      dense_ = cost_.total_joules().raw / decodes;
      attention_ = segment.attention_joules_per_context.raw;
      cost_.seconds[attention] += context * segment.attention_seconds_per_context;
      cost_.joules[attention] += context * segment.attention_joules_per_context;
    } else {
      cost_ = costs.mixed(clock, chunks, decodes, context);
      dense_ = (cost_.total_joules() - cost_.joules[attention]).raw / tokens;
      attention_ = cost_.joules[attention].raw / reads;
    }
  }

  Phase clock_of_step(Phase wanted) {
    const FixedTime latency = to_fixed(Time{problem_.costs->switch_latency().ns});
    if (wanted != asked_.back().second) asked_.push_back({clock_ + latency, wanted});
    Phase clock = Phase::decode;
    for (const auto& [acts, asked] : asked_) {
      if (acts <= clock_) clock = asked;
    }
    return clock;
  }

  void give_outputs() {
    ++answer_.steps;
    answer_.sequence_steps += static_cast<std::int64_t>(executing_.size());
    for (const Member& member : executing_) {
      Job& job = jobs_[member.job];
      job.outcome.joules.raw += dense_ * member.tokens + attention_ * member.reads();
      if (!member.gives_token) continue;
      ++answer_.output_tokens;
      if (!job.last_token) job.outcome.first_token = floor_time(clock_);
      if (job.last_token && floor_time(clock_) >= problem_.warmup) {
        ++answer_.inter_token_count;
        answer_.inter_token_sum += clock_ - *job.last_token;
      }
      job.last_token = clock_;
      if (!member.is_last) continue;
      job.outcome.last_token = floor_time(clock_);
      job.outcome.fate = serving::Fate::completed;
      kv_.free_all(job);
      running_.erase(std::find(running_.begin(), running_.end(), member.job));
    }
  }

  const Problem& problem_;
  const serving::EngineConfig& engine_;
  std::vector<Job>& jobs_;
  KvRules kv_;
  ReplicaAnswer answer_;
  std::deque<std::size_t> waiting_;
  std::vector<std::size_t> running_;
  Step executing_, next_;
  FixedTime clock_;
  Time woken_;
  serving::StepCost cost_;
  int128 dense_ = 0, attention_ = 0;
  std::vector<std::pair<FixedTime, Phase>> asked_{{FixedTime{}, Phase::decode}};
};

}  // namespace

Answer solve(const Problem& problem) {
  const Time end = problem.horizon;
  std::vector<Job> jobs;
  for (const traces::Request& request : problem.requests) {
    Job& job = jobs.emplace_back();
    job.facts = request;
    for (auto node = request.prefix; node != 0; node = problem.prefixes->depth(node) > 1 ? problem.prefixes->parent(node) : 0) {
      job.path.insert(job.path.begin(), std::uint64_t{1} << 63 | node);
    }
  }
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
