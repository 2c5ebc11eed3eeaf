#include "hardware/fabric/in_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace joulecast::hardware {

namespace {

template <class Form>
InNodeForm from(const Form& form) {
  const auto worst_of = worst(worst(provenance(form.alpha.kind), provenance(form.root.kind)), provenance(form.beta.kind));
  return {form.alpha.value.si(), form.root.value, 1 / form.beta.value.si(), worst_of};
}

InNodeForm scaled(InNodeForm form, double latency, double bytes) {
  return {form.alpha * latency, form.root * bytes, form.inverse_beta * bytes, Provenance::modelled};
}

double moved(double gpus) { return (gpus - 1) / gpus; }

/// The entry for `gpus`, or the nearest by ratio and then the larger one, scaled to `gpus`; `known` lists (gpus, form), rising.
InNodeForm for_count(const std::vector<std::pair<std::int64_t, InNodeForm>>& known, std::int64_t gpus) {
  const auto distance = [gpus](std::int64_t other) { return std::abs(std::log(static_cast<double>(other) / static_cast<double>(gpus))); };
  const auto* best = &known.front();
  for (const auto& entry : known) {
    if (distance(entry.first) <= distance(best->first)) best = &entry;
  }
  if (best->first == gpus) return best->second;
  const double n = static_cast<double>(gpus);
  const double have = static_cast<double>(best->first);
  return scaled(best->second, (n - 1) / (have - 1), moved(n) / moved(have));
}

}  // namespace

double InNodeForm::seconds(double bytes) const { return alpha + root * std::sqrt(bytes) + bytes * inverse_beta; }

InNodeForm in_node_form(const GpuProfile& gpu, Collective collective, std::int64_t gpus) {
  JOULECAST_CHECK(gpus >= 2, "a collective in a node over less than two GPUs");
  std::vector<std::pair<std::int64_t, InNodeForm>> own;
  for (const auto& form : gpu.collectives) {
    if (form.collective == collective) own.emplace_back(form.gpus, from(form));
  }
  if (!own.empty()) return collective == Collective::send ? own.front().second : for_count(own, gpus);

  std::vector<std::pair<std::int64_t, InNodeForm>> all_reduce;
  for (const auto& form : gpu.all_reduce) all_reduce.emplace_back(form.gpus, from(form));
  if (all_reduce.empty()) {
    throw UserError(Place{gpu.file, 0, 0}, fmt::format("{} has no all-reduce of several GPUs, and one was asked for", gpu.name),
                    "give [all_reduce.2] and so on in its profile, or use one GPU a replica");
  }
  const InNodeForm reduce = for_count(all_reduce, collective == Collective::send ? 2 : gpus);
  const double n = static_cast<double>(gpus);
  switch (collective) {
    case Collective::all_reduce:
      return reduce;
    case Collective::broadcast:
      return scaled(reduce, 0.5, n / (2 * (n - 1)));
    case Collective::send:
      return scaled(reduce, 1, 1);
    default:
      return scaled(reduce, 0.5, 0.5);
  }
}

}  // namespace joulecast::hardware
