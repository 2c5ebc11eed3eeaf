#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/stations.hpp"

using namespace joulecast;
using namespace joulecast::engine;
using namespace joulecast::test;

namespace {

struct Kind {
  int servers;
  bool exponential;
};

/// Mean wait at each station of a line, a replication each.
std::vector<double> waits_of_line(std::uint64_t seed, double rate, const std::vector<Kind>& line) {
  constexpr std::uint64_t kCustomers = 20'000;
  Simulation simulation;
  auto [id, source] = simulation.add_new<CustomerSource>("source", Level::source, seed, rate, kCustomers);
  std::vector<EntityId> ids;
  std::vector<Station*> stations;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string name = "station " + std::to_string(i);
    const auto [station_id, station] = simulation.add_new<Station>(name, static_cast<Level>(i + 1), seed, name, line[i].servers, line[i].exponential);
    ids.push_back(station_id);
    stations.push_back(station);
  }
  source->first_station = ids[0];
  source->port = simulation.connect(id, std::vector<EntityId>{ids[0]}, Span{0});
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    stations[i]->next = ids[i + 1];
    stations[i]->port = simulation.connect(ids[i], std::vector<EntityId>{ids[i + 1]}, Span{0});
  }
  simulation.run({});
  std::vector<double> means;
  for (const Station* station : stations) {
    REQUIRE(station->waits.size() == kCustomers);
    means.push_back(std::accumulate(station->waits.begin() + kCustomers / 10, station->waits.end(), 0.0) / (0.9 * kCustomers));
  }
  return means;
}

void require_waits(double rate, const std::vector<Kind>& line, const std::vector<double>& expected) {
  constexpr int kReplications = 20;
  std::vector<double> sum(line.size()), squares(line.size());
  for (std::uint64_t seed = 1; seed <= kReplications; ++seed) {
    const std::vector<double> means = waits_of_line(seed, rate, line);
    for (std::size_t i = 0; i < line.size(); ++i) {
      sum[i] += means[i];
      squares[i] += means[i] * means[i];
    }
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const double mean = sum[i] / kReplications;
    const double error = std::sqrt((squares[i] / kReplications - mean * mean) / (kReplications - 1));
    INFO("station " << i << ": " << mean << " +- " << error << ", expected " << expected[i]);
    REQUIRE(std::abs(mean - expected[i]) < 3 * error);
    REQUIRE(error < 0.05 * expected[i]);
  }
}

}  // namespace

// A station with Poisson arrivals of rate l and service of mean 1 waits
//   M/M/1: l / (1 - l)        M/D/1: half of that        M/M/c: C(c, l) / (c - l), C by Erlang
// and what leaves an M/M/c is Poisson with the same rate (Burke 1956), so stations in a line wait as if alone.
TEST_CASE("a line of an M/M/2, an M/M/1 and an M/D/1 station waits as the closed forms say") {
  const double l = 0.7;
  const double r = l / 2;  // for M/M/2 Erlang's formula gives r^2 / (1 - r^2)
  require_waits(l, {{2, true}, {1, true}, {1, false}}, {r * r / (1 - r * r), l / (1 - l), 0.5 * l / (1 - l)});
}

TEST_CASE("a loaded M/M/4 station waits as Erlang's formula says") {
  // C(4, 2.8) = 0.428654, so the wait is 0.428654 / (4 - 2.8).
  require_waits(2.8, {{4, true}}, {0.428654 / 1.2});
}
