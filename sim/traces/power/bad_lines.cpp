#include "traces/power/bad_lines.hpp"

#include <fmt/format.h>

#include "traces/excerpt.hpp"
#include "traces/power/measured_cell.hpp"

namespace joulecast::traces {
namespace {

constexpr std::size_t kMostNamed = 20;

}  // namespace

void BadLines::add(int line, std::string_view text, const std::string& why) {
  ++count_;
  if (faults_.size() >= kMostNamed) return;
  faults_.push_back({{file_, line, 1}, fmt::format("{}: \"{}\"", why, excerpt(text, 120)), ""});
}

void BadLines::settle(PowerLog& log) const {
  if (count_ == 0) return;
  if (count_ <= static_cast<std::size_t>(allowed_)) {
    log.source.dropped["no row"] += count_;
    for (const UserFault& fault : faults_) log.notes.push_back(fmt::format("line {} is left out: {}", fault.place.line, fault.what));
    return;
  }
  std::vector<UserFault> faults = faults_;
  for (UserFault& fault : faults) fault.remedy = fmt::format("correct or delete the line, or leave {} such out: --skip-bad {}", count_, count_);
  throw UserError(std::move(faults));
}

void split_cells(std::string_view line, char delimiter, std::vector<std::string>& cells) {
  cells.clear();
  std::size_t at = 0;
  for (;;) {
    std::size_t first = at;
    while (first < line.size() && (line[first] == ' ' || line[first] == '\t') && line[first] != delimiter) ++first;
    if (first < line.size() && line[first] == '"') {
      std::string cell;
      std::size_t i = first + 1;
      for (; i < line.size(); ++i) {
        if (line[i] != '"') {
          cell += line[i];
        } else if (i + 1 < line.size() && line[i + 1] == '"') {
          cell += line[i++];
        } else {
          break;
        }
      }
      cells.push_back(std::move(cell));
      at = std::min(line.find(delimiter, std::min(i, line.size())), line.size());
    } else {
      const std::size_t stop = std::min(line.find(delimiter, at), line.size());
      cells.emplace_back(trimmed_cell(line.substr(at, stop - at)));
      at = stop;
    }
    if (at == line.size()) return;
    ++at;
  }
}

}  // namespace joulecast::traces
