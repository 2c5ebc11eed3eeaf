// Any bytes are a log of power, of load or of a chassis, or a UserError. The first byte chooses the reader, the second what is declared beside the log.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "traces/chassis/log.hpp"
#include "traces/load/log.hpp"
#include "traces/power/open_log.hpp"

namespace {

using namespace joulecast;

traces::PowerLogOptions options_of(std::uint8_t format, std::uint8_t way) {
  traces::PowerLogOptions options;
  options.file = "fuzz";
  const auto& formats = traces::power_log_formats();
  const std::size_t chosen = format % (formats.size() + 1);
  if (chosen < formats.size()) options.format = formats[chosen];
  options.timezone = (way & 1) != 0 ? "Europe/Brussels" : "";
  options.gpu_count = (way & 2) != 0 ? 3 : 0;
  options.skip_bad = (way & 4) != 0 ? 100 : 0;
  options.period = (way & 8) != 0 ? 0.25 : 0;
  options.decimal_comma = (way & 16) != 0;
  options.year = (way & 32) != 0 ? 2026 : 0;
  if ((way & 64) != 0) options.columns = {"timestamp", "index", "power.draw"};
  if ((way & 128) != 0) options.mapping = {{"time", "t", "s"}, {"power", "w", "W"}, {"mark", "m", ""}};
  return options;
}

void check(const traces::PowerLog& log) {
  JOULECAST_CHECK(!log.gpus.empty() || !log.windows.empty(), "a log of nothing");
  for (const auto& gpu : log.gpus) {
    for (std::size_t i = 1; i < gpu.samples(); ++i) JOULECAST_CHECK(gpu.time_ns[i] > gpu.time_ns[i - 1], "times that do not rise");
    for (const auto& channel : gpu.power) {
      JOULECAST_CHECK(channel.watts.size() == gpu.samples(), "samples without a value");
      for (const double watts : channel.watts) JOULECAST_CHECK(std::isnan(watts) || watts > 0, "watts of nothing");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  traces::PowerLogOptions options = options_of(data[0], data[1]);
  try {
    if (data[0] < 160) {
      check(traces::read_power_log_text(text, options));
    } else if (data[0] < 208) {
      options.format = traces::load_log_formats()[data[0] % traces::load_log_formats().size()];
      JOULECAST_CHECK(!traces::read_load_log_text(text, options).engines.empty(), "a load of no engine");
    } else {
      options.format = traces::chassis_log_formats()[data[0] % traces::chassis_log_formats().size()];
      JOULECAST_CHECK(!traces::read_chassis_log_text(text, options).series.empty(), "a chassis without a sensor");
    }
  } catch (const UserError& error) {
    for (const UserFault& fault : error.faults()) JOULECAST_CHECK(!fault.what.empty() && !fault.remedy.empty(), "a fault without words");
  }
  return 0;
}
