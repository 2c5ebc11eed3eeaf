#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "calibration/table_source.hpp"
#include "hardware/fabric/collective_forms.hpp"

namespace joulecast::calibration {

/// One collective in a node: bytes as CollectiveTimes counts them, and how long it took.
struct CollectiveRow {
  double bytes = 0, seconds = 0;
};
/// By collective and number of GPUs, rows by rising bytes, one a size (the median of several).
using CollectiveRows = std::map<std::pair<hardware::Collective, std::int64_t>, std::vector<CollectiveRow>>;

/// Reads a table into `rows`, which is empty. Three formats, told apart by their headers:
/// - ai-dynamo/aiconfigurator NCCL: op_name, nccl_dtype (half is used), num_gpus, latency in ms, message_bytes, or message_size in elements of 2
///   bytes;
/// - microsoft/vidur all_reduce and send_recv: medians in ms, size in bytes; rows of one node (num_workers = devices_per_node) are used;
/// - vTrain: all-reduce by nccl-tests, size in bytes, time in ns, out of place; the number of GPUs is given, or stands in the file's name
///   ("GPU8").
///
/// An all-gather's bytes are the gathered vector's and a reduce-scatter's the vector's before, in all of them. Throws UserError for a cell that is
/// no number, a header of none, a number of GPUs not known.
void read_collective_table(const std::string& path, std::int64_t gpus, CollectiveRows& rows, TableSource& source);

}  // namespace joulecast::calibration
