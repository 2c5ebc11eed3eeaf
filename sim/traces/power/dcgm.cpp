#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "traces/power/exposition.hpp"
#include "traces/power/log_builder.hpp"
#include "traces/power/log_readers.hpp"

namespace joulecast::traces {
namespace {

/// Instances of one board report the board's power; beyond this they do not report the same thing.
constexpr double kMostDisagreement = 0.05;

constexpr std::string_view kEnforced = "DCGM_FI_DEV_ENFORCED_POWER_LIMIT", kSet = "DCGM_FI_DEV_POWER_MGMT_LIMIT";

struct Known {
  std::string_view name, old_name;
  LogQuantity quantity;
};
constexpr Known kKnown[] = {
    {"DCGM_FI_DEV_POWER_USAGE", "dcgm_power_usage", LogQuantity::draw},
    {"DCGM_FI_DEV_POWER_USAGE_INSTANT", "", LogQuantity::instant},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "dcgm_total_energy_consumption", LogQuantity::energy},
    {"DCGM_FI_DEV_SM_CLOCK", "dcgm_sm_clock", LogQuantity::sm_clock},
    {"DCGM_FI_DEV_MEM_CLOCK", "dcgm_memory_clock", LogQuantity::memory_clock},
    {"DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization", LogQuantity::utilization},
    {"DCGM_FI_DEV_MEM_COPY_UTIL", "dcgm_mem_copy_utilization", LogQuantity::memory_utilization},
    {"DCGM_FI_DEV_GPU_TEMP", "dcgm_gpu_temp", LogQuantity::temperature},
    {kEnforced, "", LogQuantity::limit},
    {kSet, "", LogQuantity::limit},
    {"DCGM_FI_DEV_FB_USED", "dcgm_fb_used", LogQuantity::memory_used},
    {"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "", LogQuantity::throttle},
    {"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "", LogQuantity::throttle},
};

const Known* find(const std::string& name) {
  const auto found = std::find_if(std::begin(kKnown), std::end(kKnown),
                                  [&](const Known& known) { return name == known.name || (!known.old_name.empty() && name == known.old_name); });
  return found == std::end(kKnown) ? nullptr : found;
}

/// One value of each board and quantity at one time, from all its instances.
class Board {
 public:
  void add(LogQuantity quantity, double value) { readings_[quantity].push_back(value); }

  LogSample sample(std::int64_t time_ns, const std::string& label, const std::string& file) const {
    LogSample out;
    out.time_ns = time_ns;
    for (const auto& [quantity, values] : readings_) {
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      const bool power = quantity <= LogQuantity::energy;  // a limit may differ: of an instance, of the board
      if (power && *most - *least > kMostDisagreement * *most) {
        throw UserError(
            {file, 0, 0},
            fmt::format("GPU {}: instances of one board disagree by {:.0f} %: {} and {}", label, 100 * (*most - *least) / *most, *least, *most),
            "each should report the board's power: do the series belong to one GPU?");
      }
      if (quantity == LogQuantity::throttle) {
        std::uint64_t mask = 0;
        for (const double value : values) mask |= static_cast<std::uint64_t>(value);
        out[quantity] = static_cast<double>(mask);
        continue;
      }
      double sum = 0;
      for (const double value : values) sum += value;
      out[quantity] = quantity == LogQuantity::memory_used ? sum : sum / static_cast<double>(values.size());
    }
    return out;
  }
  std::size_t instances() const {
    const auto found = readings_.find(LogQuantity::draw);
    return found == readings_.end() ? 1 : found->second.size();
  }

 private:
  std::map<LogQuantity, std::vector<double>> readings_;
};

struct BoardName {
  std::string index, uuid, model;
  auto operator<=>(const BoardName&) const = default;
};

PowerLog gather(Metrics metrics, PowerLog log, const std::string& file) {
  LogBuilder builder;
  std::map<BoardName, Board> boards;
  std::size_t most_instances = 1;
  const auto flush = [&](std::int64_t time_ns) {
    for (const auto& [name, board] : boards) {
      most_instances = std::max(most_instances, board.instances());
      builder.add(builder.gpu(name.index, name.uuid, name.model), board.sample(time_ns, name.index.empty() ? name.uuid : name.index, file));
    }
    boards.clear();
  };
  // Two limits are no two readings of one: what is enforced counts, which may lie below what was set.
  const auto enforced = [](const MetricSample& sample) { return sample.name == kEnforced; };
  if (std::any_of(metrics.samples.begin(), metrics.samples.end(), enforced)) {
    std::erase_if(metrics.samples, [](const MetricSample& sample) { return sample.name == kSet; });
  }
  for (std::size_t i = 0; i < metrics.samples.size(); ++i) {
    const MetricSample& sample = metrics.samples[i];
    if (i > 0 && sample.time_ns != metrics.samples[i - 1].time_ns) flush(metrics.samples[i - 1].time_ns);
    const Known* known = find(sample.name);
    builder.column(known->quantity, sample.name);
    const BoardName name{sample.label({"gpu"}), sample.label({"UUID", "uuid"}), sample.label({"modelName", "modelname"})};
    Board& board = boards[name];
    if (known->quantity == LogQuantity::throttle) {
      if (std::isfinite(sample.value) && sample.value >= 0 && sample.value < 9e15) board.add(known->quantity, sample.value);
      continue;
    }
    const MeasuredCell read = read_measured(sample.digits, dimension(known->quantity), usual_unit(known->quantity), "");
    if (read.kind == MeasuredCell::Kind::value) board.add(known->quantity, read.value);
    if (log.source.host.empty()) log.source.host = sample.label({"Hostname", "hostname"});
    if (log.source.driver.empty()) log.source.driver = sample.label({"DCGM_FI_DRIVER_VERSION"});
  }
  if (!metrics.samples.empty()) flush(metrics.samples.back().time_ns);
  if (most_instances > 1) {
    log.notes.push_back(fmt::format("up to {} instances (MIG) of one board repeat its power: each board counts once", most_instances));
  }
  log.time_base = metrics.base;
  if (metrics.base == TimeBase::numbered) {
    log.warnings.emplace_back(
        "the scrapes have no times: no energy comes from their power; write \"# scrape $(date +%s.%N)\" before each, or give --period");
  }
  builder.finish(log);
  return log;
}

}  // namespace

PowerLog read_dcgm(const SeriesText& text, const PowerLogOptions& options) {
  PowerLog log;
  log.source.file = text.name();
  log.source.timezone = options.timezone;
  Metrics metrics = read_metrics(
      text, options, [](const std::string& name) { return find(name) != nullptr; }, log);
  if (metrics.samples.empty()) {
    throw UserError({text.name(), 0, 0}, "no metric of dcgm-exporter that says power, energy or clocks",
                    "scrape DCGM_FI_DEV_POWER_USAGE and DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION");
  }
  return gather(std::move(metrics), std::move(log), text.name());
}

}  // namespace joulecast::traces
