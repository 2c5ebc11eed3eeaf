// Collectives against closed forms: rings, trees, hierarchical, shared NICs, oversubscription; in a node the measured form.
#include "hardware/fabric/fabric_collectives.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "hardware/profiles.hpp"
#include "unit/hardware/fabric_fixture.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

constexpr double kBytes = 1e9;
constexpr double kRate = 10e9;
constexpr auto kReduce = Collective::all_reduce;
constexpr auto kGather = Collective::all_gather;
constexpr auto kScatter = Collective::reduce_scatter;

double by(const FabricCollectives& times, Algorithm algorithm, Collective collective, const RankGroup& group) {
  return times.seconds_by(algorithm, collective, kBytes, group).value();
}

}  // namespace

TEST_CASE("ring over single-GPU nodes: 2(n-1)/n of the bytes at the NIC's rate and 2(n-1) messages; half for gather and scatter") {
  const auto fabric = round_fabric(Topology::rail, 1, 1, 5e-6);
  for (const std::int64_t n : {2, 3, 8}) {
    const FabricCollectives times(round_gpu(), 1, &fabric, n);
    const double k = static_cast<double>(n);
    CHECK(by(times, Algorithm::ring, kReduce, {n, 1, 1}) == Approx(2 * (k - 1) / k * kBytes / kRate + 2 * (k - 1) * 5e-6).epsilon(1e-13));
    CHECK(by(times, Algorithm::ring, kGather, {n, 1, 1}) == Approx((k - 1) / k * kBytes / kRate + (k - 1) * 5e-6).epsilon(1e-13));
    CHECK(by(times, Algorithm::ring, kScatter, {n, 1, 1}) == by(times, Algorithm::ring, kGather, {n, 1, 1}));
    CHECK(by(times, Algorithm::hierarchical, kReduce, {n, 1, 1}) == Approx(by(times, Algorithm::ring, kReduce, {n, 1, 1})).epsilon(1e-13));
  }
}

TEST_CASE("a message between leaves passes two switches more") {
  const auto fabric = round_fabric(Topology::rail, 1, 1, 5e-6, 1e-6);
  const FabricCollectives times(round_gpu(), 1, &fabric, 16);
  CHECK(by(times, Algorithm::ring, kGather, {8, 1, 1}) == Approx(7.0 / 8 * kBytes / kRate + 7 * 5e-6).epsilon(1e-13));
  CHECK(by(times, Algorithm::ring, kGather, {16, 1, 1}) == Approx(15.0 / 16 * kBytes / kRate + 15 * 7e-6).epsilon(1e-13));
}

TEST_CASE("a NIC shared by k groups gives each a k-th; an oversubscribed leaf its ratio") {
  const auto fabric = round_fabric(Topology::rail, 1, 1);
  const FabricCollectives times(round_gpu(), 8, &fabric, 4);
  CHECK(by(times, Algorithm::ring, kReduce, {4, 1, 8}) == Approx(8 * by(times, Algorithm::ring, kReduce, {4, 1, 1})).epsilon(1e-13));
  const auto even = round_fabric(Topology::rail, 1, 1);
  const auto thin = round_fabric(Topology::rail, 1, 4);
  const FabricCollectives wide(round_gpu(), 1, &even, 16);
  const FabricCollectives narrow(round_gpu(), 1, &thin, 16);
  const RankGroup apart{2, 1, 1, 8};
  CHECK(narrow.seconds(kReduce, kBytes, apart) == Approx(4 * wide.seconds(kReduce, kBytes, apart)).epsilon(1e-13));
  CHECK(narrow.seconds(kReduce, kBytes, {16, 1, 1}) == Approx(wide.seconds(kReduce, kBytes, {16, 1, 1})).epsilon(1e-13));
  CollectiveOptions half;
  half.nic_efficiency = 0.5;
  const FabricCollectives slow(round_gpu(), 1, &even, 16, half);
  CHECK(slow.seconds(kReduce, kBytes, {16, 1, 1}) == Approx(2 * wide.seconds(kReduce, kBytes, {16, 1, 1})).epsilon(1e-13));
}

