#pragma once

#include <cstddef>
#include <functional>

namespace joulecast::study {

/// Calls `work(i)` once for each i in 0 .. count - 1 on `threads` threads, lowest first; returns when all are done. Once a call has thrown no further one
/// begins; of what was thrown, that of the lowest i is thrown on.
void in_parallel(int threads, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace joulecast::study
