// Speculative decoding in a scenario: memory, steps, what is refused, the resolved file.
#include <catch2/catch.hpp>

#include "scenario/resolved.hpp"
#include "scenario/simulate.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;

namespace {

std::string with(const std::string& speculative, const std::string& more = "") {
  std::string text = kChat;
  text.insert(text.find("[traffic.chat]"), "engine = \"e\"\n");
  return text + "[engine.e]\n" + more + (speculative.empty() ? "" : "speculative = { " + speculative + " }\n") +
         "[time]\nduration = \"30 s\"\nat_end = \"drain\"\n";
}

const std::string kNgram = R"(method = "ngram", num_speculative_tokens = 3, acceptance_rate = "70 %")";
const std::string kDraft = R"(method = "draft_model", draft_model = "meta-llama/Llama-3.1-8B", num_speculative_tokens = 3, acceptance_rate = "70 %")";
const std::string kEagle = R"(method = "eagle", num_speculative_tokens = 3, acceptance_rate = "70 %")";

}  // namespace

TEST_CASE("a draft model takes its weights and its KV of every GPU; n-grams take nothing") {
  const Scenario plain = load_text(with("")), ngram = load_text(with(kNgram)), draft = load_text(with(kDraft));
  CHECK(ngram.pools[0].engine.num_gpu_blocks == plain.pools[0].engine.num_gpu_blocks);
  // KV a token and GPU at TP 4: 80 layers * 2 * 2 heads * 128 * 2 bytes, and 32 layers of the draft.
  const double model_token = 80 * 2 * 2 * 128 * 2, draft_token = 32 * 2 * 2 * 128 * 2;
  const double freed = static_cast<double>(plain.pools[0].engine.num_gpu_blocks) * 16 * model_token -
                       static_cast<double>(draft.pools[0].engine.num_gpu_blocks) * 16 * (model_token + draft_token);
  CHECK(freed == Approx(draft.pools[0].draft->weight_bytes_per_gpu(4)).margin(2 * 16 * (model_token + draft_token)));
}

TEST_CASE("the same tokens in fewer steps: about 2.5 a verification at 70 % and 3 drafts") {
  const Result plain = simulate(load_text(with("")), {}), ngram = simulate(load_text(with(kNgram)), {}),
               draft = simulate(load_text(with(kDraft)), {}), eagle = simulate(load_text(with(kEagle)), {});
  CHECK(ngram.traffics[0].output_tokens == plain.traffics[0].output_tokens);
  CHECK(draft.traffics[0].output_tokens == plain.traffics[0].output_tokens);
  // (1 - 0.7^4) / (1 - 0.7) = 2.533; a request's last step is cut at its length.
  CHECK(*ngram.pools[0].tokens_per_verification == Approx(2.533).epsilon(0.03));
  CHECK(ngram.pools[0].steps < plain.pools[0].steps);
  CHECK(ngram.traffics[0].tpot_s.mean < plain.traffics[0].tpot_s.mean);
  // Drafts cost time: n-grams none, one layer a little, a model more.
  CHECK(ngram.traffics[0].tpot_s.mean < eagle.traffics[0].tpot_s.mean);
  CHECK(eagle.traffics[0].tpot_s.mean < draft.traffics[0].tpot_s.mean);
  // Idle watts stay measured; what is active is modelled, where without drafts it was calibrated.
  const auto calibrated = [](const Result& result) {
    const auto at = result.energy_coverage.find("calibrated");
    return at == result.energy_coverage.end() ? 0 : at->second;
  };
  CHECK(calibrated(draft) == 0);
  CHECK(calibrated(plain) > 0.5);
  CHECK_FALSE(plain.pools[0].tokens_per_verification.has_value());
}

TEST_CASE("drafts that are never right cost time and energy and save no step") {
  const Result plain = simulate(load_text(with("")), {});
  const Result wrong = simulate(load_text(with(R"(method = "eagle", num_speculative_tokens = 3, acceptance_rate = "0 %")")), {});
  CHECK(*wrong.pools[0].tokens_per_verification == 1);
  CHECK(wrong.traffics[0].tpot_s.mean > plain.traffics[0].tpot_s.mean);
  CHECK(wrong.energy.joules[0] > plain.energy.joules[0]);
}

TEST_CASE("the resolved file keeps it, and faults are named") {
  const Scenario scenario = load_text(with(kDraft));
  const std::string resolved = resolved_toml(scenario);
  CHECK_THAT(resolved, Catch::Contains("draft_model") && Catch::Contains("num_speculative_tokens"));
  CHECK(resolved_toml(load_text(resolved)) == resolved);
  CHECK_THAT(faults(with(R"(method = "ngram", num_speculative_tokens = 3)")), Catch::Contains("acceptance_rate"));
  CHECK_THAT(faults(with(R"(method = "draft_model", num_speculative_tokens = 3, acceptance_rate = "70 %")")),
             Catch::Contains("without a draft_model"));
  CHECK_THAT(faults(with(R"(method = "ngram", draft_model = "x", num_speculative_tokens = 3, acceptance_rate = "70 %")")),
             Catch::Contains("a method that has none"));
  CHECK_THAT(faults(with(kNgram, "max_num_seqs = 256\nmax_num_batched_tokens = 512\n")),
             Catch::Contains("max_num_seqs * (1 + num_speculative_tokens)"));
  CHECK_THAT(
      faults(with(R"(method = "draft_model", draft_model = "meta-llama/Llama-2-7b-hf", num_speculative_tokens = 3, acceptance_rate = "70 %")")),
      Catch::Contains("different vocabularies"));
}
