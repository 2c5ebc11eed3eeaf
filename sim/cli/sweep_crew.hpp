#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace joulecast::cli {

/// Threads that run points while another one, which alone speaks to other ranks, hands them out and collects.
class Crew {
 public:
  using Work = std::function<std::string(std::size_t)>;
  Crew(int threads, Work work);
  /// Waits for those that run.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// How many points it could begin at once now.
  std::size_t idle() const;
  void give(std::size_t point);
  /// A finished point, if there is one. Throws on what the work threw.
  std::optional<std::pair<std::size_t, std::string>> take();

 private:
  void run();

  Work work_;
  mutable std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<std::size_t> given_;
  std::deque<std::pair<std::size_t, std::string>> finished_;
  std::exception_ptr thrown_;
  std::size_t under_way_ = 0;  ///< given and not finished
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace joulecast::cli
