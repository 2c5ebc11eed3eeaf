#pragma once

#include <string>

#include "base/quantity.hpp"
#include "config/record.hpp"

namespace joulecast::scenario {

/// `[feed.NAME]`: what a breaker carries, chassis AC and network without cooling.
struct FeedTable {
  std::string site;
  Watts rating;
  config::Share continuous{1};
  Seconds window{900};
  std::string policy;  ///< who holds its power; "": nobody
  Place place;
};

config::Record<FeedTable> feed_record();

}  // namespace joulecast::scenario
