#include "scenario/tables/router.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

Record<RouterTable> router_record() {
  Record<RouterTable> record("router");
  record.place(&RouterTable::place)
      .optional("pool", &RouterTable::pool, "none: the replicas of all pools are one list", Bounds::any(),
                "the policy that chooses a pool, and so a model: a [policy] table or a registered name; needed where a traffic has several models")
      .optional("replica", &RouterTable::replica, "\"round_robin\"", Bounds::any(),
                "the policy that chooses a replica: a [policy] table or a registered name")
      .optional("decode_replica", &RouterTable::decode_replica, "as replica", Bounds::any(),
                "the policy that chooses a replica of a decode pool when a prefill pool has done the prompt")
      .optional("report_period", &RouterTable::report_period, "absent: the state of this instant", Bounds::between(1e-3, 3600),
                "age at most of the load reports that the policies read");
  return record;
}

}  // namespace joulecast::scenario
