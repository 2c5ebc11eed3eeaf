#pragma once

#include <memory>

#include "config/diagnostics.hpp"
#include "config/node.hpp"
#include "config/record.hpp"

namespace joulecast::policy {

/// The parameters of a table `[policy.NAME]`, read by a record; its `use` is left alone, and null stands for an empty table.
template <class P>
P read_parameters(const config::Record<P>& record, const config::Node* parameters, config::Diagnostics& diagnostics) {
  config::Table keys;
  if (parameters != nullptr) {
    const auto* table = parameters->as<config::Table>();
    if (table == nullptr) return record.read(*parameters, diagnostics);
    for (const auto& entry : table->entries) {
      if (entry.key != "use") keys.entries.push_back({entry.key, entry.place, std::make_unique<config::Node>(*entry.value)});
    }
  }
  return record.read(config::Node(std::move(keys), parameters != nullptr ? parameters->place() : Place{}), diagnostics);
}

inline Place place_of(const config::Node* parameters) { return parameters != nullptr ? parameters->place() : Place{}; }

}  // namespace joulecast::policy
