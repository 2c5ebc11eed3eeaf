// Runs a scenario and prints its joules: joules SCENARIO SHARE, where SHARE is the folder with hardware_profiles/ and workloads/.
#include <cstdio>

#include "base/error.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "usage: joules SCENARIO SHARE\n");
    return 2;
  }
  try {
    joulecast::scenario::LoadOptions options;
    options.share_dir = words[2];
    const auto scenario = joulecast::scenario::load(words[1], options);
    const auto result = joulecast::scenario::simulate(scenario, {});
    std::printf("%s: %.0f J over %.0f s at the facility's meter\n", result.name.c_str(), result.energy.joules.back(), result.horizon_s);
  } catch (const joulecast::UserError& error) {
    for (const auto& fault : error.faults())
      std::fprintf(stderr, "%s: %s\n  %s\n", fault.place.text().c_str(), fault.what.c_str(), fault.remedy.c_str());
    return 2;
  }
}
