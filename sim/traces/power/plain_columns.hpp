#pragma once

#include <string>
#include <vector>

#include "traces/power/open_log.hpp"

namespace joulecast::traces {

/// A header of a plain CSV by its own words: "power_W", "t_s", "unix_s", "total_energy_mJ", "board power [mW]". The quantity is one of `LogColumn`'s, ""
/// where the header does not say what the column is or in which unit.
struct PlainColumn {
  std::string quantity, unit;
};
PlainColumn read_plain_header(const std::string& header);

/// "power=board_W:mW" as a column and what it is. UserError at `place`: another form, a quantity that is not known.
LogColumn read_mapping(const std::string& text, const Place& place);

const std::vector<std::string>& plain_quantities();

}  // namespace joulecast::traces
