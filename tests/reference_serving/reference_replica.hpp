#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "reference_serving/kv_rules.hpp"

namespace joulecast::reference {

using serving::KvRole;
using serving::Phase;

struct Member {
  std::size_t job;
  std::int64_t tokens, context;  // context: in KV before the step
  bool decodes, is_last;
  std::int64_t gives;  // tokens

  std::int64_t reads() const { return tokens * context + tokens * (tokens + 1) / 2; }
};
using Step = std::vector<Member>;

/// One replica, step after step. `jobs` are those of its own role.
class Replica {
 public:
  Replica(const Problem& problem, std::vector<Job>& jobs) : problem_(problem), engine_(problem.engine), jobs_(jobs), kv_(problem) {}

  std::size_t outstanding() const { return waiting_.size() + running_.size(); }

  void arrive(std::size_t job, Time now) {
    wake(now);
    waiting_.push_back(job);
  }

  void wake(Time now) {
    if (executing_.empty()) woken_ = now;
  }

  Time next_event() const {
    if (!executing_.empty()) return floor_time(clock_ + cost_.total_seconds());
    return woken_;
  }

  void handle_event() {
    pass(executing_.empty() ? to_fixed(woken_) : clock_ + cost_.total_seconds());
    woken_ = kForever;
    if (!executing_.empty()) give_outputs();
    executing_ = std::exchange(next_, {});
    if (executing_.empty()) executing_ = schedule();
    if (executing_.empty() && preempted_) executing_ = schedule();
    if (executing_.empty()) return;
    for (const Member& member : executing_) {
      serving::Outcome& outcome = jobs_[member.job].outcome;
      if (outcome.queued_until < Time{0}) outcome.queued_until = floor_time(clock_);
    }
    price();
    if (engine_.async_scheduling) next_ = schedule();
  }

  /// Prompts that are done and wait to be taken; and whose KV is to be fetched. Each is told once.
  std::vector<std::size_t> take_done() { return std::exchange(done_, {}); }
  std::vector<std::size_t> take_loads() { return std::exchange(loads_, {}); }
  void taken(std::size_t job, Time now) {
    add_block_time(to_fixed(now));
    kv_.free_all(jobs_[job]);
    if (!waiting_.empty()) wake(now);
  }
  void come(std::size_t job, Time now) {
    jobs_[job].remote = Remote::come;
    jobs_[job].computed = jobs_[job].facts.input - 1;
    kv_.share_computed(jobs_[job]);
    wake(now);
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
    add_block_time(to);
    clock_ = to;
  }

  void add_block_time(FixedTime to) {
    answer_.block_time += (to - counted_to_).raw * (engine_.num_gpu_blocks - 1 - kv_.free());
    counted_to_ = to;
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

  /// Tokens that must find room in KV: a decoding sequence's drafts too, as far as the request can come.
  std::int64_t room(const Job& job, std::int64_t tokens) const {
    if (!job.prompt_done || !engine_.speculative.on()) return job.computed + tokens;
    return std::min<std::int64_t>(job.computed + engine_.speculative.scheduled(), job.facts.input + job.facts.output - 1);
  }

  void add(Step& step, std::size_t number, std::int64_t tokens, std::int64_t& budget) {
    Job& job = jobs_[number];
    kv_.allocate(job, room(job, tokens));
    Member member{number, tokens, job.computed, job.prompt_done, false, 0};
    budget -= job.prompt_done ? engine_.speculative.scheduled() : tokens;
    job.computed += tokens;
    kv_.share_computed(job);
    if (job.rest() == 0) {
      member.gives = 1;
      if (member.decodes && engine_.speculative.on()) {
        const std::int64_t drawn = engine_.speculative.tokens_of_step(number, job.verified++);
        member.gives = std::min(drawn, job.facts.output - job.generated);
      }
      job.prompt_done = true;
      job.generated += member.gives;
      job.computed += member.gives - 1;
      job.finishing = member.is_last = job.generated == job.facts.output;
    }
    step.push_back(member);
  }

  Step schedule() {
    Step step;
    std::int64_t budget = engine_.max_num_batched_tokens;
    preempted_ = false;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const Job& job = jobs_[running_[i]];
      const std::int64_t tokens = std::min(job.rest(), budget);
      bool alive = !job.finishing;
      while (alive && kv_.blocks_for(room(job, tokens)) - static_cast<std::int64_t>(job.blocks.size()) > kv_.free()) {
        std::size_t victim = running_.size() - 1;
        while (jobs_[running_[victim]].finishing) --victim;
        alive = victim != i;
        preempt(victim);
        preempted_ = true;
      }
      if (alive) add(step, running_[i], tokens, budget);
    }
    while (!preempted_ && budget > 0 && static_cast<std::int64_t>(running_.size()) < engine_.max_num_seqs && admit(step, budget)) {
    }
    return step;
  }

