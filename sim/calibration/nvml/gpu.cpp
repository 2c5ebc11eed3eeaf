#include "calibration/nvml/gpu.hpp"

#include <fmt/format.h>

#include "calibration/nvml/power_meaning.hpp"

namespace joulecast::calibration::nvml {
namespace {

constexpr std::array kFields = {kEnergy, kPowerAverage, kPowerInstant};
constexpr int kTries = 3;
constexpr double kMilli = 1e-3, kMega = 1e6;

/// A field's value whatever its type; absent where the driver did not give one.
std::optional<double> number(const FieldValue& field) {
  if (field.status != kSuccess) return std::nullopt;
  switch (field.type) {
    case kDouble:
      return field.value.d;
    case kUnsignedInt:
      return field.value.ui;
    case kUnsignedLong:
    case kUnsignedLongLong:
      return static_cast<double>(field.value.ul);
    case kSignedLongLong:
      return static_cast<double>(field.value.sll);
    case kSignedInt:
      return field.value.si;
    case kUnsignedShort:
      return field.value.us;
    default:
      return std::nullopt;
  }
}

std::array<FieldValue, kFields.size()> asked_fields() {
  std::array<FieldValue, kFields.size()> fields{};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    fields[i].field = kFields[i];
    fields[i].status = kNotSupported;
  }
  return fields;
}

std::string text(int (*call)(Device, char*, unsigned), Device device) {
  std::array<char, 96> buffer{};
  if (call == nullptr || call(device, buffer.data(), static_cast<unsigned>(buffer.size())) != kSuccess) return "";
  return buffer.data();
}

}  // namespace

Gpu::Gpu(const Library& library, unsigned index) : library_(library) {
  facts_.index = index;
  const int code = library.functions().handle_by_index(index, &device_);
  if (code != kSuccess) {
    refusal_ = library.text_of(code);
    return;
  }
  const Functions& f = library.functions();
  facts_.name = text(f.name, device_);
  facts_.uuid = text(f.uuid, device_);
  if (const auto limit = ask(f.default_power_limit)) facts_.default_limit_w = *limit * kMilli;
  find_power_source();
  if (lost_code_ != 0) refusal_ = library.text_of(lost_code_);
}

bool Gpu::lost(int code) {
  if (code == kGpuIsLost || code == kResetRequired) lost_code_ = code;
  return lost_code_ != 0;
}

template <class Number>
std::optional<Number> Gpu::ask(int (*call)(Device, Number*)) {
  Number value{};
  if (call == nullptr || lost_code_ != 0) return std::nullopt;
  const int code = call(device_, &value);
  if (code == kSuccess) return value;
  lost(code);
  return std::nullopt;
}

void Gpu::find_power_source() {
  const Functions& f = library_.functions();
  for (int attempt = 0; attempt < kTries && f.field_values != nullptr && lost_code_ == 0; ++attempt) {
    auto fields = asked_fields();
    const int code = f.field_values(device_, static_cast<int>(fields.size()), fields.data());
    if (lost(code) || code != kSuccess) continue;
    for (std::size_t i = 0; i < fields.size(); ++i) has_field_[i] = has_field_[i] || number(fields[i]).has_value();
  }
  for (int attempt = 0; attempt < kTries; ++attempt) {
    has_usage_ = has_usage_ || ask(f.power_usage).has_value();
    has_energy_call_ = has_energy_call_ || ask(f.total_energy).has_value();
  }
  if (has_field_[0])
    facts_.energy_source = "field 83";
  else if (has_energy_call_)
    facts_.energy_source = "nvmlDeviceGetTotalEnergyConsumption";
  if (has_field_[1]) facts_.power_average_source = "field 185";
  if (has_field_[2]) facts_.power_instant_source = "field 186";
  if (has_field_[1] || has_field_[2] || !has_usage_) {
    has_usage_ = false;
    return;
  }
  const PowerMeaning meaning = meaning_of_power_usage(ask(f.architecture).value_or(kArchitectureUnknown), facts_.name, library_.driver_version());
  usage_is_instant_ = meaning == PowerMeaning::instant;
  const std::string source = fmt::format("nvmlDeviceGetPowerUsage{}", meaning == PowerMeaning::unknown ? ", average or instant is not known" : "");
  (usage_is_instant_ ? facts_.power_instant_source : facts_.power_average_source) = source;
}

void Gpu::read_fields(Reading& reading) {
  const Functions& f = library_.functions();
  if (has_field_[0] || has_field_[1] || has_field_[2]) {
    auto fields = asked_fields();
    const int code = f.field_values(device_, static_cast<int>(fields.size()), fields.data());
    if (lost(code)) return;
    for (const FieldValue& field : fields) {
      if (lost(field.status)) return;
    }
    if (code == kSuccess) {
      const auto scaled = [&](std::size_t i) {
        auto value = number(fields[i]);
        if (value) *value *= kMilli;
        return value;
      };
      reading.energy_j = scaled(0);
      reading.power_average_w = scaled(1);
      reading.power_instant_w = scaled(2);
    }
  }
  if (!has_field_[0] && has_energy_call_) {
    if (const auto energy = ask(f.total_energy)) reading.energy_j = static_cast<double>(*energy) * kMilli;
  }
  if (has_usage_) {
    if (const auto power = ask(f.power_usage)) (usage_is_instant_ ? reading.power_instant_w : reading.power_average_w) = *power * kMilli;
  }
}

bool Gpu::read(Reading& reading, bool slow) {
  const Functions& f = library_.functions();
  const double at = reading.unix_s;
  reading = slow_;
  reading.unix_s = at;
  read_fields(reading);
  const auto clock = [&](int type) -> std::optional<double> {
    unsigned megahertz = 0;
    if (f.clock == nullptr || lost_code_ != 0) return std::nullopt;
    const int code = f.clock(device_, type, &megahertz);
    if (lost(code) || code != kSuccess) return std::nullopt;
    return megahertz * kMega;
  };
  reading.sm_clock_hz = clock(kSmClock);
  reading.memory_clock_hz = clock(kMemoryClock);
  if (const auto share = ask(f.utilization)) reading.utilization = share->gpu / 100.0;
  if (const auto mask = ask(f.clock_reasons)) reading.throttle_reasons = *mask;
  if (slow) {
    slow_ = {};
    if (const auto limit = ask(f.enforced_power_limit)) slow_.power_limit_w = *limit * kMilli;
    if (const auto memory = ask(f.memory)) slow_.memory_used_bytes = memory->used;
    unsigned degrees = 0;
    if (f.temperature != nullptr && lost_code_ == 0) {
      const int code = f.temperature(device_, 0, &degrees);
      if (!lost(code) && code == kSuccess) slow_.temperature_c = degrees;
    }
    reading.power_limit_w = slow_.power_limit_w;
    reading.memory_used_bytes = slow_.memory_used_bytes;
    reading.temperature_c = slow_.temperature_c;
  }
  if (lost_code_ != 0) refusal_ = library_.text_of(lost_code_);
  return lost_code_ == 0;
}

}  // namespace joulecast::calibration::nvml
