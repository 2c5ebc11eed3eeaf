#include "base/error.hpp"

#include <fmt/format.h>

namespace joulecast {

std::string Place::text() const {
  if (line <= 0) return file;
  const std::string position = column > 0 ? fmt::format("{}:{}", line, column) : fmt::format("{}", line);
  return file.empty() ? "line " + position : file + ":" + position;
}

std::string UserFault::text() const {
  const std::string where = place.text();
  std::string out = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) out += "\n  " + remedy;
  return out;
}

UserError::UserError(std::vector<UserFault> faults) : faults_(std::move(faults)) {
  for (const UserFault& fault : faults_) {
    if (!message_.empty()) message_ += '\n';
    message_ += fault.text();
  }
}

UserError::UserError(Place place, std::string what, std::string remedy)
    : UserError(std::vector<UserFault>{{std::move(place), std::move(what), std::move(remedy)}}) {}

void throw_bug(const char* file, int line, const std::string& what) { throw Bug(fmt::format("{}:{}: {}", file, line, what)); }

}  // namespace joulecast
