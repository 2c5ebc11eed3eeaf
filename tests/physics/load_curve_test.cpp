// Power of a serving replica against its load: idle below, then busy at small batch, then a slow climb.
#include "validation/load_curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast::validation;

TEST_CASE("power climbs with load, steeply while a replica is seldom busy, slowly once it always is") {
  const double sustained = sustained_rate(".");
  REQUIRE(sustained > 0.5);
  const double loads[] = {0.01, 0.05, 0.25, 0.5, 0.95};
  std::vector<LoadPoint> points;
  for (const double load : loads) points.push_back(load_point(".", load, sustained));
  for (std::size_t i = 1; i < points.size(); ++i) {
    CAPTURE(points[i].load, points[i].gpu_watts, points[i].busy);
    CHECK(points[i].gpu_watts > points[i - 1].gpu_watts);
    CHECK(points[i].busy >= points[i - 1].busy);
    CHECK(points[i].batch > points[i - 1].batch);
    // Concave: each step of load adds fewer watts than the one before.
    if (i < 2) continue;
    const auto slope = [&](std::size_t j) { return (points[j].gpu_watts - points[j - 1].gpu_watts) / (points[j].load - points[j - 1].load); };
    CHECK(slope(i) < slope(i - 1));
  }
  // A step's joules are shared by the batch: a request costs many times as much when it is alone.
  const auto joules = [](const LoadPoint& point) { return point.gpu_watts / point.requests_per_s; };
  CHECK(joules(points.front()) > 20 * joules(points.back()));
  CHECK(joules(points.front()) < 60 * joules(points.back()));
}

TEST_CASE("a replica that seldom has a request is busy as long as one is there") {
  const double sustained = sustained_rate(".");
  const double alone = load_point(".", 0.001, sustained).mean_e2e_s;
  for (const double load : {0.002, 0.005, 0.01}) {
    const LoadPoint point = load_point(".", load, sustained);
    CHECK(point.busy == Approx(1 - std::exp(-point.requests_per_s * alone)).margin(0.03));
  }
}
