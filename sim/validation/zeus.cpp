#include "validation/zeus.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "policy/clocks/power_limit.hpp"
#include "traces/power/power_limits.hpp"

namespace joulecast::validation {
namespace {

double median(std::vector<double> values) {
  JOULECAST_CHECK(!values.empty(), "the median of nothing");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Comparison limits(const std::string& gpu, double expected) {
  Entry entry{"training.zeus." + gpu + ".median_saving",
              "best power limit against the highest, median over jobs",
              "Zeus NSDI 2023 traces",
              expected,
              "%",
              "0.05 points",
              Kind::exact};
  return {{std::move(entry)}, [gpu](const Sources& sources) -> std::optional<std::vector<Ours>> {
            const std::string file = sources.data + "/power-caps/zeus-nsdi23/summary_power_" + gpu + ".csv";
            if (sources.data.empty() || !std::filesystem::exists(file)) return std::nullopt;
            std::vector<double> savings;
            for (const traces::PowerLimitJob& job : traces::read_power_limits(traces::TextLines(file)).jobs) {
              std::vector<policy::PowerLimitPoint> points;
              for (const traces::PowerLimitRow& row : job.rows) points.push_back({row.limit, row.time, row.power * row.time});
              const auto& best = points[policy::least_energy(points)];
              savings.push_back(100 * (1 - best.energy / points.front().energy));  // the highest limit comes first
            }
            return std::vector<Ours>{{median(std::move(savings))}};
          }};
}

}  // namespace

std::vector<Comparison> zeus_power_limits() { return {limits("a40", 18.97), limits("p100", 12.00), limits("rtx6000", 22.59), limits("v100", 22.64)}; }

}  // namespace joulecast::validation
