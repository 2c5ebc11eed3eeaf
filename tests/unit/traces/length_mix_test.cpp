#include "traces/requests/length_mix.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace joulecast;
using namespace joulecast::traces;

namespace {

LengthHistogram only(std::int32_t input, std::int32_t output) { return LengthHistogram({{1, {input, input, input}, {output, output, output}}}); }

}  // namespace

// Of n draws, a part with share p gives n p, with standard deviation sqrt(n p (1 - p)).
TEST_CASE("a mix draws from each part by its share, and its means are those of the shares") {
  const LengthMix mix({{0.7, only(10, 1)}, {0.2, only(20, 2)}, {0.1, only(30, 9)}});
  CHECK(mix.mean_input() == Approx(0.7 * 10 + 0.2 * 20 + 0.1 * 30));
  CHECK(mix.mean_output() == Approx(0.7 * 1 + 0.2 * 2 + 0.1 * 9));
  CHECK(mix.most_input() == 30);
  CHECK(mix.most_output() == 9);
  Stream stream(1, "chat", "lengths");
  const int count = 100'000;
  int tens = 0, thirties = 0;
  for (int i = 0; i < count; ++i) {
    const auto [input, output] = mix.draw(stream);
    tens += input == 10 && output == 1 ? 1 : 0;
    thirties += input == 30 && output == 9 ? 1 : 0;
  }
  CHECK(std::abs(tens - 0.7 * count) < 4 * std::sqrt(count * 0.7 * 0.3));
  CHECK(std::abs(thirties - 0.1 * count) < 4 * std::sqrt(count * 0.1 * 0.9));
}

TEST_CASE("a histogram alone draws what it draws without a mix") {
  const LengthHistogram lengths({{3, {1, 100, 90}, {1, 50, 60}}, {5, {101, 200, 700}, {1, 1, 5}}});
  const LengthMix mix(lengths);
  Stream a(1, "chat", "lengths"), b(1, "chat", "lengths");
  for (int i = 0; i < 1000; ++i) CHECK(lengths.draw(a) == mix.draw(b));
}
