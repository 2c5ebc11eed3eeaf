// The first byte chooses the format, the second its options: any text is a series or a UserError, and a series is whole.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "traces/grid/formats.hpp"
#include "traces/grid/open.hpp"

using namespace joulecast;

namespace {

traces::SeriesOptions options_of(std::uint8_t format, std::uint8_t way) {
  traces::SeriesOptions options;
  options.file = "fuzz";
  options.format = traces::series_formats()[format % traces::series_formats().size()];
  options.factor = (way & 1) != 0 ? "direct" : "life_cycle";
  options.unit = (way & 2) != 0 ? "EUR/MWh" : "lb/MWh";
  options.time_column = "time";
  options.value_column = "value";
  options.interval = (way & 4) != 0 ? "end" : "start";
  options.timezone = (way & 8) != 0 ? "Europe/Brussels" : "";
  options.gaps = static_cast<traces::Gaps>((way >> 4) % 3);
  options.torn_last_row = (way & 64) != 0 ? "drop" : "error";
  if ((way & 128) != 0) options.resolution = Seconds(900);
  return options;
}

void check(const traces::Series& series) {
  if (series.value.empty() || series.value.size() != series.start_ns.size() || series.end_ns <= series.start_ns.back()) std::abort();
  for (std::size_t i = 1; i < series.start_ns.size(); ++i) {
    if (series.start_ns[i] <= series.start_ns[i - 1]) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  for (const traces::SeriesKind kind : {traces::SeriesKind::price, traces::SeriesKind::carbon}) {
    try {
      check(traces::read_series_text(text, options_of(data[0], data[1]), kind));
    } catch (const UserError& error) {
      for (const UserFault& fault : error.faults()) {
        if (fault.what.empty() || fault.remedy.empty()) std::abort();
      }
    }
  }
  return 0;
}
