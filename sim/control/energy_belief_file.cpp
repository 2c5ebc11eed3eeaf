#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "config/record.hpp"
#include "control/energy_belief.hpp"

namespace joulecast::control {
namespace {

using config::Bounds;
using config::Record;

struct ModelRow {
  std::vector<std::string> names;
  double constant = 0, input = 0, output = 0, product = 0, input_squared = 0, output_squared = 0;
  std::optional<config::Share> fit_error, worst_error;
};

struct BeliefFile {
  std::string title, source, hardware;
  std::vector<std::int64_t> input_tokens, output_tokens;
  config::NamedTables<ModelRow> model;
};

Record<BeliefFile> belief_record() {
  Record<ModelRow> row("model");
  row.required("names", &ModelRow::names, Bounds::any(), "architectures by their Hugging Face ids")
      .optional("constant", &ModelRow::constant, "0", Bounds::any(), "J")
      .required("input", &ModelRow::input, Bounds::any(), "J a prompt token")
      .required("output", &ModelRow::output, Bounds::any(), "J a generated token")
      .required("product", &ModelRow::product, Bounds::any(), "J a prompt token and generated token")
      .optional("input_squared", &ModelRow::input_squared, "0", Bounds::any(), "J a prompt token squared")
      .optional("output_squared", &ModelRow::output_squared, "0", Bounds::any(), "J a generated token squared")
      .optional("fit_error", &ModelRow::fit_error, "not known", Bounds::any(), "how far it is from what was measured, of rows it had not seen")
      .optional("worst_error", &ModelRow::worst_error, "not known", Bounds::any(), "the same of the worst row");
  Record<BeliefFile> record("beliefs");
  record.required("title", &BeliefFile::title, Bounds::any(), "what was measured")
      .required("source", &BeliefFile::source, Bounds::any(), "where the figures were read")
      .required("hardware", &BeliefFile::hardware, Bounds::any(), "on what they were measured")
      .required("input_tokens", &BeliefFile::input_tokens, Bounds::between(1, 1e9), "least and most prompt tokens for which they hold")
      .required("output_tokens", &BeliefFile::output_tokens, Bounds::between(1, 1e9), "least and most generated tokens for which they hold")
      .tables("model", &BeliefFile::model, row, "coefficients of one model")
      .check([](const BeliefFile& file, const Place& place, config::Diagnostics& diagnostics) {
        for (const auto* axis : {&file.input_tokens, &file.output_tokens}) {
          if (axis->size() == 2 && axis->front() <= axis->back()) continue;
          diagnostics.error(place, "a range of tokens is not [least, most]", "write for example input_tokens = [8, 2048]");
        }
      });
  return record;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Whether a file's name for a model means the wanted one: the same, or, without an organisation, the last part of it; capitals or not.
bool means(const std::string& name, const std::string& wanted) {
  if (lower(name) == lower(wanted)) return true;
  return name.find('/') == std::string::npos && lower(name) == lower(wanted.substr(wanted.find_last_of('/') + 1));
}

}  // namespace

EnergyBelief read_energy_belief(const std::string& path, std::span<const std::string> names, const Place& place) {
  config::Diagnostics diagnostics;
  const BeliefFile file = belief_record().read(config::load(path), diagnostics);
  diagnostics.throw_if_failed();
  const std::string title = std::filesystem::path(path).stem().string();
  std::vector<std::string> known;
  for (const auto& [key, row] : file.model) {
    known.push_back(key);
    for (const std::string& name : row.names) {
      for (const std::string& wanted : names) {
        if (!means(name, wanted)) continue;
        EnergyBelief belief{row.constant, row.input, row.output, row.product, row.input_squared, row.output_squared, {}, title, {}, {}};
        if (row.fit_error) belief.fit_error = row.fit_error->value;
        if (row.worst_error) belief.worst_error = row.worst_error->value;
        belief.range = {file.input_tokens[0], file.input_tokens[1], file.output_tokens[0], file.output_tokens[1]};
        return belief;
      }
    }
  }
  throw UserError(place, fmt::format("the beliefs \"{}\" know no model \"{}\"", title, names.empty() ? "" : names.front()),
                  fmt::format("they know {}; or write energy_model = \"fitted\"", fmt::join(known, ", ")));
}

}  // namespace joulecast::control
