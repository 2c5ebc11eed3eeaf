#include "base/quantity.hpp"

#include <catch2/catch.hpp>
#include <type_traits>

using namespace joulecast;

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};

TEST_CASE("dimensions follow the arithmetic") {
  static_assert(std::is_same_v<decltype(Watts(2) * Seconds(3)), Joules>);
  static_assert(std::is_same_v<decltype(Joules(6) / Seconds(3)), Watts>);
  static_assert(std::is_same_v<decltype(Joules(6) / Joules(3)), double>);
  static_assert(std::is_same_v<decltype(MoneyPerJoule(2) * Joules(3)), Money>);
  static_assert(!Addable<Watts, Joules>);
  static_assert(!Addable<Watts, double>);
  CHECK((Watts(2) * Seconds(3)).si() == 6);
  CHECK(Joules(6) / Joules(3) == 2);
  CHECK((2 * Watts(3) - Watts(1)).si() == 5);
}
