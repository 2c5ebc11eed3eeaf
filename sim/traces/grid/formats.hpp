#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "traces/grid/assemble.hpp"
#include "traces/grid/options.hpp"
#include "traces/grid/text.hpp"

namespace joulecast::traces {

/// Keys of a series that only some formats take.
enum class SeriesKey : std::uint8_t { location, sequence, factor, unit, timezone, time, value, date_order, interval, resolution };
std::string_view key_name(SeriesKey key);
/// Why a format cannot do without it.
std::string_view key_reason(SeriesKey key);

/// A file format of series.
struct SeriesFormat {
  std::string name;
  std::vector<SeriesKey> needs, takes;
  RawSeries (*read)(const SeriesText& text, const SeriesOptions& options);
};

/// ENTSO-E transparency platform, day-ahead prices: an interval a row in DD/MM/YYYY, "MTU (CET/CEST)", one or more sequences and areas.
RawSeries read_entsoe(const SeriesText& text, const SeriesOptions& options);
/// Electricity Maps: the CSV of its data portal (three generations of headers) or the answer of its history API.
RawSeries read_electricitymaps(const SeriesText& text, const SeriesOptions& options);
/// WattTime-like CSV: a time and a column named after the region; marginal intensities, in a unit that the file does not state.
RawSeries read_watttime(const SeriesText& text, const SeriesOptions& options);
/// Average intensities derived from EIA's generation by fuel, g/kWh: timestamp with offset, avg_CI.
RawSeries read_eia(const SeriesText& text, const SeriesOptions& options);
/// Any CSV whose columns, unit and meaning of time are declared.
RawSeries read_plain_series(const SeriesText& text, const SeriesOptions& options);
/// Carbon Aware SDK: { "Emissions": [ { Location, Rating, Time } ] }, or the same list alone.
RawSeries read_carbon_aware(const SeriesText& text, const SeriesOptions& options);
/// ERCOT prices: MM/DD/YYYY, hour ending 01:00 .. 24:00 (25:00), DSTFlag Y/N or true/false; Central Time.
RawSeries read_ercot(const SeriesText& text, const SeriesOptions& options);
/// CAISO OASIS PRC_LMP: start and end in GMT, the price in column MW; only rows of LMP_TYPE "LMP" are prices.
RawSeries read_caiso(const SeriesText& text, const SeriesOptions& options);
/// PJM Data Miner 2 prices: month first, 12-hour clock, UTC beside Eastern prevailing time.
RawSeries read_pjm(const SeriesText& text, const SeriesOptions& options);

const std::vector<SeriesFormat>& all_series_formats();
/// Their names, in alphabetical order.
const std::vector<std::string>& series_formats();
/// nullptr where there is none of that name.
const SeriesFormat* find_format(std::string_view name);

}  // namespace joulecast::traces
