#include "calibration/calibrate_tokens.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "config/node.hpp"
#include "report/table.hpp"

namespace joulecast::cli {
namespace {

using calibration::TokenFit;
using calibration::TokensResult;
using Json = nlohmann::ordered_json;
using report::Ink;

calibration::TokenForm form_called(const std::string& name) {
  if (name.empty()) return calibration::TokenForm::relative;
  if (const auto form = calibration::token_form(name)) return *form;
  std::vector<std::string> known;
  for (const auto form : calibration::kTokenForms) known.emplace_back(calibration::name(form));
  const std::string near = config::nearest(name, known);
  throw UserError({}, fmt::format("there is no form \"{}\"", name),
                  (near.empty() ? "" : fmt::format("did you mean {}? ", near)) + fmt::format("known are {}", fmt::join(known, ", ")));
}

Json fit_json(const TokenFit& fit) {
  const auto terms = [](const calibration::TokenTerms& t) {
    return Json{{"constant", t.constant}, {"input", t.input}, {"output", t.output}, {"product", t.product}, {"output_squared", t.output_squared}};
  };
  return {{"form", std::string(calibration::name(fit.form))},
          {"terms", terms(fit.terms)},
          {"interval80", {{"low", terms(fit.low)}, {"high", terms(fit.high)}}},
          {"r2_centred", fit.r2_centred},
          {"r2_uncentred", fit.r2_uncentred},
          {"held_out_error",
           {{"folds", fit.folds},
            {"median", fit.held_out.median},
            {"mean", fit.held_out.mean},
            {"p80", fit.held_out.p80},
            {"worst", fit.held_out.worst}}},
          {"rows", fit.rows},
          {"negative_rows", fit.negative}};
}

std::string json_text(const TokensResult& result) {
  Json out = {{"schema", 1}, {"form", std::string(calibration::name(result.form))}, {"models", Json::array()}};
  for (const auto& model : result.models) {
    Json row = {{"model", model.model}, {"system", model.system}};
    for (const TokenFit& fit : model.joules) row["joules"].push_back(fit_json(fit));
    for (const TokenFit& fit : model.seconds) row["seconds"].push_back(fit_json(fit));
    out["models"].push_back(std::move(row));
  }
  out["source"] = result.source.text();
  out["notes"] = result.notes;
  out["beliefs"] = result.beliefs;
  return out.dump(2) + "\n";
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

void add_rows(report::Table& table, const std::string& model, const std::string& unit, const std::vector<TokenFit>& fits,
              calibration::TokenForm chosen) {
  for (const TokenFit& fit : fits) {
    const Ink ink = fit.form == chosen ? Ink::good : Ink::plain;
    const auto& t = fit.terms;
    table.row({report::words(model, ink),
               report::words(unit, ink),
               report::words(std::string(calibration::name(fit.form)), ink),
               {fmt::format("{:.5g}", t.constant), ink},
               {fmt::format("{:.5g}", t.input), ink},
               {fmt::format("{:.6g}", t.output), ink},
               {fmt::format("{:.5g}", t.product), ink},
               {fmt::format("{:.4g}", t.output_squared), ink},
               {fmt::format("{:.4f}", fit.r2_centred), ink},
               {fmt::format("{:.4f}", fit.r2_uncentred), ink},
               {percent(fit.held_out.median), ink},
               {percent(fit.held_out.p80), ink},
               {fmt::format("{}", fit.negative), fit.negative > 0 ? Ink::warn : ink}});
  }
}

/// The fits for people: the form that was written stands out.
std::string summary(const TokensResult& result, const report::Style& style) {
  report::Table table;
  std::vector<report::Cell> head;
  for (const char* word : {"model", "of", "form"}) head.push_back(report::words(word, Ink::heading));
  for (const char* word : {"constant", "in", "out", "in x out", "out^2", "R2 centred", "uncentred", "held out: median", "p80", "rows below 0"}) {
    head.push_back({word, Ink::heading});
  }
  table.row(std::move(head));
  for (const auto& model : result.models) {
    add_rows(table, model.model, "J", model.joules, result.form);
    add_rows(table, model.model, "s", model.seconds, result.form);
  }
  return table.text(style);
}

}  // namespace

int calibrate_tokens(const CalibrateTokensArguments& arguments, Console& console) {
  calibration::TokensRequest request;
  request.table = arguments.table;
  request.filter = {arguments.model, arguments.system};
  request.form = form_called(arguments.form);
  request.folds = arguments.folds;
  request.names = arguments.names;
  request.hardware = arguments.hardware;
  const TokensResult result = calibration::calibrate_tokens(request);
  for (const std::string& note : result.notes) console.note(note);
  if (!arguments.out.empty()) {
    std::ofstream file(arguments.out);
    file << result.beliefs;
    file.close();
    if (!file) throw UserError(Place{arguments.out, 0, 0}, "can't write the beliefs there", "give a file in a folder that exists: --out FILE");
  }
  if (arguments.json) {
    console.print(json_text(result));
  } else if (arguments.out.empty()) {
    console.print(result.beliefs);
  } else {
    console.print(summary(result, console.style()));
  }
  return kDone;
}

}  // namespace joulecast::cli
