#include "validation/wilkins_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "calibration/token_fit.hpp"

namespace joulecast::validation {
namespace {

constexpr std::string_view kSource = "Wilkins et al., least squares on all-stats-raw.csv";
constexpr std::size_t kFolds = 10;

struct Printed {
  std::string id, model;
  std::array<std::string, 3> joules, seconds;  ///< coefficients of tin, tout, tin tout as printed
};

std::vector<Printed> printed() {
  return {{"falcon-40b", "falcon-40b", {"-20.760", "197.37", "0.23527"}, {"-0.03612", "0.36202", "4.0242e-4"}},
          {"falcon-7b", "falcon-7b", {"-8.8083", "41.2822", "0.08909"}, {"-0.02452", "0.10728", "2.4228e-4"}},
          {"llama-2-13b", "Llama-2-13b-chat-hf", {"-6.7943", "56.0083", "0.07286"}, {"-0.01736", "0.14261", "1.8471e-4"}},
          {"llama-2-70b", "Llama-2-70b-chat-hf", {"-12.029", "414.82", "0.31453"}, {"-0.03120", "0.70317", "5.3299e-4"}},
          {"llama-2-7b", "Llama-2-7b-chat-hf", {"-3.8950", "31.5227", "0.04271"}, {"-0.01002", "0.08352", "1.0699e-4"}},
          {"mistral-7b", "Mistral-7B-v0.1", {"-3.1242", "31.6942", "0.03528"}, {"-0.00780", "0.08101", "8.7634e-5"}},
          {"mixtral-8x7b", "Mixtral-8x7B-v0.1", {"-8.4836", "105.537", "0.09859"}, {"-0.01338", "0.29614", "1.4992e-4"}}};
}

double number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Half a unit of the last digit of "4.0242e-4", as an absolute tolerance.
std::string half_of_last_digit(const std::string& text) {
  const std::size_t mark = text.find('e');
  const std::string digits = text.substr(0, mark);
  const long exponent = mark == std::string::npos ? 0 : std::stol(text.substr(mark + 1));
  const auto decimals = static_cast<long>(digits.size() - digits.find('.') - 1);
  return fmt::format("5e{} points", exponent - decimals - 1);
}

std::optional<std::vector<calibration::TokenSweep>> sweeps(const Sources& sources) {
  const std::string path = sources.data + "/serving/wilkins/all-stats-raw.csv";
  if (sources.data.empty() || !std::filesystem::exists(path)) return std::nullopt;
  calibration::TableSource source;
  return calibration::read_token_table(path, {}, source);
}

const calibration::TokenSweep& sweep_of(const std::vector<calibration::TokenSweep>& all, const std::string& model) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& sweep) { return sweep.model == model; });
  JOULECAST_CHECK(found != all.end(), "the table has no model " + model);
  return *found;
}

Comparison coefficients(const Printed& model) {
  Comparison comparison;
  const std::array<std::string, 3> names{"tokens in", "tokens out", "tokens in x out"};
  const auto add = [&](const char* letter, const std::array<std::string, 3>& texts, const std::string& unit) {
    for (std::size_t i = 0; i < 3; ++i) {
      comparison.entries.push_back({fmt::format("serving.wilkins.fit.{}.{}{}", model.id, letter, i), "coefficient of " + names[i],
                                    std::string(kSource), number(texts[i]), unit, half_of_last_digit(texts[i]), Kind::derived});
    }
  };
  add("a", model.joules, "J");
  add("b", model.seconds, "s");
  comparison.compute = [called = model.model](const Sources& sources) -> std::optional<std::vector<Ours>> {
    const auto all = sweeps(sources);
    if (!all) return std::nullopt;
    std::vector<Ours> ours;
    const calibration::TokenSweep& sweep = sweep_of(*all, called);
    for (const auto& points : {calibration::joules_of(sweep), calibration::seconds_of(sweep)}) {
      const auto terms = calibration::fit_tokens(points, calibration::TokenForm::published, kFolds, called).terms;
      for (const double value : {terms.input, terms.output, terms.product}) ours.push_back({value});
    }
    return ours;
  };
  return comparison;
}

}  // namespace

std::vector<Comparison> wilkins_fits() {
  std::vector<Comparison> all;
  for (const Printed& model : printed()) all.push_back(coefficients(model));
  all.push_back({{{"serving.wilkins.fit.output_squared.least_r2", "centred R2 of joules with a term in tout^2, the lowest of seven models",
                   std::string(kSource), 1, "", "-0.008 +0", Kind::derived},
                  {"serving.wilkins.fit.relative.held_out_median",
                   "median |error| of joules held out, relative fit with tout^2, 10 folds, the worst of seven models", std::string(kSource), 0, "%",
                   "15 %", Kind::derived}},
                 [](const Sources& sources) -> std::optional<std::vector<Ours>> {
                   const auto all_sweeps = sweeps(sources);
                   if (!all_sweeps) return std::nullopt;
                   double least_r2 = 1, worst_median = 0;
                   for (const auto& sweep : *all_sweeps) {
                     const auto points = calibration::joules_of(sweep);
                     least_r2 =
                         std::min(least_r2, calibration::fit_tokens(points, calibration::TokenForm::output_squared, kFolds, sweep.model).r2_centred);
                     const auto relative = calibration::fit_tokens(points, calibration::TokenForm::relative, kFolds, sweep.model);
                     worst_median = std::max(worst_median, relative.held_out.median);
                   }
                   return std::vector<Ours>{{least_r2}, {100 * worst_median}};
                 }});
  return all;
}

}  // namespace joulecast::validation
