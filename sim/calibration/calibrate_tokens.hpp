#pragma once

#include <string>
#include <vector>

#include "calibration/table_source.hpp"
#include "calibration/token_fit.hpp"

namespace joulecast::calibration {

/// What `joulecast calibrate tokens` was asked.
struct TokensRequest {
  std::string table;
  TokenFilter filter;
  TokenForm form = TokenForm::relative;  ///< the one that is written
  std::size_t folds = 10;
  std::vector<std::string> names;  ///< architectures by their Hugging Face ids, of a table with one model; empty: as the table calls its models
  std::string hardware;            ///< on what was measured; "" takes the table's system
};

/// One model: every form that its lengths identify, in the order of kTokenForms.
struct TokensModel {
  std::string model, system;
  std::vector<TokenFit> joules, seconds;
};

struct TokensResult {
  TokenForm form = TokenForm::relative;
  std::vector<TokensModel> models;
  TableSource source;
  std::vector<std::string> notes;
  std::string beliefs;  ///< a file for `energy_model = "./FILE.toml"`
};

/// The fit of a form, or null where there is none.
const TokenFit* fit_of(const std::vector<TokenFit>& fits, TokenForm form);

/// Fits every form to each model of a token sweep. Throws UserError for a faulty table, and where the wanted form is not identified; forms that are
/// not wanted and not identified are left out with a note.
TokensResult calibrate_tokens(const TokensRequest& request);

/// The beliefs as TOML text: the wanted form's coefficients in joules, the range of lengths, errors, and, in comments, the intervals and the seconds.
std::string beliefs_text(const TokensRequest& request, const TokensResult& result);

}  // namespace joulecast::calibration
