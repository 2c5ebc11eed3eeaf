#include "hardware/uneven_contexts.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

TEST_CASE("a batch of two lengths is found again from its mean, longest and variance") {
  for (const double share : {0.0625, 0.25, 0.75}) {
    const double low = 300, high = 2100, mean = share * high + (1 - share) * low;
    const double variance = share * (1 - share) * (high - low) * (high - low);
    CHECK(ContextSpread{mean, high, variance}.share_of_long() == Approx(share));
  }
  CHECK(ContextSpread{500, 500, 0}.share_of_long() == 0);
}

TEST_CASE("alpha is the least-squares fit of a cell, kept between 0 and 1, and interpolates") {
  using Sample = UnevenContexts::Sample;
  // Two samples of one cell: (longer, measured) = (1, 0.2) and (2, 0.4), then cells that would leave [0, 1].
  const UnevenContexts fit =
      UnevenContexts::fitted({Sample{false, 8, 0.25, 10, 20, 12}, Sample{false, 8, 0.25, 10, 30, 14}, Sample{false, 8, 0.5, 10, 20, 9},
                              Sample{false, 32, 0.25, 10, 20, 25}, Sample{true, 8, 0.25, 10, 20, 15}, Sample{false, 8, 0.01, 10, 20, 20}});
  CHECK(fit.alpha(false, 8, 0.25) == Approx(0.2));
  CHECK(fit.alpha(false, 8, 0.5) == 0);
  CHECK(fit.alpha(false, 8, 0.375) == Approx(0.1));
  CHECK(fit.alpha(false, 32, 0.25) == 1);
  CHECK(fit.alpha(false, 16, 0.25) == Approx(0.6));  // halfway in the logarithm of the sequences
  CHECK(fit.alpha(false, 2, 0.25) == Approx(0.2));
  CHECK(fit.alpha(false, 500, 0.9) == 1);
  CHECK(fit.alpha(true, 8, 0.25) == Approx(0.5));
  CHECK(fit.alpha(false, 1, 0.25) == 0);
  CHECK(fit.alpha(false, 8, 0) == 0);
  CHECK(UnevenContexts().alpha(false, 8, 0.5) == 0);
}

TEST_CASE("skew.csv: sums of three measurements cancel, a chunk makes a step mixed, faults have their place") {
  const std::string path = (std::filesystem::temp_directory_path() / "joulecast-skew-test.csv").string();
  const auto write = [&](const std::string& rows) { std::ofstream(path) << "regime,n,ratio,pc,t_mean_us,t_max_us,t_skew_us\n" << rows; };
  write("pure,8,0.25,0,30,60,36\nmixed,8,0.25,512,30,60,45\n");
  const UnevenContexts read = read_uneven_contexts(path);
  CHECK(read.alpha(false, 8, 0.25) == Approx(0.2));
  CHECK(read.alpha(true, 8, 0.25) == Approx(0.5));
  write("pure,8,0.25,0,30,0,36\n");
  try {
    read_uneven_contexts(path);
    FAIL("a time of 0 was taken");
  } catch (const UserError& error) {
    CHECK(error.faults().front().place.line == 2);
  }
  std::filesystem::remove(path);
}
