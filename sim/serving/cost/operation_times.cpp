#include "serving/cost/operation_times.hpp"

#include <algorithm>

namespace joulecast::serving {

JoinedChunks join(std::span<const Chunk> chunks) {
  double tokens = 0, read = 0;
  for (const auto& chunk : chunks) {
    const auto c = static_cast<double>(chunk.tokens);
    tokens += c;
    read += c * (static_cast<double>(chunk.context) + c / 2);
  }
  return {tokens, tokens > 0 ? std::max(0.0, read / tokens - tokens / 2) : 0};
}

std::unique_ptr<const hardware::OperationTables> operation_tables(const hardware::GpuProfile& gpu) {
  if (gpu.tables.operations.empty()) return nullptr;
  return std::make_unique<const hardware::OperationTables>(hardware::OperationTables::read_file(gpu.tables.operations));
}

}  // namespace joulecast::serving
