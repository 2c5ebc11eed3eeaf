#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "traces/requests/arrivals.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {

/// `[traffic.NAME]`.
struct SloTable {
  std::optional<Seconds> ttft, tpot, e2e;
  config::Share attainment{0.99};
  bool required = false;
  Place place;
};

struct RequestsTable {
  std::string histogram;  ///< the name of a shipped one or a path, or
  std::optional<traces::TraceOptions> trace;
};

struct TrafficTable {
  RequestsTable requests;
  std::optional<traces::Arrivals> arrivals;
  std::string lengths;
  std::optional<Hertz> request_rate;
  std::optional<std::int64_t> num_requests;
  std::vector<std::string> models;
  std::string length_prediction;
  std::optional<SloTable> slo;
  Place place;
};

config::Record<TrafficTable> traffic_record();

}  // namespace joulecast::scenario
