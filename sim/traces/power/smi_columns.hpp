#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/power/log_builder.hpp"

namespace joulecast::traces {

/// What a column of `nvidia-smi --query-gpu` holds. `flag` is a column of one clock event reason, "Active" or "Not Active", with its bit of NVML's mask.
struct SmiColumn {
  enum class Role : std::uint8_t { ignored, time, index, uuid, model, driver, quantity, flag, mask };
  Role role = Role::ignored;
  LogQuantity quantity = LogQuantity::draw;
  std::uint32_t bit = 0;
  std::string header, unit;
};

/// Reads a header of nvidia-smi; nothing where the cells name none of its columns.
std::optional<std::vector<SmiColumn>> read_smi_header(const std::vector<std::string>& cells);
/// Whether a text is a time as nvidia-smi writes it: "2024/04/02 07:36:21.246".
bool is_smi_time(std::string_view text);
/// The columns of a log without a header, from cells that carry their units: a time, one cell in W, and the GPU's index where a single bare whole
/// number stands in the row; nothing where that is not the form.
std::optional<std::vector<SmiColumn>> infer_smi_columns(const std::vector<std::string>& cells);

}  // namespace joulecast::traces
