#include "cli/sweep_crew.hpp"

#include <algorithm>

namespace joulecast::cli {

Crew::Crew(int threads, Work work) : work_(std::move(work)) {
  for (int t = 0; t < std::max(1, threads); ++t) threads_.emplace_back([this] { run(); });
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    given_.clear();
  }
  waiting_.notify_all();
}

std::size_t Crew::idle() const {
  const std::lock_guard lock(mutex_);
  return threads_.size() > under_way_ ? threads_.size() - under_way_ : 0;
}

void Crew::give(std::size_t point) {
  {
    const std::lock_guard lock(mutex_);
    given_.push_back(point);
    ++under_way_;
  }
  waiting_.notify_one();
}

std::optional<std::pair<std::size_t, std::string>> Crew::take() {
  const std::lock_guard lock(mutex_);
  if (thrown_) std::rethrow_exception(thrown_);
  if (finished_.empty()) return std::nullopt;
  auto first = std::move(finished_.front());
  finished_.pop_front();
  return first;
}

void Crew::run() {
  while (true) {
    std::size_t point = 0;
    {
      std::unique_lock lock(mutex_);
      waiting_.wait(lock, [this] { return closing_ || !given_.empty(); });
      if (closing_) return;
      point = given_.front();
      given_.pop_front();
    }
    std::string text;
    std::exception_ptr thrown;
    try {
      text = work_(point);
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (thrown && !thrown_) thrown_ = thrown;
    finished_.emplace_back(point, std::move(text));
    --under_way_;
  }
}

}  // namespace joulecast::cli
