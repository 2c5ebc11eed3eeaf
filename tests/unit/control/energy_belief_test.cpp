#include "control/energy_belief.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.hpp"

using namespace joulecast;
using control::EnergyBelief;
using control::ProfiledRequest;
using control::TokenRange;

namespace {

EnergyBelief some_belief() {
  EnergyBelief belief;
  belief.constant = 3;
  belief.input = 0.02;
  belief.output = 1.5;
  belief.product = 1e-5;
  belief.input_squared = 2e-7;
  belief.output_squared = 4e-6;
  belief.range = {16, 4096, 8, 1024};
  return belief;
}

double least_on_grid(const EnergyBelief& belief, const TokenRange& box, int steps) {
  double least = INFINITY;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const double x = static_cast<double>(box.least_input) + static_cast<double>(box.most_input - box.least_input) * i / steps;
      const double y = static_cast<double>(box.least_output) + static_cast<double>(box.most_output - box.least_output) * j / steps;
      least = std::min(least, belief.joules(x, y));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("A fit to rows of the equation gives its coefficients back") {
  const EnergyBelief truth = some_belief();
  std::vector<ProfiledRequest> rows;
  for (const double in : {16.0, 100.0, 700.0, 4096.0}) {
    for (const double out : {8.0, 60.0, 300.0, 1024.0}) rows.push_back({in, out, truth.joules(in, out)});
  }
  const EnergyBelief fitted = control::fit_energy_belief(rows, truth.range, "test");
  CHECK(fitted.constant == Approx(truth.constant).epsilon(1e-6));
  CHECK(fitted.input == Approx(truth.input).epsilon(1e-6));
  CHECK(fitted.output == Approx(truth.output).epsilon(1e-6));
  CHECK(fitted.product == Approx(truth.product).epsilon(1e-6));
  CHECK(fitted.input_squared == Approx(truth.input_squared).epsilon(1e-6));
  CHECK(fitted.output_squared == Approx(truth.output_squared).epsilon(1e-6));
  CHECK(*fitted.fit_error < 1e-9);
  CHECK(*fitted.worst_error < 1e-9);
}

TEST_CASE("The stated error of a fit is that of its residuals, and rows with two lengths an axis do not identify squares") {
  std::vector<ProfiledRequest> rows;
  for (const double in : {16.0, 64.0, 256.0, 1024.0}) {
    for (const double out : {8.0, 32.0, 128.0, 512.0}) rows.push_back({in, out, std::sqrt(in) * out});
  }
  const EnergyBelief fitted = control::fit_energy_belief(rows, {16, 1024, 8, 512}, "test");
  double squares = 0, worst = 0;
  for (const ProfiledRequest& row : rows) {
    const double relative = fitted.joules(row.input, row.output) / row.joules - 1;
    squares += relative * relative / static_cast<double>(rows.size());
    worst = std::max(worst, std::abs(relative));
  }
  CHECK(*fitted.fit_error == Approx(std::sqrt(squares)));
  CHECK(*fitted.worst_error == Approx(worst));
  CHECK(*fitted.fit_error > 0.01);

  std::vector<ProfiledRequest> few;
  for (const double in : {16.0, 64.0}) {
    for (const double out : {8.0, 32.0, 128.0, 512.0}) few.push_back({in, out, in + out});
  }
  CHECK_THROWS_AS(control::fit_energy_belief(few, {16, 64, 8, 512}, "test"), UserError);
}

TEST_CASE("The least joules of a box are where calculus puts them") {
  EnergyBelief belief;
  const TokenRange box{1, 1001, 1, 1001};
  SECTION("at a corner: a product with one negative slope") {
    belief.input = -4;
    belief.output = 30;
    belief.product = 0.04;
    CHECK(belief.least_joules(box) == belief.joules(1001, 1));
  }
  SECTION("on an edge: (tin - 400)^2 + tout, at tout = 1") {
    belief.constant = 160000;
    belief.input = -800;
    belief.input_squared = 1;
    belief.output = 1;
    CHECK(belief.least_joules(box) == Approx(1));
  }
  SECTION("inside: (tin - 300)^2 + (tout - 500)^2 + (tin - 300)(tout - 500) - 7") {
    // = tin^2 + tout^2 + tin tout - (600 + 500) tin - (1000 + 300) tout + 90000 + 250000 + 150000 - 7
    belief.input_squared = belief.output_squared = belief.product = 1;
    belief.input = -1100;
    belief.output = -1300;
    belief.constant = 490000 - 7;
    CHECK(belief.least_joules(box) == Approx(-7).margin(1e-6));
  }
  SECTION("a saddle has its least on the edges") {
    belief.input_squared = 0.001;
    belief.output_squared = -0.002;
    belief.product = 0.003;
    belief.input = -1;
    belief.output = 0.4;
  }
  SECTION("squares that bend down have it at a corner") {
    belief.input_squared = -0.001;
    belief.output_squared = -0.002;
    belief.output = 1.1;
  }
  CHECK(belief.least_joules(box) <= least_on_grid(belief, box, 200) + 1e-9);
  CHECK(belief.least_joules(box) >= least_on_grid(belief, box, 2000) - 1);
}

TEST_CASE("Outside its range a clamped belief stays at the edge, and below zero at zero") {
  const EnergyBelief belief = some_belief();
  CHECK(belief.clamped_joules(100, 100) == belief.joules(100, 100));
  CHECK(belief.clamped_joules(1, 5000) == belief.joules(16, 1024));
  EnergyBelief negative = belief;
  negative.constant = -1000;
  CHECK(negative.clamped_joules(16, 8) == 0);
}

TEST_CASE("Published beliefs are found by a model's name, and say for which lengths they hold") {
  const std::string path = "workloads/beliefs/wilkins-2024.toml";
  const std::vector<std::string> llama{"unknown/name", "META-llama/llama-2-7b-hf"};
  const EnergyBelief belief = control::read_energy_belief(path, llama, {});
  CHECK(belief.input == -3.8950);
  CHECK(belief.output == 31.5227);
  CHECK(belief.product == 0.04271);
  CHECK(belief.range.most_input == 2048);
  CHECK(belief.source == "wilkins-2024");
  // The trap: a prompt of 2048 tokens answered in 8 is believed to give energy back.
  CHECK(belief.least_joules(belief.range) == belief.joules(2048, 8));
  CHECK(belief.least_joules(belief.range) < 0);

  const std::vector<std::string> other{"meta-llama/Llama-3.1-8B"};
  try {
    control::read_energy_belief(path, other, {"scenario.toml", 7, 1});
    FAIL("a model that the file does not know was found");
  } catch (const UserError& error) {
    CHECK_THAT(std::string(error.what()), Catch::Contains("Llama-3.1-8B") && Catch::Contains("mixtral-8x7b") && Catch::Contains("scenario.toml:7"));
  }
}
