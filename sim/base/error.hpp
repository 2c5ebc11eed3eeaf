#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace joulecast {

/// Where in a file something was read; line and column count from 1, 0 where there is none.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  /// "file:line:column", as far as known.
  std::string text() const;
};

/// One fault of the user's input: where, what was read and expected, what to do.
struct UserFault {
  Place place;
  std::string what;
  std::string remedy;

  /// "PLACE: what\n  remedy" as a person reads it.
  std::string text() const;
};

/// The user's fault, or several of them: exit code 2.
class UserError : public std::exception {
 public:
  explicit UserError(std::vector<UserFault> faults);
  UserError(Place place, std::string what, std::string remedy);

  const std::vector<UserFault>& faults() const { return faults_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::vector<UserFault> faults_;
  std::string message_;
};

/// Our fault, never reachable from input: exit code 1 with what to report.
class Bug : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws a Bug that names the source line.
[[noreturn]] void throw_bug(const char* file, int line, const std::string& what);

}  // namespace joulecast

#define JOULECAST_BUG(what) ::joulecast::throw_bug(__FILE__, __LINE__, (what))
/// Checks an invariant in every build.
#define JOULECAST_CHECK(condition, what)   \
  do {                                     \
    if (!(condition)) JOULECAST_BUG(what); \
  } while (false)
