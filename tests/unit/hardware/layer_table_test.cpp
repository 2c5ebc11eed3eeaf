#include "hardware/layer_table.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

using namespace joulecast;
using namespace joulecast::hardware;

namespace {

constexpr const char* kShipped = "hardware_profiles/tables/rtx-4090-llama-3.1-8b.toml";

/// Writes a small complete layer profile whose attention is linear in contexts and decoding sequences, and in the chunk a power law.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "joulecast-layer-table-test") {
    std::filesystem::create_directories(path_);
    std::string dense = "layer,tokens,time_us\n", per = "layer,sequences,time_us\n";
    for (int i = 0; i < kLayers; ++i) {
      const auto layer = static_cast<Layer>(i);
      if (layer == Layer::qk_norm) continue;
      std::string& text = takes_sequences(layer) ? per : dense;
      for (const int x : {1, 16, 64}) text += std::string(name(layer)) + "," + std::to_string(x) + "," + std::to_string(10 * (i + 1) + x) + "\n";
    }
    std::string attention = "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n";
    for (const int c : {16, 64}) {
      for (const int k : {0, 128}) attention += std::to_string(c) + "," + std::to_string(k) + ",0,0," + std::to_string(c * (k + c / 2)) + "\n";
    }
    for (const int n : {1, 8}) {
      for (const int k : {16, 128}) {
        attention += "0,0," + std::to_string(n) + "," + std::to_string(k) + "," + std::to_string(5 + n * k) + "\n";
        attention += "16,0," + std::to_string(n) + "," + std::to_string(k) + "," + std::to_string(128 + 7 + 2 * n * k) + "\n";
        attention += "64,128," + std::to_string(n) + "," + std::to_string(k) + ",99\n";
      }
    }
    write("dense.csv", dense);
    write("per_sequence.csv", per);
    write("attention.csv", attention);
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  void write(const std::string& file, const std::string& text) const { std::ofstream(path_ / file) << text; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a layer folder gives its points back") {
  const Folder folder;
  const LayerTable table = read_layer_folder(folder.path());
  CHECK_FALSE(table.has(Layer::qk_norm));
  CHECK(table.dense(Layer::qk_norm, 5) == 0);
  CHECK(table.dense(Layer::qkv_proj, 16) == Approx(26e-6));
  CHECK(table.dense(Layer::qkv_proj, 40) == Approx(50e-6));
  CHECK(table.dense(Layer::sampler, 1) == Approx(121e-6));
  CHECK(table.attention(64, 128, 0, 0) == Approx(64e-6 * 160));
  CHECK(table.attention(0, 0, 8, 128) == Approx((5 + 8 * 128) * 1e-6));
}

TEST_CASE("attention: linear in contexts and sequences, a power law in the chunk, mixed steps by their rule, no jump at the edges") {
  const Folder folder;
  const LayerTable table = read_layer_folder(folder.path());
  CHECK(table.attention(16, 64, 0, 0) == Approx(16e-6 * 72));
  CHECK(table.attention(32, 0, 0, 0) == Approx(32e-6 * 16));  // c^2/2
  CHECK(table.attention(0, 0, 4.5, 72) == Approx((5 + 4.5 * 72) * 1e-6));
  CHECK(table.attention(64, 128, 8, 100) == Approx((64.0 * 160 + 7 + 2 * 8 * 100) * 1e-6));
  // Above the table: the work c (k + c/2) scales the edge.
  CHECK(table.attention(128, 256, 0, 0) == Approx(128e-6 * (256 + 64)));
  for (const double chunk : {16.0, 64.0}) {
    CHECK(table.attention(std::nextafter(chunk, 0), 128, 0, 0) == Approx(table.attention(std::nextafter(chunk, 1e9), 128, 0, 0)).epsilon(1e-9));
  }
  CHECK(table.attention(64, std::nextafter(128, 0), 0, 0) == Approx(table.attention(64, std::nextafter(128, 1e9), 0, 0)).epsilon(1e-9));
  CHECK(table.decode_knots(4) == std::vector<double>{16, 128});
}

TEST_CASE("a fault in a layer folder names file and line") {
  const Folder folder;
  const auto refused = [&](const std::string& file, const std::string& text, const std::string& says) {
    const Folder fresh;
    fresh.write(file, text);
    CHECK_THROWS_WITH(read_layer_folder(fresh.path()), Catch::Contains(file) && Catch::Contains(says));
  };
  refused("dense.csv", "layer,tokens,time\nqkv_proj,1,5\n", "time_us");
  refused("dense.csv", "layer,tokens,time_us\nqkv_proj,1,abc\n", "dense.csv:2");
  refused("dense.csv", "layer,tokens,time_us\nqkv_proj,1,5\nqkv_proj,1,6\n", "dense.csv:3");
  refused("dense.csv", "layer,tokens,time_us\nmoe,1,5\n", "unknown layer");
  refused("dense.csv", "layer,tokens,time_us\nqkv_proj,1,5\n", "holds no layer");
  refused("attention.csv", "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,1,16\n", "attention.csv:2");
  refused("attention.csv", "prefill_chunk,kv_prefill,n_decode,kv_decode,time_us\n0,0,1,16,9\n", "holds no steps with a chunk alone");
  CHECK_THROWS_AS(read_layer_folder(folder.path() + "/nowhere"), UserError);
}

TEST_CASE("shipped layer knots read, and a missing key is named") {
  const LayerTable table = read_layer_knots_file(kShipped);
  CHECK(table.about().model == "meta-llama/Llama-3.1-8B");
  CHECK(table.about().worst_error <= 0.02);
  CHECK_THROWS_WITH(read_layer_knots(config::parse_text("[table]\ngpu = \"x\"\n", "k.toml")),
                    Catch::Contains("no model") && Catch::Contains("no dense"));
}

TEST_CASE("the shipped knots keep within their stated bound of the full layer profile") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: the full layer profile is not compared");
    return;
  }
  const LayerTable full = read_layer_folder(std::string(data) + "/ops/vllm-layers/RTX4090/meta-llama/Llama-3.1-8B/bf16/tp1");
  const LayerTable knots = read_layer_knots_file(kShipped);
  const double bound = knots.about().worst_error + 1e-4;  // the file's times have five digits
  double worst = 0;
  const auto compare = [&](double a, double b) {
    worst = std::max(worst, std::abs(a / b - 1));
    CHECK(std::abs(a / b - 1) <= bound);
  };
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    if (!full.has(layer)) continue;
    for (int x = 1; x <= (takes_sequences(layer) ? 256 : 2048); ++x) compare(knots.dense(layer, x), full.dense(layer, x));
  }
  for (double n = 1; n <= 256; n *= 2) {
    for (double k = 16; k <= 16384; k *= 2) compare(knots.attention(0, 0, n, k), full.attention(0, 0, n, k));
  }
  for (double c = 16; c <= 2048; c *= 2) {
    for (double k = 16; k <= 16384; k *= 2) compare(knots.attention(c, k, 0, 0), full.attention(c, k, 0, 0));
  }
  CHECK(worst > 0);
}

