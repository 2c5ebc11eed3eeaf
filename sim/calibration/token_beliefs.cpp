#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "calibration/calibrate_tokens.hpp"
#include "config/node.hpp"

namespace joulecast::calibration {
namespace {

/// The last part of a model's name as a key; the second model with the same one has "-2" behind it, and so on.
std::string key_of(const std::string& model, std::set<std::string>& taken) {
  std::string key;
  for (const char c : model.substr(model.find_last_of('/') + 1)) {
    const auto byte = static_cast<unsigned char>(c);
    key += std::isalnum(byte) != 0 || c == '.' || c == '-' || c == '_' ? static_cast<char>(std::tolower(byte)) : '-';
  }
  std::string own = key;
  for (int n = 2; !taken.insert(own).second; ++n) own = fmt::format("{}-{}", key, n);
  return config::key_text(own);
}

/// The terms that a form has, as `key = value` lines or as one line of a comment.
template <class Line>
void each_term(const TokenFit& fit, const Line& line) {
  const auto& [t, low, high] = std::tie(fit.terms, fit.low, fit.high);
  if (fit.form != TokenForm::published) line("constant", t.constant, low.constant, high.constant);
  line("input", t.input, low.input, high.input);
  line("output", t.output, low.output, high.output);
  line("product", t.product, low.product, high.product);
  if (fit.form == TokenForm::output_squared || fit.form == TokenForm::relative) {
    line("output_squared", t.output_squared, low.output_squared, high.output_squared);
  }
}

std::string number(double value) {
  const std::string text = fmt::format("{:.9g}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

std::string model_table(const std::string& key, const std::vector<std::string>& names, const TokenFit& fit, const TokenFit* seconds) {
  std::string text = fmt::format("\n[model.{}]\nnames = [", key);
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + config::quoted(names[i]);
  text += "]\n";
  each_term(fit, [&](const char* term, double value, double low, double high) {
    text += fmt::format("{} = {}", term, number(value));
    text += low == 0 && high == 0 ? "  # held at 0\n" : fmt::format("  # 80 %: {:.4g} .. {:.4g}\n", low, high);
  });
  text += fmt::format("fit_error = \"{:.2f} %\"  # median of rows held out, {} folds; R2 centred {:.4f}, uncentred {:.4f}; {} rows\n",
                      100 * fit.held_out.median, fit.folds, fit.r2_centred, fit.r2_uncentred, fit.rows);
  text += fmt::format("worst_error = \"{:.2f} %\"\n", 100 * fit.held_out.worst);
  if (seconds == nullptr) return text;
  std::string terms;
  each_term(*seconds,
            [&](const char* term, double value, double, double) { terms += fmt::format("{}{} {}", terms.empty() ? "" : ", ", term, number(value)); });
  return text + fmt::format("# seconds: {}; held out {:.1f} % median\n", terms, 100 * seconds->held_out.median);
}

}  // namespace

std::string beliefs_text(const TokensRequest& request, const TokensResult& result) {
  const TokenFit* first = fit_of(result.models.front().joules, result.form);
  double least_in = first->least_input, most_in = first->most_input, least_out = first->least_output, most_out = first->most_output;
  for (const TokensModel& model : result.models) {
    // The lengths that all of them were measured at.
    const TokenFit* fit = fit_of(model.joules, result.form);
    least_in = std::max(least_in, fit->least_input);
    most_in = std::min(most_in, fit->most_input);
    least_out = std::max(least_out, fit->least_output);
    most_out = std::min(most_out, fit->most_output);
  }
  const std::string& system = result.models.front().system;
  std::string text =
      fmt::format("# Written by `joulecast calibrate tokens`, form \"{}\": joules a request by its tokens in and out.\n", name(result.form));
  for (const std::string& note : result.notes) text += "# " + note + "\n";
  text += fmt::format("title = {}\n", config::quoted("Energy of a request by its tokens"));
  text += fmt::format("source = {}\n", config::quoted(result.source.text()));
  text += fmt::format("hardware = {}\n", config::quoted(!request.hardware.empty() ? request.hardware : system.empty() ? "not stated" : system));
  text += fmt::format("input_tokens = [{:.0f}, {:.0f}]\noutput_tokens = [{:.0f}, {:.0f}]\n", least_in, most_in, least_out, most_out);
  std::set<std::string> taken;
  for (const TokensModel& model : result.models) {
    std::vector<std::string> names = request.names;
    if (names.empty()) names.push_back(model.model);
    text += model_table(key_of(names.front(), taken), names, *fit_of(model.joules, result.form), fit_of(model.seconds, result.form));
  }
  return text;
}

}  // namespace joulecast::calibration
