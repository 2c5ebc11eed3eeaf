#include <catch2/catch.hpp>

#include "llm/record.hpp"
#include "unit/config/faults.hpp"

using namespace joulecast;
using namespace joulecast::llm;

namespace {

constexpr const char* kGood = R"(
name = "a"
layers = 2
hidden = 64
heads = 4
kv_heads = 2
head_dim = 16
ffn = 128
gated = true
vocab = 100
tied = true
max_position = 512
dtype = "bf16"
stated_parameters = 80e3
source = "made up"
)";

std::string faults(const std::string& text) {
  const auto found =
      faults_of([&](config::Diagnostics& diagnostics) { architecture_record().read(config::parse_text(text, "model.toml"), diagnostics); });
  std::string joined;
  for (const auto& each : found) joined += each + "\n";
  return joined;
}

std::string without(std::string text, const std::string& line) {
  text.replace(text.find(line), line.size(), "");
  return text;
}

std::string with(const std::string& key_line, const std::string& value_line) {
  std::string text = kGood;
  text.replace(text.find(key_line), text.find('\n', text.find(key_line)) - text.find(key_line), value_line);
  return text;
}

}  // namespace

TEST_CASE("a model file that is right has no fault") {
  // 2*(64*16*(2*4 + 2*2) + 3*64*128 + 128) + 6400 + 64 = 80448
  CHECK(faults(kGood).empty());
}

TEST_CASE("a model file's faults are named") {
  CHECK_THAT(faults(with("stated_parameters", "stated_parameters = 90e3")), Catch::Contains("8.045e+04 parameters, 9e+04 are stated"));
  CHECK_THAT(faults(with("kv_heads", "kv_heads = 3")), Catch::Contains("4 heads can't share 3 KV heads"));
  CHECK_THAT(faults(with("dtype", "dtype = \"fp8\"")), Catch::Contains("fp8") && Catch::Contains("bf16"));
  CHECK_THAT(faults(without(kGood, "source = \"made up\"")), Catch::Contains("source"));
  CHECK_THAT(faults(std::string(kGood) + "windw = 3\n"), Catch::Contains("windw"));
  CHECK_THAT(faults(std::string(kGood) + "biases = [\"qvk\"]\n"), Catch::Contains("no projection is called \"qvk\""));
  CHECK_THAT(faults(std::string(kGood) + "encoder_layers = 2\n"), Catch::Contains("encoder-decoder"));
  CHECK_THAT(faults(std::string(kGood) + "pattern = \"M*-\"\n"), Catch::Contains("3 letters, 3 of them known, for 2 layers"));
  CHECK_THAT(faults(std::string(kGood) + "pattern = \"*x\"\n"), Catch::Contains("2 letters, 1 of them known"));
  CHECK_THAT(faults(std::string(kGood) + "pattern = \"M-\"\n"), Catch::Contains("[mamba]"));
  CHECK_THAT(faults(std::string(kGood) + "[experts]\ncount = 4\nper_token = 5\nffn = 8\n"), Catch::Contains("5 of 4 experts"));
  CHECK_THAT(faults(std::string(kGood) + "[experts]\ncount = 4\nper_token = 2\nffn = 8\ndense_first = 2\n"),
             Catch::Contains("no layer of 2 has experts"));
  CHECK_THAT(faults(std::string(kGood) + "[local_attention]\nwindow = 0\nfull_every = 0\n"), Catch::Contains("window"));
}

TEST_CASE("dimensions whose product no integer holds are refused, not summed") {
  std::string text = with("hidden", "hidden = 1000000000");
  text.replace(text.find("ffn = 128"), 9, "ffn = 1000000000");
  CHECK_THAT(faults(text), Catch::Contains("parameters") && Catch::Contains("check the dimensions"));
}

TEST_CASE("an active count that disagrees is refused") {
  // Four experts of 32 as two layers' feed-forward: 2*(12288 + 4*6144 + 256 + 128) + 6464; active with one expert 37,632.
  const std::string experts = "[experts]\ncount = 4\nper_token = 1\nffn = 32\n";
  const std::string text = with("stated_parameters", "stated_parameters = 80.96e3");
  CHECK(faults(text + "stated_active_parameters = 44.1e3\n" + experts).empty());
  CHECK_THAT(faults(text + "stated_active_parameters = 60e3\n" + experts), Catch::Contains("active parameters"));
}
