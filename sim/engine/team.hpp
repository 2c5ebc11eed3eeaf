#pragma once

#include <cstddef>

namespace joulecast::engine {

/// Calls `work(argument, i)` once for every i below `count` (above 0) and waits for all calls. The first half is dealt out evenly among at most
/// `threads` threads, so that each has a share and mostly the same one every time; the rest goes, `chunk` numbers at a time, to whoever is
/// free. `work` does not throw. Returns the number of threads, each of which did something.
int run_team(int threads, std::size_t count, std::size_t chunk, void (*work)(const void* argument, std::size_t i), const void* argument);

template <class Work>
int run_team(int threads, std::size_t count, std::size_t chunk, const Work& work) {
  return run_team(
      threads, count, chunk, [](const void* argument, std::size_t i) { (*static_cast<const Work*>(argument))(i); }, &work);
}

}  // namespace joulecast::engine
