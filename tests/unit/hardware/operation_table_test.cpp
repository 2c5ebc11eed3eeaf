#include "hardware/operation_table.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

const char* const kTables = R"([table]
gpu = "test"
source = "made up"
licence = "none"
median_error = 0.01
worst_error = 0.03
[generation_attention.a]
heads = 8
kv_heads = 2
sequences = [1, 4]
context = [[16, 64], [16, 32, 64]]
us = [[10, 22], [20, 30, 60.5]]
[generation_attention.b]
heads = 4
kv_heads = 1
sequences = [1, 2]
context = [[16], [16]]
us = [[10], [12]]
[context_attention.a]
heads = 8
kv_heads = 2
tokens = [100, 200, 400]
us = [10, 20, 80]
[all_reduce.two]
gpus = 2
graph_bytes = [256, 1024]
graph_us = [4, 8]
eager_bytes = [256]
eager_us = [20]
)";

OperationTables read(const std::string& text) { return OperationTables::read(config::parse_text(text, "t.toml")); }

std::string replaced(std::string text, const std::string& from, const std::string& to) { return text.replace(text.find(from), from.size(), to); }

}  // namespace

TEST_CASE("a curve gives its knots back and nothing jumps at its edges") {
  for (const auto scale : {Curve::Scale::linear, Curve::Scale::logarithmic}) {
    const Curve curve({2, 8, 32}, {3, 5, 40}, scale);
    for (std::size_t i = 0; i < curve.knots().size(); ++i) CHECK(curve.at(curve.knots()[i]) == curve.values()[i]);
    const auto form = [](double x) { return 1 + x * x; };
    for (const double edge : {2.0, 32.0}) {
      const double below = std::nextafter(edge, 0), above = std::nextafter(edge, 1e9);
      CHECK(curve.at(below) == Approx(curve.at(above)).epsilon(1e-12));
      CHECK(curve.at(below, form) == Approx(curve.at(above, form)).epsilon(1e-12));
    }
    CHECK(curve.at(64) == Approx(80));
    CHECK(curve.at(1) == 3);
    CHECK(curve.at(64, form) == Approx(40.0 * 4097 / 1025));
    CHECK(curve.at(1, form) == Approx(3.0 * 2 / 5));
  }
}

TEST_CASE("between knots a curve is a line, or a power law") {
  CHECK(Curve({2, 8}, {3, 5}, Curve::Scale::linear).at(5) == Approx(4));
  CHECK(Curve({2, 8}, {3, 48}, Curve::Scale::logarithmic).at(4) == Approx(12));  // y = 3 (x/2)^2
}

TEST_CASE("a surface is linear in context and in sequences, rows may reach differently far") {
  const OperationTables tables = read(kTables);
  const auto* a = tables.generation_attention(8, 2);
  REQUIRE(a != nullptr);
  CHECK(a->seconds.at(1, 40) == Approx(16e-6));
  CHECK(a->seconds.at(4, 32) == Approx(30e-6));
  CHECK(a->seconds.at(2, 32) == Approx((14.0 + (30.0 - 14.0) / 3) * 1e-6));
  CHECK(a->seconds.at(8, 32) == Approx(60e-6));
  CHECK(a->seconds.at(0.5, 16) == Approx(10e-6));
  CHECK(a->seconds.knots_at(1) == std::vector<double>{16, 64});
  CHECK(a->seconds.knots_at(2) == std::vector<double>{16, 32, 64});
  CHECK(tables.source() == "made up");
  CHECK(tables.worst_error() == 0.03);
}

TEST_CASE("heads that were not measured are served at a multiple of the sequences") {
  const OperationTables tables = read(kTables);
  CHECK(tables.generation_attention(16, 4) == nullptr);
  const auto scaled = tables.scaled_generation(16, 4);
  REQUIRE(scaled.table != nullptr);
  CHECK(scaled.table->kv_heads == 2);
  CHECK(scaled.sequence_factor == 2);
  CHECK(scaled.seconds(2, 32) == tables.generation_attention(8, 2)->seconds.at(4, 32));
  CHECK(tables.scaled_generation(12, 3).table->kv_heads == 1);
  CHECK(tables.scaled_generation(8, 8).table == nullptr);
}

TEST_CASE("a chunk after context costs the difference of whole prompts, no less than alone") {
  // t = 20 (x/200)^2 from 200 tokens on, t ~ x below.
  const OperationTables tables = read(kTables);
  const Curve& whole = tables.context_attention(8, 2)->seconds;
  CHECK(chunk_attention(whole, 200, 0) == Approx(20e-6));
  CHECK(chunk_attention(whole, 200, 200) == Approx(60e-6));
  CHECK(chunk_attention(whole, 400, 400) == Approx((320.0 - 80.0) * 1e-6));
  CHECK(chunk_attention(whole, 50, 50) == Approx(10e-6));
}

TEST_CASE("a faulty table file is the user's fault, with every fault and its place") {
  const auto faults = [](const std::string& text) {
    try {
      read(text);
    } catch (const UserError& error) {
      return error.faults().size();
    }
    return std::size_t{0};
  };
  CHECK(faults(kTables) == 0);
  CHECK(faults(replaced(kTables, "us = [10, 20, 80]", "us = [10, 20]")) == 1);
  CHECK(faults(replaced(kTables, "us = [10, 20, 80]", "us = [10, 0, 80]")) == 1);
  CHECK(faults(replaced(kTables, "tokens = [100, 200, 400]", "tokens = [100, 400, 200]")) == 1);
  CHECK(faults(replaced(kTables, "graph_us = [4, 8]", "grahp_us = [4, 8]")) == 2);
  CHECK(faults(replaced(replaced(kTables, "heads = 8", "heads = 0"), "worst_error = 0.03", "worst_error = -1")) == 2);
  CHECK_THROWS_WITH(read(replaced(kTables, "graph_us = [4, 8]", "grahp_us = [4, 8]")),
                    Catch::Contains("t.toml") && Catch::Contains("did you mean graph_us"));
}

TEST_CASE("the shipped operation tables read, and cover the Llama family's heads at tensor parallelism 1 to 8") {
  for (const std::string gpu : {"a100-sxm", "h100-sxm"}) {
    const OperationTables tables = OperationTables::read_file("hardware_profiles/tables/" + gpu + ".toml");
    CHECK(tables.worst_error() <= 0.03);
    for (const auto& [heads, kv_heads] : std::vector<std::pair<int, int>>{{32, 32}, {32, 8}, {64, 8}}) {
      for (const int t : {1, 2, 4, 8}) {
        INFO(gpu << " " << heads << "/" << kv_heads << " TP " << t);
        const auto generation = tables.scaled_generation(heads / t, kv_heads / t);
        REQUIRE(generation.table != nullptr);
        CHECK(generation.seconds(256, 4096) > generation.seconds(16, 4096));
        CHECK(generation.seconds(16, 8192) > generation.seconds(16, 1024));
        const bool whole = tables.context_attention(heads / t, kv_heads / t) != nullptr;
        CHECK(whole);
      }
    }
    for (const int gpus : {2, 4, 8}) {
      const auto* reduce = tables.all_reduce(gpus);
      REQUIRE(reduce != nullptr);
      CHECK(reduce->graph_seconds.at(65536) < reduce->eager_seconds.at(65536));
    }
  }
}
