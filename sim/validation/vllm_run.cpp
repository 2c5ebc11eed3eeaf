#include "validation/vllm_run.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "study/recorded_run.hpp"

namespace joulecast::validation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource = "vLLM 0.19 run, requests.jsonl (first token - queued; tokens after the first; last - queued)";

/// A run by its place below serving/vllm-runs.
struct Place {
  std::string card, run;
};

fs::path run_folder(const Sources& sources, const Place& place) { return fs::path(sources.data) / "serving/vllm-runs" / place.card / place.run; }

fs::path layer_folder(const Sources& sources, const Place& place, const traces::RecordedRun& run) {
  const std::string type = run.dtype == "float16" ? "fp16" : "bf16";
  return fs::path(sources.data) / "ops/vllm-layers" / place.card / run.model / type / ("tp" + std::to_string(run.tensor_parallel_size));
}

std::optional<std::vector<Ours>> replay(const Sources& sources, const Place& place) {
  if (sources.data.empty() || !traces::is_recorded_run(run_folder(sources, place))) return std::nullopt;
  const traces::RecordedRun run = traces::read_recorded_run(run_folder(sources, place));
  const fs::path layers = layer_folder(sources, place, run);
  if (!fs::exists(layers)) return std::nullopt;
  study::ReplaySettings settings;
  settings.share = sources.share;
  settings.gpu = place.card;
  settings.layers = layers;
  const study::Replay replayed = study::replay(run, settings);
  return std::vector<Ours>{{replayed.ttft.simulated}, {replayed.tpot.simulated}, {replayed.e2e.simulated}};
}

struct Means {
  double ttft = 0, tpot = 0, e2e = 0;
};

Comparison comparison(const std::string& id, const Place& place, const Means& means, const char* ttft_tolerance) {
  const std::string name = "serving.vllm." + id;
  return {{{name + ".ttft_mean", "mean TTFT, nothing fitted", kSource, means.ttft, "s", ttft_tolerance, Kind::measured},
           {name + ".tpot_mean", "mean TPOT, nothing fitted", kSource, means.tpot, "s", "3 %", Kind::measured},
           {name + ".e2e_mean", "mean E2E, nothing fitted", kSource, means.e2e, "s", "4 %", Kind::measured}},
          [place](const Sources& sources) { return replay(sources, place); }};
}

struct Listed {
  const char* id;
  Place place;
  Means means;
  const char* ttft_tolerance;
};

const std::vector<Listed>& listed() {
  static const std::vector<Listed> all = {
      {"rtx4090-llama-3.1-8b", {"RTX4090", "Llama-3.1-8B"}, {65.4566, 0.0324466, 86.5783}, "8 %"},
      {"rtxpro6000-llama-3.1-8b", {"RTXPRO6000", "Llama-3.1-8B"}, {7.09716, 0.032458, 28.2007}, "8 %"},
      {"rtxpro6000-qwen3-30b-a3b", {"RTXPRO6000", "Qwen3-30B-A3B-Instruct-2507"}, {1.08598, 0.0472863, 32.3446}, "15 %"},
  };
  return all;
}

Means measured_means(const traces::RecordedRun& run) {
  Means sum;
  double with_tpot = 0;
  for (const traces::RecordedRequest& request : run.requests) {
    sum.ttft += request.ttft();
    sum.e2e += request.e2e();
    if (const auto tpot = request.tpot()) {
      sum.tpot += *tpot;
      ++with_tpot;
    }
  }
  const auto count = static_cast<double>(run.requests.size());
  return {sum.ttft / count, with_tpot > 0 ? sum.tpot / with_tpot : 0, sum.e2e / count};
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<Place> runs_of(const Sources& sources) {
  const fs::path root = fs::path(sources.data) / "serving/vllm-runs";
  std::vector<Place> places;
  if (sources.data.empty() || !fs::is_directory(root)) return places;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_directory() || !traces::is_recorded_run(entry.path())) continue;
    const fs::path below = fs::relative(entry.path(), root);
    if (std::distance(below.begin(), below.end()) < 2) continue;
    const std::string card = below.begin()->string();
    places.push_back({card, fs::relative(entry.path(), root / card).string()});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return std::tie(a.card, a.run) < std::tie(b.card, b.run); });
  return places;
}

}  // namespace

std::vector<Comparison> vllm_runs() {
  std::vector<Comparison> all;
  for (const Listed& each : listed()) all.push_back(comparison(each.id, each.place, each.means, each.ttft_tolerance));
  return all;
}

std::vector<Comparison> further_vllm_runs(const Sources& sources) {
  std::vector<std::string> taken;
  for (const Listed& each : listed()) taken.emplace_back(each.id);
  std::vector<Comparison> all;
  for (const Place& place : runs_of(sources)) {
    const auto is_this = [&](const Listed& each) { return each.place.card == place.card && each.place.run == place.run; };
    if (std::any_of(listed().begin(), listed().end(), is_this)) continue;
    std::optional<traces::RecordedRun> run;
    std::optional<UserError> fault;
    try {
      run = traces::read_recorded_run(run_folder(sources, place));
    } catch (const UserError& error) {
      fault = error;
    }
    const fs::path layers = run ? layer_folder(sources, place, *run) : fs::path();
    if (run && !fs::exists(layers)) continue;
    const std::string whole = lower(place.card + "-" + place.run);
    std::string id = whole.substr(0, whole.find("-instruct"));
    if (std::find(taken.begin(), taken.end(), id) != taken.end()) id = whole;
    std::replace(id.begin(), id.end(), '/', '-');
    taken.push_back(id);
    if (fault) {  // told to whoever asks for this run; other entries don't depend on it
      all.push_back(comparison(id, place, {}, "8 %"));
      all.back().compute = [fault = *fault](const Sources&) -> std::optional<std::vector<Ours>> { throw fault; };
      continue;
    }
    const bool experts = fs::exists(layers / "moe.csv") || fs::exists(layers.parent_path() / "tp1/moe.csv");
    all.push_back(comparison(id, place, measured_means(*run), experts ? "15 %" : "8 %"));
  }
  return all;
}

}  // namespace joulecast::validation
