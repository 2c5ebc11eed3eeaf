#include "study/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace joulecast::study {

void in_parallel(int threads, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> coming{0};
  std::atomic<bool> failed{false};
  const auto member = [&] {
    while (!failed.load()) {
      const std::size_t i = coming.fetch_add(1);
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
        failed.store(true);
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t members = std::min(count, static_cast<std::size_t>(std::max(1, threads)));
    for (std::size_t m = 1; m < members; ++m) others.emplace_back(member);
    member();
  }
  for (const std::exception_ptr& each : thrown) {
    if (each) std::rethrow_exception(each);
  }
}

}  // namespace joulecast::study
