#pragma once

#include <cstdint>

#include "scenario/tables/traffic.hpp"
#include "serving/requests.hpp"

namespace joulecast::scenario {

/// Where a request stands against an SLO.
enum class Judged : std::uint8_t {
  within,  ///< completed, every stated limit kept
  missed,  ///< a limit is broken, though the request may still run
  open     ///< not completed, nothing broken so far; or rejected
};

/// `end` is the end of the run. A request of one token has no time a further token, and keeps any limit on it.
Judged judge(const SloTable& slo, const serving::RequestRecord& request, Time end);

}  // namespace joulecast::scenario
