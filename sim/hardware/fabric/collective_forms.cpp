#include "hardware/fabric/collective_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace joulecast::hardware {

namespace {

using config::Bounds;

config::Record<CollectiveForm> form_record() {
  config::Record<CollectiveForm> r("collective");
  figure(r, "alpha", &CollectiveForm::alpha, Bounds::not_negative(), "latency");
  figure(r, "root", &CollectiveForm::root, Bounds::not_negative(), "seconds a root of a byte");
  figure(r, "beta", &CollectiveForm::beta, Bounds::positive(), "bytes a second of large messages");
  return r;
}

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (int i = 1; i < kCollectives; ++i) names.emplace_back(name(static_cast<Collective>(i)));
  return names;
}

std::optional<Collective> collective_named(const std::string& text) {
  for (int i = 1; i < kCollectives; ++i) {
    if (text == name(static_cast<Collective>(i))) return static_cast<Collective>(i);
  }
  return std::nullopt;
}

}  // namespace

void read_collective_forms(std::vector<CollectiveForm>& forms, const config::Node& node, config::Diagnostics& diagnostics) {
  const auto record = form_record();
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "\"collectives\" is not a table", "write [collectives.all_gather.8], ..: one a collective and number of GPUs");
    return;
  }
  for (const auto& entry : table->entries) {
    const auto collective = collective_named(entry.key);
    const auto* counts = entry.value->as<config::Table>();
    if (!collective || counts == nullptr) {
      const std::string meant = config::nearest(entry.key, known_names());
      diagnostics.error(entry.place, fmt::format("\"{}\" is no table of a collective", entry.key),
                        meant.empty() || collective ? fmt::format("write [collectives.NAME.GPUS] with NAME one of {}", fmt::join(known_names(), ", "))
                                                    : fmt::format("did you mean \"{}\"?", meant));
      continue;
    }
    for (const auto& count : counts->entries) {
      std::int64_t gpus = 0;
      const char* end = count.key.data() + count.key.size();
      const auto parsed = std::from_chars(count.key.data(), end, gpus);
      if (parsed.ec != std::errc{} || parsed.ptr != end || gpus < 2) {
        diagnostics.error(count.place, fmt::format("\"{}\" is no number of GPUs of at least 2", count.key), "write [collectives.all_gather.8]");
        continue;
      }
      auto form = record.read(*count.value, diagnostics);
      form.collective = *collective;
      form.gpus = gpus;
      forms.push_back(std::move(form));
    }
  }
  std::sort(forms.begin(), forms.end(),
            [](const auto& a, const auto& b) { return a.collective != b.collective ? a.collective < b.collective : a.gpus < b.gpus; });
}

}  // namespace joulecast::hardware
