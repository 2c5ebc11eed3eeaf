#include "calibration/record/gpu_choice.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <set>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

std::optional<unsigned> whole(std::string_view text) {
  unsigned value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse(std::string_view part, const std::string& why) {
  throw UserError({}, fmt::format("--gpu \"{}\": {}", part, why), "write indices, ranges or UUIDs: --gpu 0-3,7; `nvidia-smi -L` lists them");
}

void add_range(std::string_view part, std::size_t dash, unsigned count, std::set<unsigned>& chosen) {
  const auto first = whole(part.substr(0, dash)), last = whole(part.substr(dash + 1));
  if (!first || !last || *first > *last) refuse(part, "no range of indices");
  if (*last >= count) refuse(part, fmt::format("there are {} GPUs, counted from 0", count));
  for (unsigned i = *first; i <= *last; ++i) chosen.insert(i);
}

using Opened = std::vector<std::unique_ptr<nvml::Gpu>>;

unsigned by_uuid(std::string_view part, const Opened& all) {
  std::optional<unsigned> found;
  for (const auto& gpu : all) {
    if (!gpu->facts().uuid.starts_with(part)) continue;
    if (found) refuse(part, "several GPUs have a UUID that begins so");
    found = gpu->facts().index;
  }
  if (!found) refuse(part, "no GPU has this UUID");
  return *found;
}

std::set<unsigned> chosen_indices(std::string_view text, const Opened& all) {
  const auto count = static_cast<unsigned>(all.size());
  std::set<unsigned> chosen;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
    if (part.starts_with("GPU-") || part.starts_with("MIG-")) {
      chosen.insert(by_uuid(part, all));
    } else if (const std::size_t dash = part.find('-'); dash != std::string_view::npos) {
      add_range(part, dash, count, chosen);
    } else if (const auto index = whole(part)) {
      if (*index >= count) refuse(part, fmt::format("there are {} GPUs, counted from 0", count));
      chosen.insert(*index);
    } else {
      refuse(part, "neither an index nor a UUID");
    }
  }
  return chosen;
}

}  // namespace

OpenedGpus open_gpus(const nvml::Library& library, std::string_view text) {
  Opened all;
  for (unsigned i = 0; i < library.device_count(); ++i) all.push_back(std::make_unique<nvml::Gpu>(library, i));
  if (all.empty()) throw UserError({}, "NVML finds no GPU on this machine", "run this where the GPUs are, or give the container access to them");
  const std::set<unsigned> chosen = chosen_indices(text, all);
  OpenedGpus opened;
  for (auto& gpu : all) {
    const unsigned index = gpu->facts().index;
    if (!text.empty() && !chosen.contains(index)) continue;
    if (gpu->refusal().empty()) {
      opened.gpus.push_back(std::move(gpu));
      continue;
    }
    const std::string why = fmt::format("gpu {}: {}", index, gpu->refusal());
    if (!text.empty()) throw UserError({}, why, "leave it out of --gpu, or let this user read its device file (/dev/nvidia*)");
    opened.refused.push_back(why);
  }
  if (opened.gpus.empty()) {
    throw UserError({}, fmt::format("no GPU can be read; {}", opened.refused.front()),
                    "let this user read the device files (/dev/nvidia*), as nvidia-smi needs it too");
  }
  return opened;
}

}  // namespace joulecast::calibration
