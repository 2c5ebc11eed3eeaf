// Shipped prices: each of a GPU that is shipped, each with a source; a price of anything but a GPU is refused.
#include "hardware/price_list.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "config/node.hpp"
#include "hardware/gpu.hpp"
#include "hardware/profiles.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

/// The price of "X" in a file of one entry.
GpuPrice of_entry(const std::string& entry) {
  const auto path = std::filesystem::temp_directory_path() / "joulecast-price-list-test.toml";
  std::ofstream(path) << "[gpu.X]\n" << entry << "\n";
  struct Removed {
    const std::filesystem::path& path;
    ~Removed() { std::filesystem::remove(path); }
  } const removed{path};
  return load_price(path.string(), "X");
}

}  // namespace

TEST_CASE("every shipped price is of a shipped GPU, by its profile's own name, and has a source") {
  const config::Node root = config::parse_file(price_file("."));
  const auto* gpus = root.as<config::Table>()->find("gpu")->as<config::Table>();
  REQUIRE_FALSE(gpus->entries.empty());
  for (const auto& entry : gpus->entries) {
    CAPTURE(entry.key);
    config::Diagnostics diagnostics;
    const GpuProfile gpu = load_gpu(find_profile(gpu_folder("."), "GPU", entry.key, {}), diagnostics);
    diagnostics.throw_if_failed();
    CHECK(gpu.name == entry.key);
    const GpuPrice price = load_price(price_file("."), entry.key);
    REQUIRE((price.rental || price.embodied_carbon));
    if (price.rental) {
      CHECK_FALSE(price.rental->source.empty());
      CHECK_FALSE(price.currency.empty());
    }
    if (price.embodied_carbon) CHECK_FALSE(price.embodied_carbon->source.empty());
  }
}

TEST_CASE("a rental is of a GPU: of a node, or of nothing said, it is refused") {
  const auto rental = [](const std::string& value) {
    return of_entry("rental = { value = \"" + value + "\", source = \"s\", kind = \"datasheet\" }");
  };
  const GpuPrice price = rental("3.60 USD/GPU/h");
  CHECK(price.rental->value.si() == Approx(0.001));
  CHECK(price.currency == "USD");
  CHECK_THROWS_WITH(rental("3.60 USD/node/h"), Catch::Contains("rental is not stated per GPU"));
  CHECK_THROWS_WITH(rental("3.60 USD/h"), Catch::Contains("rental is not stated per GPU"));
}
