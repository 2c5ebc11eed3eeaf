#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "traces/requests/arrivals.hpp"
#include "traces/requests/length_mix.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// Requests that arrive as `arrivals` says, with lengths drawn from `lengths`; they end after `count` of them, if it is given. Arrivals and lengths
/// come from streams of their own, keyed by (seed, name, "arrivals") and (seed, name, "lengths"). Those of a closed loop all say t = 0: who brings
/// them knows when.
std::unique_ptr<RequestStream> generate(const Arrivals& arrivals, LengthMix lengths, std::optional<std::uint64_t> count, std::uint64_t seed,
                                        std::string_view name);

}  // namespace joulecast::traces
