#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibration/table_source.hpp"

namespace joulecast::calibration {

/// One request of a token sweep as it was measured.
struct TokenRow {
  double input = 0, output = 0;   ///< tokens, at least 1
  double joules = 0;              ///< above 0
  std::optional<double> seconds;  ///< above 0
};

/// A sweep of one model on one system.
struct TokenSweep {
  std::string model;   ///< as the table has it; "" where it has no such column
  std::string system;  ///< likewise
  std::vector<TokenRow> rows;
};

/// Which part of a table is wanted; "" takes all.
struct TokenFilter {
  std::string model, system;
};

/// Sweeps in the order of their first rows. Two forms are read, told apart by the header:
///
/// - grantwilkins/energy-inference: "Number of Input Tokens", "Number of Output Tokens" (or "Output Token Limit"), "GPU Energy (mJ)" or "(J)",
///   "Runtime (s)", "Model", "System", "Phase". Rows of other phases than inference (tokenizer, model load) are dropped and counted.
/// - plain: tokens_in, tokens_out, joules, and, where known, seconds, model, system (prompt_tokens, energy_joules and others are known too).
///
/// Rows without energy (a counter that did not move) are dropped and counted. Throws UserError: another header, a cell that is no number, no row
/// left, one model on several systems where none is chosen.
std::vector<TokenSweep> read_token_table(const std::string& path, const TokenFilter& filter, TableSource& source);

}  // namespace joulecast::calibration
