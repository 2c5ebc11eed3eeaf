#include "scenario/tables/feed.hpp"

namespace joulecast::scenario {

using config::Bounds;
using config::Record;

Record<FeedTable> feed_record() {
  Record<FeedTable> record("feed");
  record.place(&FeedTable::place)
      .optional("site", &FeedTable::site, "the scenario's only one", Bounds::any(), "the site at which the feed is")
      .required("rating", &FeedTable::rating, Bounds::positive(), "what its breaker is rated for: \"69 kW\"")
      .optional("continuous", &FeedTable::continuous, "\"100 %\"", Bounds::between(0.01, 1), "share of the rating that may be drawn all the time")
      .optional("window", &FeedTable::window, "\"15 min\"", Bounds::between(1e-3, 86400), "over what the draw is held against the usable watts")
      .optional("policy", &FeedTable::policy, "none", Bounds::any(), "the policy that holds its power: a [policy] table or a registered name");
  return record;
}

}  // namespace joulecast::scenario
