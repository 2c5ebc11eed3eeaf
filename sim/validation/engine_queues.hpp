#pragma once

#include <cstdint>

namespace joulecast::validation {

/// The distribution of service times, whose mean is 1 s.
enum class Service { exponential, constant };

/// The mean wait in seconds (arrival to start of service) at a station with Poisson arrivals, one queue, first come first served, and
/// `servers` servers that are each busy for the share `rho` of the time, simulated by the engine: `customers` of them, of which the first
/// `left_out` do not count. Closed forms: M/M/1 rho / (1 - rho), M/D/1 half of that, M/M/c by Erlang's C formula.
double mean_wait(Service service, int servers, double rho, std::uint64_t seed, std::uint64_t customers, std::uint64_t left_out);

struct QueueCheck {
  double mean;            ///< of the replications' mean waits, seconds
  double standard_error;  ///< of that mean, seconds
};

/// Replications with seeds 1 .. `replications`.
QueueCheck mean_wait_check(Service service, int servers, double rho, int replications = 30, std::uint64_t customers = 1'000'000,
                           std::uint64_t left_out = 50'000);

}  // namespace joulecast::validation
