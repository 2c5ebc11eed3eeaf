#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "config/record.hpp"
#include "metering/ledger.hpp"
#include "traces/requests/options.hpp"

namespace joulecast::scenario {

/// What is the same in all arms.
enum class Hold : std::uint8_t {
  traffic,  ///< the requests
  slo       ///< the SLO: each arm gets as much traffic as it can take
};

/// `resample = { what = "arrivals", blocks = "5 min", within = "30 min" }`.
struct ResampleTable {
  std::string what;
  Seconds blocks = traces::Resample{}.blocks, within = traces::Resample{}.within;
  Place place;

  traces::Resample of_a_trace() const { return {blocks, within, place}; }
};

/// `[compare]`: the settings of a comparison. Its arms stay as they are written: they are changes of the file, read after they were made.
struct CompareTable {
  std::string reference;  ///< "": the first arm
  metering::Boundary boundary = metering::Boundary::facility;
  Hold hold = Hold::traffic;
  std::optional<std::int64_t> replications;
  std::optional<config::Share> confidence;
  std::optional<ResampleTable> resample;
  config::NamedTables<config::Node> arm;
  Place place;

  bool intervals() const { return replications.value_or(1) > 1; }
};

config::Record<CompareTable> compare_record();

}  // namespace joulecast::scenario
