#include <catch2/catch.hpp>
#include <random>

#include "llm/huggingface/import.hpp"
#include "unit/llm/huggingface_configs.hpp"
#include "unit/llm/shipped.hpp"

using namespace joulecast;
using namespace joulecast::llm;

namespace {

Architecture imported(const std::string& json) { return import_config(json, "config.json", "a/b", "test").model; }

std::string fault(const std::string& json) {
  try {
    imported(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string without(std::string json, const std::string& key) {
  const auto at = json.find("\"" + key + "\"");
  REQUIRE(at != std::string::npos);
  return json.replace(at + 1, key.size(), "x");
}

/// Every figure that weights, cache and work follow from.
void check_same(const Architecture& ours, const Architecture& shipped) {
  CHECK(ours.parameters() + (shipped.other.active ? 0 : shipped.other.count) == shipped.parameters());
  CHECK(ours.kv_elements(20000) == shipped.kv_elements(20000));
  CHECK(ours.weight_bytes() + 2 * shipped.other.count == shipped.weight_bytes());
  CHECK(ours.heads == shipped.heads);
  CHECK(ours.kv_heads == shipped.kv_heads);
  CHECK(ours.head_dim == shipped.head_dim);
  // GPT-3's stated count is with half the positions that it was trained with.
  CHECK((ours.max_position == shipped.max_position || ours.positions == Positions::learned));
  CHECK(ours.parallel_blocks == shipped.parallel_blocks);
  CHECK(ours.positions == shipped.positions);
  CHECK(ours.experts.has_value() == shipped.experts.has_value());
  if (ours.experts) {
    CHECK(ours.experts->per_token == shipped.experts->per_token);
    CHECK(ours.experts->shared_width() == shipped.experts->shared_width());
  }
}

}  // namespace

TEST_CASE("a config.json of each family gives the shipped model") {
  for (const auto& [file, json] : test::kConfigs) {
    INFO(file);
    check_same(imported(json), test::shipped(file));
  }
}

TEST_CASE("what is imported can be written and loaded; its stated size is the count") {
  for (const auto& [file, json] : test::kConfigs) {
    INFO(file);
    const auto model = imported(json);
    CHECK(model.stated_parameters == static_cast<double>(model.parameters()));
    CHECK_THAT(architecture_toml(model), Catch::Contains("source = \"test\"") && Catch::Contains("name = \"a/b\""));
  }
}

TEST_CASE("falcon's num_kv_heads counts only with the new architecture") {
  const auto result = import_config(test::config("falcon-7b"), "config.json", "", "");
  CHECK(result.model.kv_heads == 1);
  CHECK(result.model.name == "tiiuae/falcon-7b");
  REQUIRE(result.notes.size() == 1);
  CHECK_THAT(result.notes[0], Catch::Contains("multi_query means one KV head"));
  CHECK(imported(test::config("falcon-40b")).kv_heads == 8);
}

TEST_CASE("faults of a config are named") {
  const std::string llama = test::config("llama-3.1-8b");
  CHECK_THAT(fault("{\"model_type\": \"mistrl\"}"),
             Catch::Contains("model_type \"mistrl\" is not supported") && Catch::Contains("did you mean \"mistral\"?"));
  CHECK_THAT(fault("{\"model_type\": \"t5\"}"), Catch::Contains("model_type \"t5\"") && Catch::Contains("deepseek_v3"));
  CHECK_THAT(fault("{\"layers\": 3}"), Catch::Contains("no \"model_type\""));
  CHECK_THAT(fault("[1, 2]"), Catch::Contains("expected an object"));
  CHECK_THAT(fault("{\n \"a\": 1,\n \"b\" 2}"), Catch::Contains("config.json:3:6") && Catch::Contains("no JSON"));
  CHECK_THAT(fault(""), Catch::Contains("config.json:1:1"));
  CHECK_THAT(fault(without(llama, "hidden_size")), Catch::Contains("no \"hidden_size\"") && Catch::Contains("\"llama\" needs it"));
  CHECK_THAT(fault(without(without(llama, "hidden_size"), "vocab_size")), Catch::Contains("hidden_size") && Catch::Contains("vocab_size"));
  CHECK_THAT(fault(without(test::config("bloom-3b"), "n_layer")), Catch::Contains("\"n_layer\" (or \"num_hidden_layers\")"));
  CHECK_THAT(fault(R"({"model_type": "llama", "hidden_size": "64"})"), Catch::Contains("\"hidden_size\" is a string, expected a whole number"));
  CHECK_THAT(fault(R"({"model_type": "llama", "hidden_size": -3})"), Catch::Contains("\"hidden_size\" is -3, expected 1 .. 1000000000"));
  CHECK_THAT(fault(R"({"model_type": "llama", "hidden_size": 1e300})"), Catch::Contains("expected a whole number"));
  std::string other = llama;
  other.replace(other.find("bfloat16"), 8, "float128");
  CHECK_THAT(fault(other), Catch::Contains("float128"));
  other = llama;
  other.insert(1, R"("quantization_config": {"quant_method": "awq"}, )");
  CHECK_THAT(fault(other), Catch::Contains("quantized by \"awq\""));
  other = llama;
  other.replace(other.find("\"num_key_value_heads\": 8"), 24, "\"num_key_value_heads\": 7");
  CHECK_THAT(fault(other), Catch::Contains("32 heads can't share 7 KV heads"));
  CHECK_THAT(fault(std::string(100000, '[')), Catch::Contains("nested too deeply"));
  std::string huge = llama;
  for (const char* key : {"hidden_size", "intermediate_size"}) {
    const auto at = huge.find(':', huge.find("\"" + std::string(key) + "\""));
    huge.replace(at, huge.find(',', at) - at, ": 1000000000");
  }
  CHECK_THAT(fault(huge), Catch::Contains("parameters"));
  try {
    import_config(R"({"model_type": "llama"})", "x/config.json", "", "");
    FAIL("no name");
  } catch (const UserError& error) {
    CHECK_THAT(error.what(), Catch::Contains("--name"));
  }
}

TEST_CASE("layer_types that no pattern says are refused by the layer") {
  std::string json = test::config("gpt-oss-20b");
  const auto at = json.find("\"sliding_attention\"");
  json.replace(at, 19, "\"full_attention\"");
  CHECK_THAT(fault(json), Catch::Contains("breaks the pattern"));
  json = test::config("gpt-oss-20b");
  json.replace(json.find("\"sliding_attention\""), 19, "\"linear_attention\"");
  CHECK_THAT(fault(json), Catch::Contains("a layer of type \"linear_attention\""));
}

TEST_CASE("damaged configs are read or refused, never anything else") {
  std::mt19937_64 random(7);
  int refused = 0, read = 0;
  for (const auto& [file, json] : test::kConfigs) {
    for (int i = 0; i < 150; ++i) {
      std::string text = json;
      for (std::uint64_t edits = random() % 4 + 1; edits > 0 && !text.empty(); --edits) {
        const std::size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[at] = static_cast<char>(random() % 256);
            break;
          case 1:
            text.resize(at);
            break;
          case 2:
            text.insert(at, text.substr(random() % text.size(), random() % 20));
            break;
          default:
            text.erase(at, random() % 10);
        }
      }
      try {
        architecture_toml(imported(text));
        ++read;
      } catch (const UserError&) {
        ++refused;
      }
    }
  }
  CHECK(refused > 500);
  CHECK(read > 20);
}
