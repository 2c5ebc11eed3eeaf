#include "scenario/tables/cluster.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<CostTable> cost_record() {
  Record<CostTable> record("cost");
  record.place(&CostTable::place)
      .optional("rental", &CostTable::rental, "absent", Bounds::not_negative(), "rent of a GPU: \"1.30 USD/GPU/h\"")
      .optional("capital", &CostTable::capital, "absent", Bounds::not_negative(), "price of a node: \"90000 USD/node\"")
      .optional("life", &CostTable::life, "absent", Bounds::positive(), "time over which the capital is spread: \"4 year\"")
      .check([](const CostTable& cost, const Place& place, Diagnostics& diagnostics) {
        if (cost.rental && cost.rental->per != "GPU") {
          diagnostics.error(place, "rental is not stated per GPU", "write it as \"1.30 USD/GPU/h\"");
        }
        if (cost.capital && cost.capital->per != "node") {
          diagnostics.error(place, "capital is not stated per node", "write it as \"90000 USD/node\"");
        }
        if (cost.capital.has_value() != cost.life.has_value()) {
          diagnostics.error(place, "capital and life belong together", "give both, for example capital = \"300000 USD/node\", life = \"4 year\"");
        }
      });
  return record;
}

Record<ClusterTable> cluster_record() {
  Record<ClusterTable> record("cluster");
  record.place(&ClusterTable::place)
      .required("node", &ClusterTable::node, Bounds::any(), "node profile, by name or path")
      .required("nodes", &ClusterTable::nodes, Bounds::between(1, 100000), "how many of them")
      .optional("gpu", &ClusterTable::gpu, "the node's", Bounds::any(), "GPU profile in place of the node's, by name or path")
      .optional("fabric", &ClusterTable::fabric, "the node's, for jobs over several nodes", Bounds::any(),
                "fabric profile that joins the nodes, by name or path; its watts are part of `it`")
      .table("cost", &ClusterTable::cost, cost_record(), "what the hardware costs")
      .optional("site", &ClusterTable::site, "its feed's, or the scenario's only one", Bounds::any(), "the site at which the nodes stand")
      .optional("feed", &ClusterTable::feed, "none", Bounds::any(), "the feed that the nodes hang on");
  return record;
}

}  // namespace joulecast::scenario
