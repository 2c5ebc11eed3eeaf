#include "metering/node_overhead.hpp"

#include <catch2/catch.hpp>

#include "base/error.hpp"
#include "metering/tariff.hpp"

using namespace joulecast;
using namespace joulecast::metering;

namespace {

// 80 PLUS Titanium; six supplies of 3.3 kW.
NodeOverhead dgx_h100() {
  NodeOverhead node;
  node.host = Watts(1250);
  node.psu_rated = Watts(6 * 3300);
  node.psu_efficiency = {{0.1, 0.90}, {0.2, 0.94}, {0.5, 0.96}, {1.0, 0.91}};
  return node;
}

NodeOverhead air_cooled() {
  NodeOverhead node = dgx_h100();
  node.fans_peak = Watts(1170);
  node.fans_idle_share = 0.3;
  node.fans_peak_dc = Watts(8 * 700 + 1250);
  return node;
}

}  // namespace

// MLPerf Training 4.0, Llama-2 70B LoRA on 8 x H100 in immersion: 6.741 kW DC.
TEST_CASE("a node without fans draws its GPUs and its host") {
  const NodeOverhead node = dgx_h100();
  CHECK(node.chassis_dc(Watts(8 * 685)).si() == Approx(6730).epsilon(1e-12));
  CHECK(node.chassis_dc(Watts(8 * 685)).si() == Approx(6741).epsilon(0.002));
  // Load 6730 / 19800 = 0.3399: 0.94 + 0.02 * 0.1399 / 0.3 = 0.949327.
  CHECK(node.efficiency(Watts(6730)) == Approx(0.94932660).epsilon(1e-7));
  CHECK(node.chassis_ac(Watts(8 * 685)).si() == Approx(6730 / 0.94932660).epsilon(1e-7));
}

// DC 5600 + 1250 + 1170 = 8020 W; load 0.40505, efficiency 0.94 + 0.02 * 0.20505 / 0.3 = 0.953670; AC 8409.6 W. The highest of an air-cooled
// DGX H100 in training is 8.4 kW (arXiv 2412.08602).
TEST_CASE("an air-cooled node at full draw") {
  CHECK(air_cooled().fans(Watts(5600)).si() == Approx(1170));
  CHECK(air_cooled().chassis_ac(Watts(5600)).si() == Approx(8409.62).epsilon(1e-6));
}

TEST_CASE("fans grow with the cube of the node's watts and stay at their peak beyond it") {
  const NodeOverhead node = air_cooled();
  // (2175 + 1250) / 6850 = 1/2: 1170 * (0.3 + 0.7 / 8).
  CHECK(node.fans(Watts(2175)).si() == Approx(1170 * 0.3875));
  CHECK(node.fans(Watts(9000)).si() == Approx(1170));
}

TEST_CASE("the efficiency keeps its edge values beyond the curve and is 1 without one") {
  CHECK(dgx_h100().efficiency(Watts(100)) == 0.90);
  CHECK(dgx_h100().efficiency(Watts(30000)) == 0.91);
  CHECK(dgx_h100().efficiency(Watts(19800 * 0.15)) == Approx(0.92));
  CHECK(NodeOverhead{}.chassis_ac(Watts(123)).si() == 123);
}

TEST_CASE("an overhead without meaning is refused") {
  NodeOverhead node = air_cooled();
  node.fans_peak_dc = Watts(0);
  CHECK_THROWS_AS(node.check(), Bug);
  node = dgx_h100();
  node.psu_efficiency[1].first = 0.05;
  CHECK_THROWS_AS(node.check(), Bug);
  node = dgx_h100();
  node.psu_rated = Watts(0);
  CHECK_THROWS_AS(node.check(), Bug);
}

// 16 GPUs at 1.30 USD an hour for half an hour; 2 nodes of 90,000 USD over 4 years for a year.
TEST_CASE("rental and capital") {
  CHECK(Rental{MoneyPerSecond(1.30 / 3600)}.cost(16, Seconds(1800)).si() == Approx(10.40));
  CHECK(Capital{Money(90000), Seconds(4 * 31557600.0)}.cost(2, Seconds(31557600.0)).si() == Approx(45000));
}
