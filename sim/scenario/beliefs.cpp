#include "scenario/beliefs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "scenario/costs.hpp"
#include "serving/service_sweep.hpp"
#include "serving/token_sweep.hpp"

namespace joulecast::scenario {

std::string belief_path(const std::string& share, const std::string& energy_model, const Place& place) {
  namespace fs = std::filesystem;
  if (energy_model.ends_with(".toml")) {
    std::string path = config::resolve_path(energy_model, place);
    if (fs::exists(path)) return path;
    throw UserError(place, fmt::format("there is no file \"{}\"", path), "give the path of a file of beliefs, relative to this one");
  }
  const fs::path folder = fs::path(share) / "workloads/beliefs";
  const fs::path path = folder / (energy_model + ".toml");
  if (fs::exists(path)) return path.string();
  std::vector<std::string> known{"fitted"};
  std::error_code none;
  for (fs::directory_iterator it(folder, none), end; !none && it != end; it.increment(none)) known.push_back(it->path().stem().string());
  std::sort(known.begin(), known.end());
  const std::string near = config::nearest(energy_model, known);
  throw UserError(place, fmt::format("there is no energy_model \"{}\"", energy_model),
                  (near.empty() ? "" : "did you mean \"" + near + "\"? ") + fmt::format("known are {}, or a .toml file", fmt::join(known, ", ")));
}

control::EnergyBelief fitted_belief(const Scenario& scenario, const Pool& pool, std::int64_t batch, const control::TokenRange& range) {
  // Costs of their own: what the sweep asked for leaves no trace in the run's provenance.
  const auto costs = pool_costs(scenario, pool);
  const auto rows = serving::token_sweep(*costs, pool.engine, batch, range);
  return control::fit_energy_belief(rows, range, batch == 1 ? "fitted alone on a replica" : fmt::format("fitted at a batch of {}", batch));
}

control::ServiceBelief profiled_service(const Scenario& scenario, const Pool& pool, std::int64_t longest) {
  return serving::profile_service(*pool_costs(scenario, pool), pool.engine.folded(), longest);
}

}  // namespace joulecast::scenario
