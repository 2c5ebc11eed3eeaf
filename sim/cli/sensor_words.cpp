#include "cli/sensor_words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace joulecast::cli {
namespace {

/// A number with an optional unit of seconds ("0.5", "0.5 s", "500 ms") or watts ("4 W").
std::optional<double> amount(std::string_view text) {
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.empty() || unit == "s" || unit == "W") return value;
  if (unit == "ms") return 1e-3 * value;
  return std::nullopt;
}

}  // namespace

std::optional<double> option_amount(const std::string& option, const std::string& text, std::vector<UserFault>& faults) {
  if (text.empty()) return std::nullopt;
  const auto value = amount(text);
  if (!value) faults.push_back({{}, fmt::format("{} \"{}\" is no number of seconds", option, text), fmt::format("write {} \"0.5 s\"", option)});
  return value;
}

calibration::SensorStatement sensor_statement(const std::vector<std::string>& words, std::vector<UserFault>& faults) {
  calibration::SensorStatement stated;
  const std::map<std::string, std::optional<double> calibration::SensorStatement::*> keys = {{"period", &calibration::SensorStatement::period},
                                                                                             {"window", &calibration::SensorStatement::window},
                                                                                             {"gain", &calibration::SensorStatement::gain},
                                                                                             {"offset", &calibration::SensorStatement::offset},
                                                                                             {"lag", &calibration::SensorStatement::lag}};
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    const auto key = keys.find(word.substr(0, equals));
    const auto value = equals == std::string::npos ? std::nullopt : amount(std::string_view(word).substr(equals + 1));
    const bool positive = key != keys.end() && (key->first == "period" || key->first == "gain");
    if (key == keys.end() || !value || (positive && *value <= 0) || (key != keys.end() && key->first == "window" && *value < 0)) {
      faults.push_back({{},
                        fmt::format("--sensor \"{}\" says nothing known of a sensor", word),
                        "write period=\"100 ms\", window=\"1 s\", lag=\"0.5 s\" (seconds), gain=0.95 or offset=\"4 W\""});
      continue;
    }
    stated.*(key->second) = *value;
  }
  return stated;
}

}  // namespace joulecast::cli
