#pragma once

#include <string>
#include <vector>

#include "base/shell_word.hpp"

namespace joulecast::report {

/// "--set pool.chat.replicas=4 --set 'pool.chat.sm_clock="1410 MHz"'", quoted for a shell.
inline std::string settings_words(const std::vector<std::string>& settings) {
  std::string text;
  for (const std::string& each : settings) text += (text.empty() ? "--set " : " --set ") + shell_word(each);
  return text;
}

}  // namespace joulecast::report
