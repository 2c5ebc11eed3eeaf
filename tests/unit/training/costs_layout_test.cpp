// What a layout may be: each rule is named, all at once.
#include <catch2/catch.hpp>

#include "unit/training/costs_support.hpp"

using namespace joulecast;
using namespace joulecast::training;
using Catch::Contains;

namespace {

std::string faults(const llm::Architecture& model, const Layout& layout) {
  config::Diagnostics diagnostics;
  check_layout(model, layout, {"job.toml", 3, 1}, diagnostics);
  try {
    diagnostics.throw_if_failed();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a layout that suits its model passes") {
  Layout layout;
  layout.tensor = 8;
  layout.pipeline = 8;
  layout.virtual_chunks = 3;
  layout.global_batch_size = 64;
  layout.seq_length = 2048;
  CHECK(faults(model_named("GPT-3-175B"), layout).empty());
  CHECK(layout.gpus() == 64);
  CHECK(layout.microbatches() == 64);
  CHECK(layers_of_chunks(model_named("GPT-3-175B"), layout) == std::vector<std::int64_t>(24, 4));
}

TEST_CASE("every broken rule is named, all at once") {
  Layout layout;
  layout.tensor = 5;    // 96 heads
  layout.pipeline = 7;  // 96 layers
  layout.data = 4;
  layout.context = 3;
  layout.global_batch_size = 10;
  layout.seq_length = 1000;
  layout.expert = 2;
  const auto text = faults(model_named("GPT-3-175B"), layout);
  CHECK_THAT(text, Contains("job.toml:3:1"));
  CHECK_THAT(text, Contains("96 heads can't be divided by tensor parallelism 5"));
  CHECK_THAT(text, Contains("96 layers of GPT-3-175B can't be spread evenly over 7 stages x 1 chunks"));
  CHECK_THAT(text, Contains("10 sequences of the global batch can't be divided by data parallelism x microbatch 4"));
  CHECK_THAT(text, Contains("1000 tokens of a sequence can't be divided by context parallelism 3"));
  CHECK_THAT(text, Contains("has no experts"));
}

TEST_CASE("sizes below 1 and lists of layers that do not add up are refused") {
  Layout layout = one_gpu();
  layout.pipeline = 0;
  CHECK_THAT(faults(model_named("GPT-3-175B"), layout), Contains("pipeline parallelism is 0"));
  layout.pipeline = 2;
  layout.layers_of = {96, 0};
  CHECK_THAT(faults(model_named("GPT-3-175B"), layout), Contains("chunk 1 has 0 layers"));
  layout.layers_of = {50, 50};
  CHECK_THAT(faults(model_named("GPT-3-175B"), layout), Contains("the chunks have 100 layers together, GPT-3-175B has 96"));
  layout.layers_of = {96};
  CHECK_THAT(faults(model_named("GPT-3-175B"), layout), Contains("layers are given for 1 chunks; there are 2 stages x 1 chunks"));
  layout.layers_of.clear();
  layout.seq_length = 4096;
  CHECK_THAT(faults(model_named("GPT-3-175B"), layout), Contains("learned positions"));
}

TEST_CASE("experts lie on ranks that divide them") {
  Layout layout = one_gpu(8);
  layout.data = 8;
  layout.expert = 8;
  CHECK(faults(model_named("mistralai/Mixtral-8x7B-v0.1"), layout).empty());
  layout.expert = 3;
  CHECK_THAT(faults(model_named("mistralai/Mixtral-8x7B-v0.1"), layout), Contains("8 experts can't be divided by expert parallelism 3"));
}

TEST_CASE("words of a layout are those of the scenario") {
  CHECK(recompute("selective") == Recompute::selective);
  CHECK(method("lora") == Method::lora);
  CHECK_FALSE(recompute("half"));
  for (const auto each : {Recompute::none, Recompute::selective, Recompute::full}) CHECK(recompute(name(each)) == each);
}
