#include "traces/power/log.hpp"

#include <algorithm>
#include <limits>

namespace joulecast::traces {

std::string_view name(PowerKind kind) {
  constexpr std::string_view names[] = {"draw", "average", "instant", "meter"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view name(TimeBase base) {
  constexpr std::string_view names[] = {"utc", "local", "monotonic", "numbered"};
  return names[static_cast<std::size_t>(base)];
}

std::string GpuSeries::label() const {
  if (!index.empty()) return index;
  return uuid.empty() ? "without number" : uuid;
}

const PowerChannel* GpuSeries::channel(PowerKind kind) const {
  const auto found = std::find_if(power.begin(), power.end(), [&](const PowerChannel& each) { return each.kind == kind; });
  return found == power.end() ? nullptr : &*found;
}

const PowerChannel* GpuSeries::best_channel() const {
  for (const PowerKind kind : {PowerKind::meter, PowerKind::instant, PowerKind::average, PowerKind::draw}) {
    const PowerChannel* found = channel(kind);
    if (found != nullptr && found->missing < samples()) return found;
  }
  return nullptr;
}

std::int64_t PowerLog::begin_ns() const {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  for (const GpuSeries& gpu : gpus) {
    if (!gpu.time_ns.empty()) begin = std::min(begin, gpu.time_ns.front());
  }
  return begin == std::numeric_limits<std::int64_t>::max() ? 0 : begin;
}

std::int64_t PowerLog::end_ns() const {
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const GpuSeries& gpu : gpus) {
    if (!gpu.time_ns.empty()) end = std::max(end, gpu.time_ns.back());
  }
  return end == std::numeric_limits<std::int64_t>::min() ? 0 : end;
}

}  // namespace joulecast::traces
