#include "engine/team.hpp"

#include <omp.h>

#include <algorithm>

namespace joulecast::engine {

int run_team(int threads, std::size_t count, std::size_t chunk, void (*work)(const void* argument, std::size_t i), const void* argument) {
  const std::size_t members = std::min(static_cast<std::size_t>(threads), count);
  const std::size_t fixed = std::max(members, count / 2);
  int started = 1;
#pragma omp parallel num_threads(static_cast <int>(members))
  {
#pragma omp single nowait
    started = omp_get_num_threads();
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < fixed; ++i) work(argument, i);
#pragma omp for schedule(dynamic, chunk) nowait
    for (std::size_t i = fixed; i < count; ++i) work(argument, i);
  }
  return started;
}

}  // namespace joulecast::engine
