#pragma once

#include "config/record.hpp"
#include "llm/architecture.hpp"

namespace joulecast::llm {

/// The keys of a file of workloads/models, with the checks that span them: divisibility, patterns, and parameters within 3 % of what is stated.
config::Record<Architecture> architecture_record();

}  // namespace joulecast::llm
