#pragma once

#include <string_view>
#include <vector>

namespace joulecast::policy {

/// The registered one of that name; null where there is none.
template <class Policy>
const Policy* find_by_name(const std::vector<Policy>& policies, std::string_view name) {
  for (const Policy& policy : policies) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

}  // namespace joulecast::policy
