#include "calibration/collective_table.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "calibration/number_cell.hpp"
#include "fit/held_out.hpp"
#include "hardware/fabric/fabric_collectives.hpp"

namespace joulecast::calibration {
namespace {

using hardware::Collective;
using traces::Delimited;
using traces::TextLines;

std::optional<Collective> collective_named(std::string_view text) {
  if (text == "all_reduce") return Collective::all_reduce;
  if (text == "all_gather") return Collective::all_gather;
  if (text == "reduce_scatter") return Collective::reduce_scatter;
  if (text == "alltoall" || text == "all_to_all") return Collective::all_to_all;
  if (text == "broadcast") return Collective::broadcast;
  if (text == "send_recv") return Collective::send;
  return std::nullopt;
}

/// Times by size, of one file.
using Times = std::map<std::pair<Collective, std::int64_t>, std::map<double, std::vector<double>>>;

void read_aiconfigurator(const std::string& path, bool bytes_given, Times& times, TableSource& source) {
  Delimited rows(TextLines(path),
                 {{{"op_name"}}, {{"nccl_dtype"}}, {{"num_gpus"}}, {{bytes_given ? "message_bytes" : "message_size"}}, {{"latency"}}});
  while (rows.next()) {
    const auto collective = collective_named(rows.cell(0));
    if (!collective) {
      source.drop("of operation " + std::string(rows.cell(0)));
    } else if (rows.cell(1) != "half") {
      source.drop("of dtype " + std::string(rows.cell(1)));
    } else {
      const double bytes = positive_cell(rows, 3) * (bytes_given ? 1 : 2);
      times[{*collective, count_cell(rows, 2)}][bytes].push_back(positive_cell(rows, 4) * 1e-3);
    }
  }
}

void read_vidur(const std::string& path, const std::string& operation, Times& times, TableSource& source) {
  Delimited rows(TextLines(path), {{{"num_workers"}}, {{"devices_per_node"}}, {{"size"}}, {{"time_stats." + operation + ".median"}}});
  while (rows.next()) {
    const std::int64_t workers = count_cell(rows, 0);
    if (workers != count_cell(rows, 1)) {
      source.drop("over several nodes");
      continue;
    }
    times[{*collective_named(operation), workers}][positive_cell(rows, 2)].push_back(positive_cell(rows, 3) * 1e-3);
  }
}

/// nccl-tests names two columns alike (out of place, in place), so cells go by position: size, count, type, time.
void read_nccl_tests(const std::string& path, std::int64_t gpus, Times& times) {
  TextLines lines(path);
  lines.next();
  const auto number = [&](std::string_view text, std::size_t begin) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc{} || end != text.data() + text.size() || !(value > 0)) {
      throw UserError(Place{path, lines.number(), static_cast<int>(begin) + 1}, fmt::format("read \"{}\", expected a number above 0", text),
                      "repair the cell or leave the row out");
    }
    return value;
  };
  while (lines.next()) {
    const std::string_view line = lines.line();
    std::size_t begin[5] = {};
    for (int i = 1; i < 5; ++i) {
      const auto comma = line.find(',', begin[i - 1]);
      if (comma == std::string_view::npos) {
        throw UserError(Place{path, lines.number(), 1}, "the row has less than five cells", "write size,count,type,time,busbw");
      }
      begin[i] = comma + 1;
    }
    const auto cell = [&](int i) { return number(line.substr(begin[i], begin[i + 1] - begin[i] - 1), begin[i]); };
    times[{Collective::all_reduce, gpus}][cell(0)].push_back(cell(3) * 1e-9);
  }
}

/// The number behind "GPU" in a file's name, 0 where there is none.
std::int64_t gpus_in_name(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  const auto at = name.rfind("GPU");
  std::int64_t gpus = 0;
  if (at != std::string::npos) std::from_chars(name.data() + at + 3, name.data() + name.size(), gpus);
  return gpus;
}

}  // namespace

void read_collective_table(const std::string& path, std::int64_t gpus, CollectiveRows& rows, TableSource& source) {
  const std::string header = header_of(path);
  const auto has = [&](std::string_view text) { return header.find(text) != std::string::npos; };
  Times times;
  if (has("op_name") && has("nccl_dtype")) {
    read_aiconfigurator(path, has("message_bytes"), times, source);
  } else if (has("time_stats.all_reduce.median")) {
    read_vidur(path, "all_reduce", times, source);
  } else if (has("time_stats.send_recv.median")) {
    read_vidur(path, "send_recv", times, source);
  } else if (has("size(B)") && has("time(ns)")) {
    if (gpus == 0) gpus = gpus_in_name(path);
    if (gpus < 2) {
      throw UserError(Place{path, 0, 0}, "the table does not say how many GPUs took part", "write the number before it: 8=" + path);
    }
    read_nccl_tests(path, gpus, times);
  } else {
    throw UserError(
        Place{path, 1, 1}, "the header is that of no table of collectives known here",
        "give an NCCL table of aiconfigurator, an all_reduce or send_recv table of vidur, or nccl-tests output as CSV (size(B),..,time(ns))");
  }
  for (const auto& [key, sizes] : times) {
    auto& out = rows[key];
    for (const auto& [bytes, seconds] : sizes) {
      hardware::require_collective(Place{path, 0, 0}, "a collective of the table", key.second, bytes);
      out.push_back({bytes, fit::quantile(seconds, 0.5)});
      source.used += seconds.size();
    }
  }
}

}  // namespace joulecast::calibration