  /// Who is looked at first: whose KV has come, else the first of the others that wait for none.
  std::deque<std::size_t>::iterator first_waiting() {
    const auto is = [&](Remote stage) { return [&, stage](std::size_t job) { return jobs_[job].remote == stage; }; };
    const auto come = std::find_if(waiting_.begin(), waiting_.end(), is(Remote::come));
    return come != waiting_.end() ? come : std::find_if_not(waiting_.begin(), waiting_.end(), is(Remote::loading));
  }

  /// Admits one, or has its KV fetched; false where that can't be.
  bool admit(Step& step, std::int64_t& budget) {
    const auto at = first_waiting();
    if (at == waiting_.end()) return false;
    const std::size_t number = *at;
    Job& job = jobs_[number];
    if (job.remote != Remote::come) {
      const KvRules::Found found = kv_.find(number, job);
      if (kv_.blocks_for(job.rest()) - found.held > kv_.free()) return false;
      std::int64_t hit = static_cast<std::int64_t>(found.blocks.size()) * engine_.block_size;
      const bool local = job.remote == Remote::none;
      if (engine_.enable_prefix_caching && local) hit = std::max(hit, std::min<std::int64_t>(job.facts.cached, job.rest() - 1));
      if (!engine_.enable_chunked_prefill && local && job.rest() - hit > budget) return false;
      kv_.take(number, job, found);
      job.computed = hit;
      if (engine_.enable_prefix_caching) answer_.prefix_queries += job.facts.input + job.generated;
      answer_.prefix_hits += job.computed;
      if (!local) {
        const std::size_t found_blocks = job.blocks.size();
        kv_.allocate(job, job.facts.input);
        job.fetched_blocks = static_cast<std::int64_t>(job.blocks.size() - found_blocks);
        job.remote = Remote::loading;
        loads_.push_back(number);
        return true;
      }
    }
    job.remote = Remote::none;
    waiting_.erase(at);
    running_.push_back(number);
    add(step, number, std::min(job.rest(), budget), budget);
    return true;
  }

  void price() {
    std::vector<serving::Chunk> chunks;
    int decodes = 0;
    std::int64_t context = 0, longest = 0, reads = 0, tokens = 0;
    int128 squares = 0;
    for (const Member& member : executing_) {
      tokens += member.tokens;
      reads += member.reads();
      if (member.decodes) {
        ++decodes;
        const std::int64_t read = member.context + 1;
        context += read;
        squares += int128{read} * read;
        longest = std::max(longest, read);
      } else {
        chunks.push_back({member.tokens, member.context});
      }
    }
    serving::Contexts contexts(context);
    if (decodes > 1) contexts.uneven = {decodes * longest - context, decodes * squares - int128{context} * context};
    const serving::StepCosts& costs = *problem_.costs;
    constexpr auto attention = static_cast<std::size_t>(serving::Work::attention);
    const Phase clock = costs.one_clock() ? Phase::decode : clock_of_step(chunks.empty() ? Phase::decode : Phase::prefill);
    if (chunks.empty()) {
      const serving::DecodeSegment& segment = costs.decode(clock, decodes, contexts);
      cost_ = segment.base;
      dense_ = cost_.total_joules().raw / decodes;
      attention_ = segment.attention_joules_per_context.raw;
      cost_.seconds[attention] += context * segment.attention_seconds_per_context;
      cost_.joules[attention] += context * segment.attention_joules_per_context;
    } else {
      cost_ = costs.mixed(clock, chunks, decodes, contexts);
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
      if (member.gives == 0) continue;
      if (engine_.kv_role == KvRole::producer) {
        running_.erase(std::find(running_.begin(), running_.end(), member.job));
        done_.push_back(member.job);
        continue;
      }
      answer_.output_tokens += member.gives;
      if (!job.last_token) job.outcome.first_token = floor_time(clock_);
      if (job.last_token && floor_time(clock_) >= problem_.warmup) {
        answer_.inter_token_count += member.gives;
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
  std::vector<std::size_t> done_, loads_;
  bool preempted_ = false;  // by the last schedule
  FixedTime clock_, counted_to_;
  Time woken_ = kForever;
  serving::StepCost cost_;
  int128 dense_ = 0, attention_ = 0;
  std::vector<std::pair<FixedTime, Phase>> asked_{{FixedTime{}, Phase::decode}};
};

}  // namespace joulecast::reference
