#include "traces/requests/write.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <vector>

namespace joulecast::traces {

std::uint64_t write_requests(RequestStream& requests, std::ostream& out) {
  std::uint64_t count = 0;
  std::vector<PrefixTree::Node> path;
  while (const auto request = requests.next()) {
    std::string line =
        fmt::format(R"({{"arrival_ns": {}, "input_tokens": {}, "output_tokens": {})", request->arrival.ns, request->input, request->output);
    if (request->cached != 0) line += fmt::format(R"(, "cached_tokens": {})", request->cached);
    if (request->conversation != 0) line += fmt::format(R"(, "conversation": {})", request->conversation);
    if (request->prefix != 0) {
      const PrefixTree& tree = *requests.prefixes();
      path.clear();
      for (PrefixTree::Node node = request->prefix; node != 0; node = tree.parent(node)) path.push_back(node);
      std::reverse(path.begin(), path.end());
      line += fmt::format(R"(, "block_tokens": {}, "blocks": [{}])", tree.block_tokens(), fmt::join(path, ", "));
    }
    out << line << "}\n";
    ++count;
  }
  return count;
}

}  // namespace joulecast::traces
