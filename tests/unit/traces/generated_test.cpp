#include <catch2/catch.hpp>
#include <cmath>

#include "traces/requests/generate.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

LengthHistogram one_cell() { return LengthHistogram({{1, {7, 7, 7}, {3, 3, 3}}}); }

struct Moments {
  double mean = 0, variance = 0;
};

Moments gap_moments(const Arrivals& arrivals, int count) {
  ArrivalTimes times(arrivals, 7, "chat");
  double sum = 0, squares = 0;
  Time last;
  for (int i = 0; i < count; ++i) {
    const Time at = times.next();
    const double gap = (at - last).seconds();
    last = at;
    sum += gap;
    squares += gap * gap;
  }
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}

bool equal(const std::vector<Request>& a, const std::vector<Request>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Request& x, const Request& y) { return x.arrival == y.arrival && x.input == y.input && x.output == y.output; });
}

std::vector<Request> generated(const Arrivals& arrivals, const LengthHistogram& lengths, std::uint64_t seed, std::string_view name,
                               std::uint64_t count) {
  return all(*generate(arrivals, lengths, count, seed, name));
}

}  // namespace

// A gamma gap with mean m and shape b has variance m^2 / b. The standard error of the mean of n gaps is m / sqrt(b n); that of their variance is
// (m^2 / b) sqrt((2 + 6 / b) / n), the kurtosis of the gamma law being 3 + 6 / b.
TEST_CASE("gaps have the mean and variance of their law") {
  const double rate = 12, mean = 1 / rate;
  const int count = 400000;
  for (const auto& [process, shape] :
       {std::pair{Arrivals::Process::poisson, 1.0}, {Arrivals::Process::gamma, 0.25}, {Arrivals::Process::gamma, 4.0}}) {
    INFO(shape);
    const Moments gaps = gap_moments({process, Hertz(rate), shape}, count);
    CHECK(std::abs(gaps.mean - mean) < 4 * mean / std::sqrt(shape * count));
    CHECK(std::abs(gaps.variance - mean * mean / shape) < 4 * mean * mean / shape * std::sqrt((2 + 6 / shape) / count));
  }
}

