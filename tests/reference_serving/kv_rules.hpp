#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference_serving/blocks.hpp"
#include "reference_serving/problem.hpp"

namespace joulecast::reference {

/// Where the KV of a prompt is that a consumer has not computed.
enum class Remote { none, remote, loading, come };

struct Job {
  traces::Request facts;
  serving::Outcome outcome;
  std::int64_t computed = 0;   // tokens in KV when all planned steps are done
  std::int64_t generated = 0;  // tokens given when all planned steps are done
  bool prompt_done = false, finishing = false;
  std::vector<int> blocks;
  std::vector<std::uint64_t> path;                          // shared nodes of the prompt, from the root on
  std::size_t shared = 0, shared_blocks = 0, own_from = 0;  // nodes held; their blocks; where its own findable blocks begin
  bool shares = true;
  std::optional<FixedTime> last_token;
  Remote remote = Remote::none;
  std::int64_t fetched_blocks = 0;
  std::uint32_t verified = 0;  // steps of speculative decoding

  std::int64_t rest() const { return facts.input + generated - computed; }
};

std::vector<Job> jobs_of(const Problem& problem);

/// Which blocks a request gets, shares and leaves behind.
class KvRules {
 public:
  struct Found {
    std::vector<int> blocks;
    std::size_t nodes = 0;
    std::int64_t held = 0;  // of the nodes' blocks: by others
  };

  explicit KvRules(const Problem& problem) : problem_(problem), engine_(problem.engine), kv_(engine_.num_gpu_blocks) {}

  std::int64_t blocks_for(std::int64_t tokens) const { return (tokens + engine_.block_size - 1) / engine_.block_size; }
  std::int64_t free() const { return kv_.free(); }

  std::size_t node_end(std::size_t nodes) const {
    return nodes == 0 ? 0 : nodes * static_cast<std::size_t>(problem_.prefixes->block_tokens()) / static_cast<std::size_t>(engine_.block_size);
  }

  void allocate(Job& job, std::int64_t tokens) {
    while (static_cast<std::int64_t>(job.blocks.size()) < blocks_for(tokens)) job.blocks.push_back(kv_.take_head());
  }

  void free_all(Job& job) {
    for (; !job.blocks.empty(); job.blocks.pop_back()) {
      if (job.blocks.size() > job.shared_blocks && job.finishing) kv_.forget(job.blocks.back());
      kv_.let_go(job.blocks.back());
    }
    job.shared = job.shared_blocks = 0;
  }

  /// Frees a preempted request's blocks, its own full ones to be found again.
  void leave_findable(std::size_t number, Job& job) {
    const std::size_t full = static_cast<std::size_t>(job.computed / engine_.block_size);
    for (std::size_t i = job.shared_blocks; i < job.blocks.size(); ++i) {
      kv_.forget(job.blocks[i]);
      if (engine_.enable_prefix_caching && i < full) kv_.name(job.blocks[i], {number, i});
    }
    job.own_from = job.shared_blocks;
    free_all(job);
  }

  /// The blocks that hold the first tokens of a request: of whole shared nodes, then its own; how many nodes.
  Found find(std::size_t number, const Job& job) const {
    Found found;
    auto& [blocks, nodes, held] = found;
    for (bool there = engine_.enable_prefix_caching; there && nodes < job.path.size();) {
      const std::size_t begin = blocks.size(), end = node_end(nodes + 1);
      there = static_cast<std::int64_t>(end) <= (job.rest() - 1) / engine_.block_size;
      while (there && blocks.size() < end) {
        const auto block = kv_.find({job.path[nodes], blocks.size() - begin});
        there = block.has_value();
        if (there) blocks.push_back(*block);
      }
      if (there) {
        ++nodes;
      } else {
        blocks.resize(begin);
      }
    }
    for (bool there = job.outcome.preemptions > 0 && blocks.size() == job.own_from; there;) {
      const auto block = kv_.find({number, blocks.size()});
      there = block.has_value();
      if (there) blocks.push_back(*block);
    }
    for (std::size_t i = 0; i < node_end(nodes); ++i) held += kv_.is_held(blocks[i]) ? 1 : 0;
    return found;
  }

  /// Nodes whose blocks are all computed can be found by others, unless somebody else has computed them meanwhile.
  void share_computed(Job& job) {
    while (engine_.enable_prefix_caching && job.shares && job.shared < job.path.size()) {
      const std::size_t begin = job.shared_blocks, end = node_end(job.shared + 1);
      if (static_cast<std::int64_t>(end) * engine_.block_size > job.computed) return;
      const std::uint64_t node = job.path[job.shared];
      if (const auto first = kv_.find({node, 0}); end > begin && first && kv_.is_held(*first)) {
        job.shares = false;
        return;
      }
      if (end > begin) kv_.forget_free(node);
      for (std::size_t i = begin; i < end; ++i) kv_.name(job.blocks[i], {node, i - begin});
      ++job.shared;
      job.shared_blocks = end;
    }
  }

  void take(std::size_t number, Job& job, const Found& found) {
    for (const int block : found.blocks) kv_.hold(block);
    if (found.blocks.size() == node_end(found.nodes)) kv_.forget_free(number);
    job.blocks = found.blocks;
    job.shared = found.nodes;
    job.shared_blocks = node_end(found.nodes);
    job.shares = true;
  }

 private:
  const Problem& problem_;
  const serving::EngineConfig& engine_;
  Blocks kv_;
};

}  // namespace joulecast::reference
