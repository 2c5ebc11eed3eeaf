#pragma once

#include "base/philox.hpp"
#include "traces/requests/options.hpp"
#include "traces/requests/trace_stream.hpp"

namespace joulecast::traces {

/// Another trace of the same kind, by the local block bootstrap (Paparoditis and Politis, "Local block bootstrap", C. R. Acad. Sci. Paris, Ser. I 335,
/// 2002, 959-962): the trace's period is cut into blocks, and each is filled with the requests of a stretch of equal length whose beginning is drawn
/// uniformly from all moments of the trace no further than `within` from the block's own time of day, on any day. So bursts inside a block, and the shape
/// of the day on scales above `within`, stay as they are. The n-th time that a request is taken it is another person's: it shares no prefix and no
/// conversation with the time before.
///
/// UserError: a trace that does not hold two blocks.
HeldRows resampled(HeldRows held, Span period, const Resample& how, Stream random);

}  // namespace joulecast::traces
