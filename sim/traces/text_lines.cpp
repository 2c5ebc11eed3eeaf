#include "traces/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "config/node.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

[[noreturn]] void throw_missing(const std::string& path, const Place& written_at) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : std::filesystem::path(".");
  std::vector<std::string> names;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), last; entry != last; entry.increment(ignored)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::string nearest = config::nearest(wanted.filename().string(), names);
  const std::string what = fmt::format("there is no file \"{}\"", path);
  if (!nearest.empty()) throw UserError(written_at, what, fmt::format("that folder has \"{}\": is it meant?", nearest));
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw UserError(written_at, what, fmt::format("there is no folder \"{}\" either: correct the path", folder.string()));
  }
  throw UserError(written_at, what, "correct the path, or put the file there");
}

std::vector<char> read_whole(const std::string& path, const Place& written_at) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> opened(std::fopen(path.c_str(), "rb"));
  std::FILE* const file = opened.get();
  if (file == nullptr) throw UserError(written_at, fmt::format("cannot read \"{}\": {}", path, std::strerror(errno)), "make the file readable");
  std::vector<char> bytes;
  std::size_t size = 0;
  do {
    bytes.resize(size + kChunk);
    size += std::fread(bytes.data() + size, 1, kChunk, file);
  } while (std::feof(file) == 0 && std::ferror(file) == 0);
  bytes.resize(size);
  return bytes;
}

}  // namespace

TextLines::TextLines(const std::string& path, Place written_at) : name_(path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) throw_missing(path, written_at);
  if (std::filesystem::is_directory(status)) {
    throw UserError(written_at, fmt::format("\"{}\" is a folder", path), "name a file inside it");
  }
  if (std::filesystem::is_regular_file(status)) {
    file_ = std::make_unique<ByteFile>(path, written_at);
    buffer_.resize(2 * kChunk);
  } else {
    buffer_ = read_whole(path, written_at);
    end_ = buffer_.size();
    exhausted_ = true;
  }
  data_ = buffer_.data();
}

TextLines::TextLines(std::string_view text, std::string name) : name_(std::move(name)), data_(text.data()), end_(text.size()), exhausted_(true) {}

bool TextLines::next() {
  start_ = after_;
  number_ += std::max(lines_, 1);
  lines_ = 1;
  if (find_end(start_)) return true;
  size_ = 0;
  return false;
}

bool TextLines::extend() {
  ++lines_;
  return find_end(after_);
}

void TextLines::rewind() {
  start_ = size_ = after_ = 0;
  number_ = lines_ = 0;
  terminated_ = true;
  if (!file_) return;
  file_->rewind();
  end_ = 0;
  exhausted_ = false;
}

bool TextLines::find_end(std::size_t from) {
  const std::size_t fresh = from - start_;  // what no earlier call has checked
  for (;;) {
    const void* found = end_ > from ? std::memchr(data_ + from, '\n', end_ - from) : nullptr;
    if (found != nullptr) {
      const auto stop = static_cast<std::size_t>(static_cast<const char*>(found) - data_);
      after_ = stop + 1;
      size_ = stop - start_;
      terminated_ = true;
      break;
    }
    const std::size_t searched = end_ - start_;
    if (searched > kMostBytes) break;
    if (!exhausted_ && refill()) {
      from = start_ + searched;
      continue;
    }
    if (end_ - start_ <= fresh) return false;
    after_ = end_;
    size_ = end_ - start_;
    terminated_ = false;
    break;
  }
  if (number_ == 1 && lines_ == 1 && line().starts_with(kByteOrderMark)) {
    start_ += kByteOrderMark.size();
    size_ -= kByteOrderMark.size();
  }
  check_line(fresh);
  if (size_ > 0 && data_[start_ + size_ - 1] == '\r') --size_;
  return true;
}

/// Moves the current line to the front of the buffer and reads on behind it; false at the end of the file.
bool TextLines::refill() {
  if (start_ > 0) std::memmove(buffer_.data(), buffer_.data() + start_, end_ - start_);
  end_ -= start_;
  after_ -= std::min(after_, start_);
  start_ = 0;
  if (buffer_.size() - end_ < kChunk) buffer_.resize(buffer_.size() * 2);
  data_ = buffer_.data();
  const std::size_t got = file_->read(buffer_.data() + end_, kChunk);
  end_ += got;
  exhausted_ = got == 0;
  return got > 0;
}

void TextLines::check_line(std::size_t from) const {
  if (number_ == 1 && line().starts_with("\x1f\x8b")) {
    throw UserError({name_, 0, 0}, "the file is compressed with gzip", fmt::format("unpack it: gunzip -k \"{}\"", name_));
  }
  const std::size_t most = std::min(size_, kMostBytes);
  const void* nul = most > from ? std::memchr(data_ + start_ + from, '\0', most - from) : nullptr;
  if (nul != nullptr) {
    const auto column = static_cast<const char*>(nul) - (data_ + start_) + 1;
    throw UserError({name_, number_, static_cast<int>(column)}, "a NUL byte where text was expected",
                    "the file is damaged, or not UTF-8: write it again as UTF-8 text");
  }
  if (size_ > kMostBytes) {
    throw UserError({name_, number_, 0}, fmt::format("a line of more than {} bytes", kMostBytes),
                    "check that the file is text with one record a line and that every quote is closed");
  }
}

}  // namespace joulecast::traces
