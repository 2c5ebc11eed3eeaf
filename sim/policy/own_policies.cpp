#include "policy/own_policies.hpp"

namespace joulecast::policy {

OwnPolicies own_policies() { return {}; }

}  // namespace joulecast::policy