TEST_CASE("even gaps do not drift") {
  ArrivalTimes times({Arrivals::Process::constant, Hertz(3), 1}, 1, "chat");
  Time at;
  for (int i = 0; i < 3'000'000; ++i) at = times.next();
  CHECK(std::abs(at.ns - 1'000'000'000'000'000) <= 1);
}

TEST_CASE("generated requests depend on seed and name alone") {
  const LengthHistogram lengths({{3, {1, 100, 90}, {1, 50, 60}}, {5, {101, 200, 700}, {1, 1, 5}}});
  const Arrivals arrivals{Arrivals::Process::gamma, Hertz(5), 0.5};
  const auto one = generated(arrivals, lengths, 1, "chat", 1000);
  CHECK(one.size() == 1000);
  CHECK(equal(one, generated(arrivals, lengths, 1, "chat", 1000)));
  CHECK_FALSE(equal(one, generated(arrivals, lengths, 2, "chat", 1000)));
  CHECK_FALSE(equal(one, generated(arrivals, lengths, 1, "code", 1000)));
  const auto other_lengths = generated(arrivals, one_cell(), 1, "chat", 1000);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(one[i].arrival == other_lengths[i].arrival);
  CHECK(generate(arrivals, lengths, std::nullopt, 1, "chat")->next().has_value());
}

TEST_CASE("arrivals end before time does") {
  const auto stream = generate({Arrivals::Process::constant, Hertz(1e-6), 1}, one_cell(), std::nullopt, 1, "chat");
  Time last;
  std::size_t count = 0;
  while (const auto request = stream->next()) {
    CHECK(request->arrival > last);
    last = request->arrival;
    ++count;
  }
  CHECK(count == 6301);
}

// Each cell's law is made to have the cell's mean: here 40 = 120 / 3 over 1 .. 100 and 20 over 1 .. 50.
TEST_CASE("a cell's draws stay inside it and have its mean") {
  const LengthHistogram lengths({{3, {1, 100, 120}, {1, 50, 60}}});
  Stream stream(3, "chat", "lengths");
  double sum_in = 0, sum_out = 0;
  bool seen_least = false, seen_most = false;
  const int count = 400000;
  for (int i = 0; i < count; ++i) {
    const auto [in, out] = lengths.draw(stream);
    REQUIRE((in >= 1 && in <= 100 && out >= 1 && out <= 50));
    seen_least = seen_least || in == 1;
    seen_most = seen_most || in == 100;
    sum_in += in;
    sum_out += out;
  }
  CHECK(seen_least);
  CHECK(seen_most);
  CHECK(std::abs(sum_in / count - 40) < 4 * 30 / std::sqrt(count));
  CHECK(std::abs(sum_out / count - 20) < 4 * 15 / std::sqrt(count));
}

TEST_CASE("cells at the edge of their bounds") {
  const LengthHistogram lengths({{2, {5, 9, 10}, {5, 9, 18}}});
  Stream stream(3, "chat", "lengths");
  for (int i = 0; i < 1000; ++i) CHECK(lengths.draw(stream) == std::pair<std::int32_t, std::int32_t>(5, 9));
}

TEST_CASE("the shipped histograms have the totals of their traces") {
  const auto check = [](const std::string& name, std::int64_t requests, double input, double output, double rate) {
    const auto lengths = LengthHistogram::read("workloads/serving/" + name + ".toml");
    CHECK(lengths.requests() == requests);
    CHECK(lengths.mean_input() == Approx(input / static_cast<double>(requests)).epsilon(1e-12));
    CHECK(lengths.mean_output() == Approx(output / static_cast<double>(requests)).epsilon(1e-12));
    CHECK(lengths.facts().request_rate->si() == Approx(rate).epsilon(1e-4));
    CHECK(lengths.facts().licence == "CC-BY-4.0");
    Stream stream(1, name, "lengths");
    double in = 0, out = 0;
    const int count = 1'000'000;
    for (int i = 0; i < count; ++i) {
      const auto [a, b] = lengths.draw(stream);
      in += a;
      out += b;
    }
    CHECK(in / count == Approx(lengths.mean_input()).epsilon(0.005));
    CHECK(out / count == Approx(lengths.mean_output()).epsilon(0.005));
  };
  check("azure-2023-conv", 19366, 22361870, 4088665, 5.53014);
  check("azure-2023-code", 8819, 18059974, 245896, 2.56640);
}

TEST_CASE("faults of a histogram file") {
  const std::string head =
      "schema = 1\ntitle = \"t\"\nsource = \"s\"\nlicence = \"l\"\nmade_by = \"m\"\nrequests = 2\ninput_tokens = 9\noutput_tokens = 4\n"
      "mean_input = 4.5\nmean_output = 2.0\n";
  const auto fault = [&](const std::string& text) { return fault_of([&] { LengthHistogram::read(config::parse_text(text, "h.toml")); }); };
  CHECK(LengthHistogram::read(config::parse_text(head + "cells = [[2, 4, 5, 9, 2, 2, 4]]\n", "h.toml")).requests() == 2);
  for (const char* cell : {"[2, 4, 5, 9, 2, 2]", "[2, 5, 4, 9, 2, 2, 4]", "[2, 4, 5, 11, 2, 2, 4]", "[0, 4, 5, 9, 2, 2, 4]",
                           "[2, 4.5, 5, 9, 2, 2, 4]", "7", "[2, -4, 5, 9, 2, 2, 4]"}) {
    INFO(cell);
    CHECK(fault(head + "cells = [" + cell + "]\n").place.line == 11);
  }
  CHECK(fault(head + "cells = []\n").what == "cells must be a list with at least one cell");
  CHECK(fault(head + "cells = [[2, 4, 5, 8, 2, 2, 4]]\n").what.find("the cells hold 2 requests, 8 input") == 0);
  CHECK(fault(head).what.find("cells") != std::string::npos);
}
