#include "cli/calibration_json.hpp"

#include <cmath>

namespace joulecast::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

Json quality_json(const calibration::FitQuality& q) {
  return {{"rows", q.rows},
          {"held_out_rows", q.held_out_rows},
          {"held_out_error",
           {{"mean", number(q.held_out.mean)},
            {"median", number(q.held_out.median)},
            {"p80", number(q.held_out.p80)},
            {"p90", number(q.held_out.p90)},
            {"worst", number(q.held_out.worst)},
            {"bias", number(q.held_out.bias)}}},
          {"r2_centred", number(q.r2_centred)},
          {"r2_uncentred", number(q.r2_uncentred)}};
}

Json figures_json(const std::vector<calibration::FittedFigure>& figures) {
  Json out = Json::array();
  for (const auto& f : figures) {
    Json figure = {{"name", f.name}, {"value", number(f.value)}, {"unit", f.unit}, {"at_bound", f.at_bound}};
    figure["interval80"] = std::isfinite(f.low) && std::isfinite(f.high) ? Json::array({f.low, f.high}) : Json();
    out.push_back(std::move(figure));
  }
  return out;
}

Json refused_json(const std::vector<calibration::RefusedFigure>& refused) {
  Json out = Json::array();
  for (const auto& each : refused) out.push_back({{"name", each.name}, {"why", each.why}, {"measure", each.measure}});
  return out;
}

Json curve_json(const calibration::ClockCurve& curve) {
  Json out = {{"top_hz", curve.top.si()},
              {"ceiling_hz", curve.ceiling.si()},
              {"valid_hz", {curve.lowest.si(), curve.highest.si()}},
              {"figures", figures_json(curve.figures)},
              {"refused", refused_json(curve.refused)}};
  if (curve.time) {
    out["time"] = {{"top_s", curve.time->top},
                   {"flat", curve.time->flat},
                   {"core", curve.time->core},
                   {"sharpness", curve.time->sharpness},
                   {"core_share", curve.time->core_share()}};
  }
  if (curve.power) {
    out["power"] = {{"fixed_w", curve.power->fixed},
                    {"dynamic_w", curve.power->dynamic},
                    {"knee", curve.power->knee},
                    {"voltage_ratio", curve.power->voltage_ratio},
                    {"dynamic_share", curve.power->dynamic_share()}};
  }
  return out;
}

}  // namespace joulecast::cli
