// A routing policy of our own: fill one replica before the next gets work, so that the others stay idle, or asleep. The replica with the most
// waiting and running requests gets the next one while it has fewer than `most` of them; where all have more, the least loaded one.
#include <memory>

#include "policy/own_policies.hpp"
#include "policy/parameters.hpp"

namespace {

using namespace joulecast;

struct Parameters {
  std::int64_t most = 32;
};

config::Record<Parameters> record() {
  config::Record<Parameters> keys("fullest_first");
  keys.optional("most", &Parameters::most, "32", config::Bounds::between(1, 100000), "waiting and running requests up to which a replica is filled");
  return keys;
}

class FullestFirst final : public serving::ReplicaRouter {
 public:
  explicit FullestFirst(const Parameters& parameters) : most_(parameters.most) {}

  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::ReplicaView>& replicas, Time now, Stream&) override {
    std::size_t fullest = replicas.size(), least = 0;
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      const auto load = replicas.at(i, now).outstanding();
      if (load < replicas.at(least, now).outstanding()) least = i;
      if (load < most_ && (fullest == replicas.size() || load > replicas.at(fullest, now).outstanding())) fullest = i;
    }
    return fullest < replicas.size() ? fullest : least;
  }

 private:
  std::int64_t most_;
};

std::unique_ptr<serving::ReplicaRouter> make(const config::Node* parameters, config::Diagnostics& diagnostics) {
  return std::make_unique<FullestFirst>(policy::read_parameters(record(), parameters, diagnostics));
}

}  // namespace

// The linker takes this definition in place of the library's, which adds nothing.
joulecast::policy::OwnPolicies joulecast::policy::own_policies() {
  OwnPolicies own;
  own.replica.push_back({"fullest_first", "the fullest replica with room, so that the others rest", record().describe(), false, make});
  return own;
}
