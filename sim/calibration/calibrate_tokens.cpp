#include "calibration/calibrate_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace joulecast::calibration {
namespace {

std::string called(const TokenSweep& sweep) { return sweep.model.empty() ? std::string("the sweep") : "\"" + sweep.model + "\""; }

std::vector<TokenFit> fits(const std::vector<TokenPoint>& points, const TokensRequest& request, const std::string& what,
                           std::vector<std::string>& notes) {
  std::vector<TokenFit> all;
  if (points.empty()) return all;
  for (const TokenForm form : kTokenForms) {
    try {
      all.push_back(fit_tokens(points, form, request.folds, what));
    } catch (const UserError& error) {
      if (form == request.form) throw;
      notes.push_back(error.faults().front().what);
    }
  }
  return all;
}

}  // namespace

const TokenFit* fit_of(const std::vector<TokenFit>& fits, TokenForm form) {
  const auto found = std::find_if(fits.begin(), fits.end(), [&](const TokenFit& fit) { return fit.form == form; });
  return found == fits.end() ? nullptr : &*found;
}

TokensResult calibrate_tokens(const TokensRequest& request) {
  TokensResult result;
  result.form = request.form;
  result.source = table_source(request.table);
  const std::vector<TokenSweep> sweeps = read_token_table(request.table, request.filter, result.source);
  if (!request.names.empty() && sweeps.size() > 1) {
    throw UserError(Place{request.table, 0, 0}, fmt::format("--as names one model, the table has {}", sweeps.size()),
                    fmt::format("choose one: --model \"{}\"", sweeps.front().model));
  }
  for (const TokenSweep& sweep : sweeps) {
    if (sweep.model.empty() && request.names.empty()) {
      throw UserError(Place{request.table, 0, 0}, "the table does not say which model was measured",
                      "name its architecture: --as meta-llama/Llama-3.1-8B-Instruct");
    }
    TokensModel model{sweep.model, sweep.system, {}, {}};
    model.joules = fits(joules_of(sweep), request, called(sweep), result.notes);
    model.seconds = fits(seconds_of(sweep), request, called(sweep) + " in seconds", result.notes);
    const TokenFit* chosen = fit_of(model.joules, request.form);
    if (chosen->negative > 0) {
      result.notes.push_back(fmt::format("{}: the form \"{}\" is negative for {} of {} measured rows; policies refuse such lengths or take them as 0",
                                         called(sweep), name(request.form), chosen->negative, chosen->rows));
    }
    result.models.push_back(std::move(model));
  }
  result.beliefs = beliefs_text(request, result);
  return result;
}

}  // namespace joulecast::calibration