TEST_CASE("over nodes of 8: a flat ring is as fast as the slower of NICs and node; hierarchical adds the node's parts") {
  const auto fabric = round_fabric(Topology::rail, 8, 1, 5e-6);
  const double alpha = 14e-6;
  const double beta = 200e9;
  const FabricCollectives times(round_gpu(alpha, 0, beta), 8, &fabric, 4);
  const RankGroup all{32, 8, 1};
  // 8 NICs = 80 GB/s: 2*31/32*S/80e9. In the node 2*31/32 / (2*7/8) * S/beta is faster. Latency: 4 hops between nodes and 28 in them, of alpha/14.
  const double laps = 2 * 31.0 / 32;
  CHECK(by(times, Algorithm::ring, kReduce, all) == Approx(laps * kBytes / 80e9 + laps * (4 * 5e-6 + 28 * alpha / 14)).epsilon(1e-13));
  // reduce_scatter(S) + 2(m-1)/m S over 8 rails + all_gather(S); each of the two in the node is half of its all-reduce.
  CHECK(by(times, Algorithm::hierarchical, kReduce, all) ==
        Approx(alpha + kBytes / beta + 2 * 3 * 5e-6 + 2 * 3.0 / 4 * kBytes / 80e9).epsilon(1e-13));
  CHECK(by(times, Algorithm::hierarchical, kGather, all) ==
        Approx(alpha / 2 + kBytes / beta / 2 + 3 * 5e-6 + 3.0 / 4 * kBytes / 80e9).epsilon(1e-13));
  // A slow node limits the flat ring.
  const FabricCollectives slow(round_gpu(0, 0, 20e9), 8, &fabric, 4);
  CHECK(slow.seconds_by(Algorithm::ring, kReduce, kBytes, all).value() ==
        Approx((31.0 / 32) / (7.0 / 8) * kBytes / 20e9 + laps * 4 * 5e-6).epsilon(1e-13));
}

TEST_CASE("small messages over many nodes go by trees, large ones by rings; best is never slower than any") {
  const auto fabric = round_fabric(Topology::rail, 1, 1, 10e-6);
  const FabricCollectives times(round_gpu(), 1, &fabric, 8);
  const RankGroup all{8, 1, 1};
  CHECK(times.seconds_by(Algorithm::tree, kReduce, 8, all).value() == Approx(2 * 3 * 10e-6 + 2 * 8 / kRate).epsilon(1e-13));
  CHECK(times.seconds(kReduce, 8, all) == times.seconds_by(Algorithm::tree, kReduce, 8, all).value());
  CHECK(times.seconds(kReduce, 1e10, all) < times.seconds_by(Algorithm::tree, kReduce, 1e10, all).value());
  for (double bytes = 1; bytes < 1e11; bytes *= 10) {
    for (const auto algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical}) {
      CHECK(times.seconds(kReduce, bytes, all) <= times.seconds_by(algorithm, kReduce, bytes, all).value());
    }
    CHECK(times.seconds(kReduce, bytes, all) < times.seconds(kReduce, 10 * bytes, all));
  }
  CHECK_FALSE(times.seconds_by(Algorithm::tree, kGather, 8, all));
}

TEST_CASE("all-to-all, broadcast and send over nodes") {
  const auto fabric = round_fabric(Topology::leaf_spine, 2, 1, 5e-6);
  const FabricCollectives times(round_gpu(0, 0, 1e15), 8, &fabric, 4);
  // 4 nodes of 8 ranks: each node sends 8*S*24/32 over 2 NICs.
  CHECK(times.seconds(Collective::all_to_all, kBytes, {32, 8, 1}) == Approx(5e-6 + 8 * kBytes * 0.75 / (2 * kRate)).epsilon(1e-9));
  CHECK(times.seconds(Collective::broadcast, kBytes, {4, 1, 1}) == Approx(3 * 5e-6 + kBytes / kRate).epsilon(1e-13));
  CHECK(times.seconds(Collective::send, kBytes, {2, 1, 1}) == Approx(5e-6 + kBytes / kRate).epsilon(1e-13));
  // 8 ranks a stage scatter a message: 4 of them a NIC of 10 GB/s, S/8 each, then gather among 8.
  CHECK(scattered_send_seconds(times, kBytes, 8, true) == Approx(5e-6 + kBytes / (2 * kRate)).epsilon(1e-5));
}

