#include "cli/import_words.hpp"

#include "base/error.hpp"

namespace joulecast::cli {

namespace {

/// Takes a line apart, one character after the other.
class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  std::vector<std::vector<std::string>> commands() {
    while (at_ < line_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  void step() {
    const char c = line_[at_];
    if (c == '\\') return escape();
    if (c == '\'' || c == '"') return quoted(c);
    ++at_;
    if (c == '#' && !open_) {
      while (at_ < line_.size() && line_[at_] != '\n') ++at_;
    } else if (c == ';' || c == '|' || c == '\n' || (c == '&' && !redirected_)) {
      end_command();
    } else if (c == ' ' || c == '\t' || c == '\r') {
      end_word();
    } else if (c == '>' || c == '<') {
      if (word_.find_first_not_of("0123456789") == std::string::npos) open_ = false;  // the stream's number
      word_ = open_ ? word_ : "";
      end_word();
      redirected_ = true;
    } else {
      word_ += c;
      open_ = true;
    }
  }

  void escape() {
    ++at_;
    if (at_ == line_.size()) return;
    if (line_[at_] == '\r' && at_ + 1 < line_.size() && line_[at_ + 1] == '\n') ++at_;
    if (line_[at_] != '\n') {
      word_ += line_[at_];
      open_ = true;
    } else {
      end_word();
    }
    ++at_;
  }

  void quoted(char quote) {
    open_ = true;
    for (++at_; at_ < line_.size() && line_[at_] != quote; ++at_) {
      if (quote == '"' && line_[at_] == '\\' && at_ + 1 < line_.size() && (line_[at_ + 1] == '"' || line_[at_ + 1] == '\\')) ++at_;
      word_ += line_[at_];
    }
    if (at_ == line_.size()) throw UserError({}, std::string("a quote ") + quote + " is not closed", "close it");
    ++at_;
  }

  void end_word() {
    if (!open_) return;
    if (!redirected_) words_.push_back(word_);
    redirected_ = false;
    word_.clear();
    open_ = false;
  }

  void end_command() {
    end_word();
    redirected_ = false;
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::string word_;
  bool open_ = false;        ///< a word has begun
  bool redirected_ = false;  ///< the word at hand is where a stream goes
  std::vector<std::string> words_;
  std::vector<std::vector<std::string>> commands_;
};

}  // namespace

std::vector<std::vector<std::string>> shell_commands(std::string_view line) { return Splitter(line).commands(); }

}  // namespace joulecast::cli
