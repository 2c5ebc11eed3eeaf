#include "traces/power/smi_columns.hpp"

#include <algorithm>

#include "traces/grid/civil_time.hpp"

namespace joulecast::traces {
namespace {

using Role = SmiColumn::Role;

struct Known {
  std::string_view name;
  Role role;
  LogQuantity quantity = LogQuantity::draw;
};

constexpr Known kKnown[] = {
    {"timestamp", Role::time},
    {"index", Role::index},
    {"gpu", Role::index},
    {"uuid", Role::uuid},
    {"gpu_uuid", Role::uuid},
    {"name", Role::model},
    {"gpu_name", Role::model},
    {"driver_version", Role::driver},
    {"power.draw", Role::quantity, LogQuantity::draw},
    {"power.draw.average", Role::quantity, LogQuantity::average},
    {"power.draw.instant", Role::quantity, LogQuantity::instant},
    {"total_energy_consumption", Role::quantity, LogQuantity::energy},
    {"clocks.sm", Role::quantity, LogQuantity::sm_clock},
    {"clocks.current.sm", Role::quantity, LogQuantity::sm_clock},
    {"clocks.mem", Role::quantity, LogQuantity::memory_clock},
    {"clocks.current.memory", Role::quantity, LogQuantity::memory_clock},
    {"utilization.gpu", Role::quantity, LogQuantity::utilization},
    {"utilization.memory", Role::quantity, LogQuantity::memory_utilization},
    {"temperature.gpu", Role::quantity, LogQuantity::temperature},
    {"enforced.power.limit", Role::quantity, LogQuantity::limit},
    {"power.limit", Role::quantity, LogQuantity::limit},
    {"memory.used", Role::quantity, LogQuantity::memory_used},
    {"pstate", Role::quantity, LogQuantity::performance_state},
    {"clocks_event_reasons.active", Role::mask, LogQuantity::throttle},
    {"clocks_throttle_reasons.active", Role::mask, LogQuantity::throttle},
};

/// NVML's clock event reasons.
struct Reason {
  std::string_view name;
  std::uint32_t bit;
};
constexpr Reason kReasons[] = {
    {"gpu_idle", 0x1},       {"applications_clocks_setting", 0x2}, {"sw_power_cap", 0x4},         {"hw_slowdown", 0x8},
    {"sync_boost", 0x10},    {"sw_thermal_slowdown", 0x20},        {"hw_thermal_slowdown", 0x40}, {"hw_power_brake_slowdown", 0x80},
    {"hw_power_brake", 0x80}};

SmiColumn column_of(const std::string& cell) {
  const HeaderCell header = read_header_cell(cell);
  SmiColumn column;
  column.header = cell.substr(0, cell.find_first_of("[("));
  while (column.header.ends_with(' ')) column.header.pop_back();
  column.unit = header.unit;
  for (const Known& known : kKnown) {
    if (known.name != header.name) continue;
    column.role = known.role;
    column.quantity = known.quantity;
    return column;
  }
  for (const std::string_view prefix : {"clocks_event_reasons.", "clocks_throttle_reasons."}) {
    if (!header.name.starts_with(prefix)) continue;
    for (const Reason& reason : kReasons) {
      if (header.name.substr(prefix.size()) != reason.name) continue;
      column.role = Role::flag;
      column.quantity = LogQuantity::throttle;
      column.bit = reason.bit;
    }
  }
  return column;
}

bool whole(const std::string& text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos; }

}  // namespace

bool is_smi_time(std::string_view text) {
  return text.size() >= 19 && text[4] == '/' && text[7] == '/' && read_civil(text, DateOrder::ymd).has_value();
}

std::optional<std::vector<SmiColumn>> read_smi_header(const std::vector<std::string>& cells) {
  std::vector<SmiColumn> columns;
  bool any = false, dotted = false;
  for (const std::string& cell : cells) {
    columns.push_back(column_of(cell));
    const bool known = columns.back().role != Role::ignored;
    any = any || known;
    dotted = dotted || (cell.find('.') != std::string::npos && (known || !read_header_cell(cell).unit.empty()));
  }
  // A name that others use too is no sign of nvidia-smi; its own have dots.
  if (!any || !dotted || is_smi_time(cells.front())) return std::nullopt;
  return columns;
}

std::optional<std::vector<SmiColumn>> infer_smi_columns(const std::vector<std::string>& cells) {
  if (cells.empty() || !is_smi_time(cells.front())) return std::nullopt;
  std::vector<SmiColumn> columns(cells.size());
  columns[0].role = Role::time;
  std::size_t watts = 0, bare = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].ends_with(" W")) {
      ++watts;
      columns[i].role = Role::quantity;
      columns[i].header = "power.draw";
    } else if (whole(cells[i])) {
      ++bare;
      columns[i].role = Role::index;
    }
  }
  if (watts != 1) return std::nullopt;
  if (bare > 1) {
    for (SmiColumn& column : columns) column.role = column.role == Role::index ? Role::ignored : column.role;
  }
  return columns;
}

}  // namespace joulecast::traces
