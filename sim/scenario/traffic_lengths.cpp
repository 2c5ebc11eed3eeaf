#include "scenario/traffic_lengths.hpp"

#include <utility>
#include <vector>

namespace joulecast::scenario {

traces::LengthMix lengths_of(const Traffic& traffic) {
  JOULECAST_CHECK(!traffic.lengths.empty(), "a traffic that replays a trace has no lengths");
  std::vector<std::pair<double, traces::LengthHistogram>> parts;
  for (const LengthsPart& part : traffic.lengths) {
    parts.emplace_back(part.share, part.trace ? traces::lengths_of_trace(*part.trace) : traces::LengthHistogram::read(part.path));
  }
  return traces::LengthMix(std::move(parts));
}

}  // namespace joulecast::scenario
