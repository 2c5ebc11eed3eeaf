#include "report/point_json.hpp"

#include <nlohmann/json.hpp>

namespace joulecast::report {

namespace {

using Json = nlohmann::ordered_json;
using Better = study::Figure::Better;

constexpr int kSchema = 1;

Json json_of(const study::PointOutcome& outcome) {
  Json object = Json::object();
  if (!outcome.failure.empty()) object["failure"] = outcome.failure;
  object["figures"] = Json::array();
  for (const study::FigureValue& each : outcome.figures) {
    object["figures"].push_back({each.figure.key, each.figure.unit, static_cast<int>(each.figure.better), each.value});
  }
  object["attainments"] = Json::array();
  for (const study::Attainment& each : outcome.attainments) object["attainments"].push_back({each.traffic, each.share, each.required, each.judged});
  return object;
}

/// Throws nlohmann's exceptions where a part is missing or of another kind.
study::PointOutcome outcome_of(const Json& object) {
  study::PointOutcome outcome;
  outcome.failure = object.value("failure", "");
  for (const Json& each : object.at("figures")) {
    const study::Figure figure{each.at(0).get<std::string>(), each.at(1).get<std::string>(), static_cast<Better>(each.at(2).get<int>())};
    outcome.figures.push_back({figure, each.at(3).get<double>()});
  }
  for (const Json& each : object.at("attainments")) {
    outcome.attainments.push_back(
        {each.at(0).get<std::string>(), each.at(1).get<double>(), each.at(2).get<double>(), each.at(3).get<std::uint64_t>()});
  }
  return outcome;
}

std::string text_of(const Json& object) { return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json with_build(const Build& build) { return {{"schema", kSchema}, {"version", build.version}, {"git_hash", build.git_hash}}; }

Build build_of(const Json& object) { return {object.at("version").get<std::string>(), object.at("git_hash").get<std::string>()}; }

}  // namespace

std::string point_json(const study::PointOutcome& outcome, const Build& build) {
  Json object = with_build(build);
  object["point"] = json_of(outcome);
  return text_of(object);
}

std::optional<study::PointOutcome> point_of(const std::string& text, const Build& build) {
  try {
    const Json object = Json::parse(text);
    if (object.at("schema") != kSchema || build_of(object) != build) return std::nullopt;
    return outcome_of(object.at("point"));
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string shard_json(const Shard& shard) {
  Json object = with_build(shard.build);
  object["sweep"] = shard.sweep;
  object["shard"] = {shard.i, shard.of};
  object["points"] = Json::array();
  for (const auto& [number, outcome] : shard.points) object["points"].push_back({number, json_of(outcome)});
  return text_of(object);
}

std::optional<Shard> shard_of(const std::string& text) {
  try {
    const Json object = Json::parse(text);
    if (object.at("schema") != kSchema) return std::nullopt;
    Shard shard{build_of(object),
                object.at("sweep").get<std::string>(),
                object.at("shard").at(0).get<std::size_t>(),
                object.at("shard").at(1).get<std::size_t>(),
                {}};
    for (const Json& each : object.at("points")) shard.points.emplace(each.at(0).get<std::size_t>(), outcome_of(each.at(1)));
    return shard;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace joulecast::report
