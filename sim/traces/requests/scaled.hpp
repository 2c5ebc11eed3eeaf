#pragma once

#include <memory>

#include "base/philox.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::traces {

/// The requests of `requests` with the time since the first one's arrival divided by `scale` (rounded to 2^-32), down to a nanosecond.
std::unique_ptr<RequestStream> compressed(std::unique_ptr<RequestStream> requests, double scale);

/// Each request is kept with probability `share`, drawn from `random`, whatever becomes of the others.
std::unique_ptr<RequestStream> thinned(std::unique_ptr<RequestStream> requests, double share, Stream random);

/// Of each prompt, `share` is taken as found in a prefix cache: the nearest whole number of tokens, at most all but one.
std::unique_ptr<RequestStream> with_cached(std::unique_ptr<RequestStream> requests, double share);

/// The requests that arrive before `end`.
std::unique_ptr<RequestStream> until(std::unique_ptr<RequestStream> requests, Time end);

}  // namespace joulecast::traces
