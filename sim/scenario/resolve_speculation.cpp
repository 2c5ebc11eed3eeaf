#include "hardware/profiles.hpp"
#include "scenario/resolver.hpp"
#include "scenario/toml_writer.hpp"
#include "serving/cost/speculative_costs.hpp"

namespace joulecast::scenario {

/// Finds the draft model of a pool's speculative decoding; false where it can't be had.
bool Resolver::speculation(Pool& pool, const SpeculativeTable& table) {
  using Method = serving::Speculation::Method;
  pool.engine.speculative = {table.method, table.num_speculative_tokens, table.acceptance_rate.value, 0};  // the seed is the run's
  if (table.method == Method::eagle) pool.draft = serving::eagle_head(pool.model);
  if (table.method != Method::draft_model) return true;
  return collecting([&] {
    const std::string path = hardware::find_profile(hardware::model_folder(share_), "model", table.draft_model, table.place);
    pool.draft = llm::load_architecture(path, diagnostics_);
    scenario_.inputs.push_back(path);
    pool.draft_model = table.draft_model.ends_with(".toml") ? absolute(path) : pool.draft->name;
    if (diagnostics_.failed()) return;
    llm::check_servable(*pool.draft, table.place);
    llm::check_tensor_parallel(*pool.draft, pool.tensor_parallel_size, table.place);
    if (pool.draft->vocab != pool.model.vocab) {
      throw UserError(table.place, "the draft model " + pool.draft->name + " and " + pool.model.name + " have different vocabularies",
                      "take a draft of the same family");
    }
  });
}

}  // namespace joulecast::scenario
