#include "scenario/load_arms.hpp"

#include "scenario/variants.hpp"

namespace joulecast::scenario {

Arms load_arms(const std::string& path, const LoadOptions& options) {
  VariantFile file(path, options);
  const auto compare = file.take("compare");
  if (!compare) {
    throw UserError({path, 0, 0}, "the scenario has no [compare]",
                    "add [compare] and [compare.arm.NAME]; `joulecast schema compare` shows their keys");
  }
  config::Diagnostics diagnostics;
  Arms loaded;
  loaded.compare = compare_record().read(*compare, diagnostics);
  diagnostics.throw_if_failed();
  SharedFaults faults;
  for (const auto& [name, keys] : loaded.compare.arm) {
    if (name == loaded.compare.reference) loaded.reference = loaded.arms.size();
    try {
      loaded.arms.push_back({name, file.merged(keys)});
    } catch (const UserError& error) {
      faults.add(error);
    }
  }
  faults.throw_if_any();
  return loaded;
}

}  // namespace joulecast::scenario
