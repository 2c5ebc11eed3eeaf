#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "config/record.hpp"
#include "control/length_prediction.hpp"
#include "control/power_controller.hpp"
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

/// `lengths`: histograms (names or paths) with their shares of the requests, or the rows of a trace.
struct LengthsTable {
  std::vector<std::pair<std::string, double>> histograms;
  std::optional<traces::TraceOptions> trace;
};

/// `rate`: of a trace `scale` and `by`, of generated arrivals `daily`.
struct TrafficRateTable {
  std::optional<double> scale;
  std::optional<traces::RateScale::By> by;
  std::vector<double> daily;
  Place place;
};

struct TrafficTable {
  RequestsTable requests;
  std::optional<traces::Arrivals> arrivals;
  std::optional<LengthsTable> lengths;
  std::optional<Hertz> request_rate;
  std::optional<TrafficRateTable> rate;
  std::optional<traces::Resample> resample;
  config::Share prefix_hit_rate{0};
  std::optional<std::int64_t> num_requests;
  std::vector<std::string> models;
  std::optional<control::LengthPrediction> length_prediction;
  std::optional<SloTable> slo;
  std::optional<control::Priority> priority;  ///< who gives way first
  Place place;
};

config::Record<TrafficTable> traffic_record();

}  // namespace joulecast::scenario
