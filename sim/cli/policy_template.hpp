#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace joulecast::cli {

/// A kind of policy that can be begun from a template.
struct PolicyKind {
  std::string_view kind;    ///< "replica"
  std::string_view folder;  ///< of its file, below sim/policy
  std::string_view list;    ///< its entry stands after this line of sim/policy/registry.cpp
  std::string_view key;     ///< of the scenario: "router.replica"
};

const std::vector<PolicyKind>& policy_kinds();

struct PolicyText {
  std::string header, source, test;
  std::string include, entry;  ///< lines of the registry
};

/// The texts of a policy `name`, which is a name as policies have them.
PolicyText policy_text(const PolicyKind& kind, const std::string& name);

/// The registry with the policy's lines in it, in alphabetical order; unchanged where they are there already. Throws UserError where the registry is not as it
/// should be.
std::string with_policy(const std::string& registry, const PolicyKind& kind, const std::string& name, const std::string& path);

}  // namespace joulecast::cli
