#include "report/uncertainty_csv.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/csv.hpp"

namespace joulecast::report {

std::string uncertainty_csv(const study::Uncertainty& known) {
  std::string text = "draw,seed";
  for (const scenario::ErrorSource& source : known.sources) text += "," + csv_cell("factor." + source.name);
  for (const study::UncertainFigure& figure : known.figures) text += "," + csv_cell(figure.figure.key());
  text += "\n";
  for (const study::ErrorDraw& draw : known.draws) {
    text += fmt::format("{},{}", draw.number, draw.seed);
    for (std::size_t s = 0; s < known.sources.size(); ++s) {
      text += fmt::format(",{}", scenario::drawn_factor(known.sources[s].drawn_error, draw.normals[s]));
    }
    for (const double value : draw.values) text += std::isfinite(value) ? fmt::format(",{}", value) : ",";
    text += "\n";
  }
  return text;
}

}  // namespace joulecast::report