TEST_CASE("in a node: the measured form; others by what a ring moves; other counts by steps and bytes") {
  const FabricCollectives times(round_gpu(8e-6, 1e-9, 100e9), 8, nullptr, 1);
  const double s = 4e6;
  const double reduce = 8e-6 + 1e-9 * std::sqrt(s) + s / 100e9;
  CHECK(times.seconds(kReduce, s, {8, 8, 1}) == Approx(reduce).epsilon(1e-14));
  CHECK(times.seconds(kGather, s, {8, 8, 1}) == Approx(reduce / 2).epsilon(1e-14));
  CHECK(times.seconds(Collective::all_to_all, s, {8, 8, 1}) == Approx(reduce / 2).epsilon(1e-14));
  CHECK(times.seconds(Collective::broadcast, s, {8, 8, 1}) == Approx(4e-6 + 8.0 / 14 * (reduce - 8e-6)).epsilon(1e-14));
  CHECK(times.seconds(kReduce, s, {4, 4, 1}) == Approx(8e-6 * 3 / 7 + (3.0 / 4) / (7.0 / 8) * (reduce - 8e-6)).epsilon(1e-14));
  CHECK(times.seconds(Collective::send, s, {2, 2, 1}) == times.seconds(kReduce, s, {2, 2, 1}));
  CHECK(in_node_form(round_gpu(), kGather, 8).provenance == Provenance::modelled);

  auto gpu = round_gpu(8e-6, 1e-9, 100e9);
  CollectiveForm own;
  own.collective = kGather;
  own.gpus = 8;
  own.alpha.value = Seconds(3e-6);
  own.beta.value = BytesPerSecond(300e9);
  gpu.collectives = {own};
  CHECK(FabricCollectives(gpu, 8, nullptr, 1).seconds(kGather, s, {8, 8, 1}) == Approx(3e-6 + s / 300e9).epsilon(1e-14));
}

TEST_CASE("nothing moves in no time; what cannot be done is named") {
  const auto fabric = round_fabric(Topology::rail, 1, 1, 5e-6);
  const FabricCollectives times(round_gpu(), 1, &fabric, 4);
  CHECK(times.seconds(kReduce, kBytes, {1, 1, 1}) == 0);
  CHECK(times.seconds(kReduce, 0, {4, 1, 1}) == 0);
  CHECK_THROWS_WITH(FabricCollectives(round_gpu(), 8, nullptr, 1).seconds(kReduce, kBytes, {16, 8, 1}),
                    Catch::Contains("16 ranks of round lie on 2 nodes") && Catch::Contains("fabric"));
  GpuProfile alone;
  alone.name = "alone";
  CHECK_THROWS_WITH(FabricCollectives(alone, 8, nullptr, 1).seconds(kReduce, kBytes, {8, 8, 1}), Catch::Contains("alone has no all-reduce"));
  const Place place{"job.toml", 7, 3};
  CHECK_THROWS_WITH(require_collective(place, "the gradient all-reduce", 1, 10), Catch::Contains("job.toml:7:3") && Catch::Contains("over 1 rank"));
  CHECK_THROWS_WITH(require_collective(place, "the gradient all-reduce", 8, 0), Catch::Contains("0 bytes"));
  CHECK_NOTHROW(require_collective(place, "the gradient all-reduce", 8, 10));
}

TEST_CASE("a data-parallel ring of thousands of GPUs is looked up quickly and grows as (nodes-1)/nodes") {
  config::Diagnostics diagnostics;
  const auto gpu = load_gpu(find_profile(gpu_folder("."), "GPU", "H100 SXM", {}), diagnostics);
  const auto fabric = load_fabric(find_profile(fabric_folder("."), "fabric", "ib-ndr-8x400g", {}), diagnostics);
  diagnostics.throw_if_failed();
  const FabricCollectives times(gpu, 8, &fabric, 256);
  const double two = times.seconds_by(Algorithm::ring, kReduce, 1e10, {2, 1, 8}).value();
  const double four = times.seconds_by(Algorithm::ring, kReduce, 1e10, {4, 1, 8}).value();
  CHECK(four / two == Approx(1.5).epsilon(1e-3));
  CHECK(times.seconds(kReduce, 1e10, {256, 1, 8}) == Approx(2 * 255.0 / 256 * 1e10 / (50e9 * 0.97)).epsilon(0.05));
}
