// A cluster that names its fabric carries its share of switches and optics from `it` on.
#include <catch2/catch.hpp>

#include "hardware/fabric/network_power.hpp"
#include "scenario/resolved.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

std::string cluster_text(const std::string& line) {
  return R"(schema = 1
[site.here]
pue = 1.25
[cluster.h100]
node = "dgx-h100"
nodes = 4
)" + line +
         R"(
[pool.chat]
cluster = "h100"
model = "meta-llama/Llama-3.1-70B-Instruct"
tensor_parallel_size = 4
replicas = 2
[traffic.chat]
requests = "azure-2023-conv"
request_rate = "4 /s"
length_prediction = "mean"
)";
}

}  // namespace

TEST_CASE("the named fabric's watts are spread over the cluster's nodes; without a name there are none") {
  CHECK(load_text(cluster_text("")).clusters[0].node.overhead().network.si() == 0);
  const Scenario scenario = load_text(cluster_text("fabric = \"ib-ndr-8x400g\""));
  config::Diagnostics diagnostics;
  const auto fabric = hardware::load_fabric("hardware_profiles/fabrics/ib-ndr-8x400g.toml", diagnostics);
  CHECK(scenario.clusters[0].node.overhead().network == hardware::network_watts_a_node(fabric, 4));
  CHECK(scenario.clusters[0].node.fabric == "ib-ndr-8x400g");
  // The resolved file says so and gives the same cluster again.
  const std::string resolved = resolved_toml(scenario);
  CHECK_THAT(resolved, Catch::Contains("fabric = \"ib-ndr-8x400g\""));
  CHECK(load_text(resolved).clusters[0].node.network == scenario.clusters[0].node.network);
}

TEST_CASE("a fabric that is not there is named with the nearest") {
  CHECK_THAT(faults(cluster_text("fabric = \"ib-ndr-8x400\"")), Catch::Contains("no fabric is called") && Catch::Contains("ib-ndr-8x400g"));
}
