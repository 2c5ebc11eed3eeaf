#pragma once

#include <memory>

#include "config/record.hpp"
#include "serving/routing.hpp"

namespace joulecast::policy {

struct PrefixAffinityParameters {
  double load_bound = 1.25;
};
config::Record<PrefixAffinityParameters> prefix_affinity_record();

/// The replica that last got the longest prefix of the prompt, else the conversation's last one, else one by rendezvous hashing of the prompt's first
/// block or of the conversation (Thaler and Ravishankar, "Using name-based mappings to increase hit rates", IEEE/ACM ToN 6(1), 1998). A request that
/// has neither goes to the replica with the fewest outstanding requests.
///
/// Loads are bounded as in consistent hashing with bounded loads (Mirrokni, Thorup, Zadimoghaddam, SODA 2018): no replica gets a request while it has
/// ceil(load_bound (total + 1) / replicas) outstanding; the next in the order of the hash that has fewer does. It knows what it sent, not what the
/// caches still hold.
std::unique_ptr<serving::ReplicaRouter> make_prefix_affinity(const PrefixAffinityParameters& parameters);

}  // namespace joulecast::policy