TEST_CASE("a mixture's folder has experts in place of the feed-forward layers, its own or those of tp1 beside it") {
  const Folder folder;
  std::string dense = "layer,tokens,time_us\n";
  for (int i = 0; i < kLayers; ++i) {
    const auto layer = static_cast<Layer>(i);
    if (!takes_sequences(layer) && !is_feed_forward(layer)) dense += std::string(name(layer)) + ",1,10\n" + std::string(name(layer)) + ",64,20\n";
  }
  const auto copy = [&](const std::string& to, const std::string& file) {
    std::filesystem::create_directories(folder.path() + "/" + to);
    std::filesystem::copy_file(folder.path() + "/" + file, folder.path() + "/" + to + "/" + file);
  };
  folder.write("dense.csv", dense);
  CHECK_THROWS_AS(read_layer_folder(folder.path()), UserError);  // neither
  for (const char* file : {"dense.csv", "per_sequence.csv", "attention.csv"}) {
    copy("tp1", file);
    copy("tp2", file);
  }
  folder.write("tp1/moe.csv", "tokens,activated_experts,time_us\n1,8,100\n64,8,120\n64,16,220\n");
  for (const char* share : {"tp1", "tp2"}) {
    const LayerTable table = read_layer_folder(folder.path() + "/" + share);
    REQUIRE(table.has_experts());
    CHECK_FALSE(table.has(Layer::gate_up_proj));
    CHECK(table.dense(Layer::gate_up_proj, 5) == 0);
    CHECK(table.experts(64, 12) == Approx(170e-6));
    CHECK(table.experts(128, 16) == Approx(440e-6));  // beyond the last tokens: proportional
  }
}
