#include "calibration/record/mark_pipe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace joulecast::calibration {

MarkPipe::MarkPipe(std::string path) : path_(std::move(path)) {
  made_ = ::mkfifo(path_.c_str(), 0600) == 0;
  struct stat status {};
  if (!made_ && (errno != EEXIST || ::stat(path_.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode))) {
    throw UserError(Place{path_},
                    errno == EEXIST || S_ISREG(status.st_mode) ? "something that is no pipe has this name"
                                                               : fmt::format("no pipe can be made here: {}", std::strerror(errno)),
                    "name another: --fifo PATH");
  }
  // Open for writing too: else the pipe would end with its first writer.
  file_ = ::open(path_.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file_ < 0) throw UserError(Place{path_}, fmt::format("cannot be opened: {}", std::strerror(errno)), "name another: --fifo PATH");
}

MarkPipe::~MarkPipe() {
  ::close(file_);
  if (made_) ::unlink(path_.c_str());
}

std::optional<std::string> MarkPipe::next() {
  std::array<char, 512> buffer{};
  const ssize_t count = ::read(file_, buffer.data(), buffer.size());
  for (ssize_t i = 0; i < count; ++i) {
    const char c = buffer[static_cast<std::size_t>(i)];
    if (c != '\n') {
      partial_ += c;
      continue;
    }
    const std::size_t first = partial_.find_first_not_of(" \t\r"), last = partial_.find_last_not_of(" \t\r");
    if (first != std::string::npos) lines_.push_back(partial_.substr(first, last - first + 1));
    partial_.clear();
  }
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

}  // namespace joulecast::calibration
