#include "traces/excerpt.hpp"

namespace joulecast::traces {

std::string excerpt(std::string_view text, std::size_t most) {
  std::string out;
  for (const char c : text.substr(0, most)) out += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > most) out += "...";
  return out;
}

}  // namespace joulecast::traces
