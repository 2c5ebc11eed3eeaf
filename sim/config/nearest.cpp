#include <algorithm>

#include "config/node.hpp"

namespace joulecast::config {
namespace {

/// Lower case, "-" as "_": what a person mixes up first.
std::string plain(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-') c = '_';
  }
  return out;
}

/// Insertions, deletions, substitutions and swaps of neighbours that lead from a to b (Damerau-Levenshtein, optimal string alignment).
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view key, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 100;
  if (key.size() > longest) return "";
  const std::string wanted = plain(key);
  std::size_t allowed = std::max<std::size_t>(1, key.size() / 3);
  std::string best;
  for (const std::string& candidate : known) {
    const std::string other = plain(candidate);
    if (other.size() > wanted.size() + allowed || wanted.size() > other.size() + allowed) continue;
    const std::size_t found = distance(wanted, other);
    if (found >= wanted.size() || found > allowed || (!best.empty() && found == allowed)) continue;
    best = candidate;
    if (found == 0) return best;
    allowed = found;
  }
  return best;
}

}  // namespace joulecast::config
