#include "property/random_scenario.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/philox.hpp"

namespace joulecast::property {
namespace {

class Draw {
 public:
  Draw(std::uint64_t seed, const char* purpose) : random_(seed, "random scenario", purpose) {}
  std::int64_t among(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(most - least + 1)));
  }
  bool chance(double share) { return random_.uniform() < share; }
  double between(double least, double most) { return least + (most - least) * random_.uniform(); }
  double log_between(double least, double most) { return least * std::pow(most / least, random_.uniform()); }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[random_.below(list.size())];
  }

 private:
  Stream random_;
};

/// What of a node's GPU a scenario may ask for.
struct NodeKind {
  std::string node;
  std::int64_t lowest_mhz, highest_mhz, least_watts, most_watts;
};
const std::vector<NodeKind>& nodes() {
  static const std::vector<NodeKind> kinds = {
      {"dgx-h100", 345, 1980, 200, 700}, {"dgx-a100", 210, 1410, 100, 400}, {"pcie-8x-rtx-4090", 210, 3105, 150, 450}};
  return kinds;
}

struct ModelKind {
  std::string architecture;
  std::int64_t context;
  std::vector<std::int64_t> parallel;        ///< that fits GPUs of 80 GB
  std::vector<std::int64_t> parallel_24_gb;  ///< empty: not at all
};
const std::vector<ModelKind>& models() {
  static const std::vector<ModelKind> kinds = {{"meta-llama/Llama-3.1-8B", 131072, {1, 2, 4, 8}, {1, 2, 4, 8}},
                                               {"meta-llama/Llama-2-7b-hf", 4096, {1, 2, 4, 8}, {1, 2, 4, 8}},
                                               {"meta-llama/Llama-3.1-70B-Instruct", 131072, {4, 8}, {}}};
  return kinds;
}

std::string engine_text(Draw& draw, const std::string& name, std::int64_t context) {
  std::string text = fmt::format("[engine.{}]\n", name);
  const std::int64_t block = draw.chance(0.6) ? 16 : draw.one_of<std::int64_t>({1, 3, 8, 32, 256});
  text += fmt::format("block_size = {}\n", block);
  std::int64_t capacity = 12000;
  if (draw.chance(0.7)) {
    const std::int64_t tokens = static_cast<std::int64_t>(draw.chance(0.3) ? draw.between(2, 300) : draw.log_between(300, 10000));
    const std::int64_t blocks = 1 + (tokens + block - 1) / block;
    text += fmt::format("num_gpu_blocks_override = {}\n", blocks);
    capacity = (blocks - 1) * block;
  } else {
    text += fmt::format("gpu_memory_utilization = {:.3f}\n", draw.between(0.9, 0.95));
  }
  const std::int64_t longest = std::min(capacity, context);
  const std::int64_t length = std::max<std::int64_t>(2, draw.chance(0.5) ? longest : static_cast<std::int64_t>(draw.log_between(2, 8000)));
  const bool length_given = draw.chance(0.7);
  if (length_given) text += fmt::format("max_model_len = {}\n", std::min(std::max<std::int64_t>(length, 2), std::max<std::int64_t>(longest, 2)));
  const std::int64_t sequences = draw.chance(0.3) ? draw.among(1, 4) : draw.among(5, 300);
  std::int64_t batched = sequences + (draw.chance(0.4) ? draw.among(0, 16) : draw.among(16, 9000));
  const bool chunked = draw.chance(0.8);
  if (!chunked) batched = std::max<std::int64_t>(batched, 131072);
  text += fmt::format("max_num_seqs = {}\nmax_num_batched_tokens = {}\nenable_chunked_prefill = {}\n", sequences, batched, chunked);
  text += fmt::format("enable_prefix_caching = {}\nasync_scheduling = {}\n", draw.chance(0.6), draw.chance(0.6));
  if (batched >= 3 * sequences && draw.chance(0.2)) {
    text += fmt::format("speculative = {{ method = \"{}\", num_speculative_tokens = {}, acceptance_rate = \"{:.3g} %\" }}\n",
                        draw.chance(0.5) ? "ngram" : "eagle", draw.among(1, 2), draw.between(0, 100));
  }
  text += fmt::format("over_context = \"{}\"\n", draw.chance(0.5) ? "reject" : "truncate");
  return text;
}

std::string operating_text(Draw& draw, const NodeKind& kind) {
  std::string text;
  const auto clock = [&] { return draw.among(kind.lowest_mhz, kind.highest_mhz); };
  if (draw.chance(0.3)) {
    text += fmt::format("sm_clock = \"{} MHz\"\n", clock());
  } else if (draw.chance(0.4)) {
    text += fmt::format("sm_clock = {{ prefill = \"{} MHz\", decode = \"{} MHz\" }}\n", clock(), clock());
  }
  if (draw.chance(0.4)) text += fmt::format("gpu_power_limit = \"{} W\"\n", draw.among(kind.least_watts, kind.most_watts));
  if (draw.chance(0.3)) text += fmt::format("speed_factor = {:.4f}\n", draw.between(0.3, 1.3));
  return text;
}

std::string traffic_text(Draw& draw, const std::string& model, double duration) {
  const std::string histogram = draw.chance(0.6) ? "azure-2023-conv" : "azure-2023-code";
  const double rate = draw.log_between(0.1, 60);
  std::string text;
  if (draw.chance(0.4)) {
    text += fmt::format("requests = \"{}\"\nrequest_rate = \"{:.6g} /s\"\n", histogram, rate);
  } else {
    const std::string process = draw.one_of<std::string>({"poisson", "gamma", "constant"});
    const std::string burstiness = process == "gamma" ? fmt::format(", burstiness = {:.4g}", draw.log_between(0.05, 20)) : "";
    text +=
        fmt::format("lengths = \"{}\"\narrivals = {{ process = \"{}\", request_rate = \"{:.6g} /s\"{} }}\n", histogram, process, rate, burstiness);
  }
  if (draw.chance(0.3))
    text += fmt::format("num_requests = {}\n", draw.among(1, std::max<std::int64_t>(2, static_cast<std::int64_t>(rate * duration))));
  text += fmt::format("models = [\"{}\"]\nlength_prediction = \"{}\"\n", model, draw.chance(0.5) ? "mean" : "oracle");
  if (draw.chance(0.4))
    text += fmt::format("slo = {{ ttft = \"{:.3g} s\", tpot = \"{:.3g} ms\", attainment = \"95 %\" }}\n", draw.between(0.1, 5), draw.between(5, 200));
  return text;
}

std::string pool_text(Draw& draw, std::size_t index, std::string& model) {
  const NodeKind& kind = draw.one_of(nodes());
  const bool small = kind.most_watts == 450;
  const ModelKind& architecture = small ? models()[static_cast<std::size_t>(draw.among(0, 1))] : draw.one_of(models());
  const std::int64_t parallel = draw.one_of(small ? architecture.parallel_24_gb : architecture.parallel);
  const std::int64_t replicas = draw.chance(0.5) ? draw.among(1, 2) : draw.among(2, 6);
  const std::int64_t needed = (replicas + 8 / parallel - 1) / (8 / parallel);
  std::string text = fmt::format("[model.m{}]\narchitecture = \"{}\"\n", index, architecture.architecture);
  model = fmt::format("m{}", index);
  const bool short_form = draw.chance(0.5);
  const std::string cost = draw.chance(0.3) ? "cost = { rental = \"1.3 USD/GPU/h\", capital = \"90000 USD/node\", life = \"4 year\" }\n" : "";
  if (!short_form) {
    text += fmt::format("[cluster.c{}]\nnode = \"{}\"\nnodes = {}\n{}", index, kind.node, needed + (draw.chance(0.3) ? draw.among(1, 2) : 0), cost);
  }
  const bool engine = draw.chance(0.85);
  if (engine) text += engine_text(draw, fmt::format("e{}", index), architecture.context);
  text += fmt::format("[pool.p{}]\n", index);
  text += short_form ? fmt::format("node = \"{}\"\n{}", kind.node, cost) : fmt::format("cluster = \"c{}\"\n", index);
  if (engine) text += fmt::format("engine = \"e{}\"\n", index);
  text += fmt::format("model = \"m{}\"\ntensor_parallel_size = {}\nreplicas = {}\n", index, parallel, replicas);
  text += operating_text(draw, kind);
  if (small || !draw.chance(0.35)) return text;
  // The same model's answers on a pool of their own, in nodes of the same kind that a fabric joins.
  text += fmt::format("role = \"prefill\"\n[pool.d{}]\nnode = \"{}\"\nrole = \"decode\"\n", index, kind.node);
  if (engine) text += fmt::format("engine = \"e{}\"\n", index);
  text += fmt::format("model = \"m{}\"\ntensor_parallel_size = {}\nreplicas = {}\n", index, parallel, draw.among(1, 4));
  return text + operating_text(draw, kind);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

/// Replaces what stands right of a line's first '='.
void set_value(std::string& line, const std::string& value) {
  if (const auto at = line.find('='); at != std::string::npos) line = line.substr(0, at + 1) + " " + value;
}

void spoil(Draw& draw, std::vector<std::string>& lines) {
  const auto at = static_cast<std::size_t>(draw.among(0, static_cast<std::int64_t>(lines.size()) - 1));
  std::string& line = lines[at];
  static const std::vector<std::string> values = {"-1",
                                                  "0",
                                                  "3.5",
                                                  "nan",
                                                  "-inf",
                                                  "1e308",
                                                  "9223372036854775807",
                                                  "true",
                                                  "\"\"",
                                                  "[]",
                                                  "{}",
                                                  "\"1 parsec\"",
                                                  "\"-4 s\"",
                                                  "\"nan s\"",
                                                  "\"1e308 s\"",
                                                  "\"5\"",
                                                  "\"0 W\"",
                                                  "\"1e-300 /s\"",
                                                  "\"1e300 /s\"",
                                                  "\"3 USD/kWh\"",
                                                  "\"dgx-h200\"",
                                                  "\"drain\"",
                                                  "{ prefill = \"1 GHz\" }",
                                                  "2026-03-02",
                                                  "\"\\u0000\""};
  switch (draw.among(0, 7)) {
    case 0:
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(line));
      break;
    case 2:
      line = line.substr(0, static_cast<std::size_t>(draw.among(0, static_cast<std::int64_t>(line.size()))));
      break;
    case 3:
      if (!line.empty())
        line[static_cast<std::size_t>(draw.among(0, static_cast<std::int64_t>(line.size()) - 1))] = static_cast<char>(draw.among(32, 126));
      break;
    case 4:
      line.erase(std::remove_if(line.begin(), line.end(), [](char c) { return c == '"'; }), line.end());
      break;
    default:
      set_value(line, draw.one_of(values));
      break;
  }
  if (lines.empty()) lines.emplace_back();
}

}  // namespace

std::string random_scenario(std::uint64_t seed) {
  Draw draw(seed, "valid");
  const double duration = draw.between(5, draw.chance(0.3) ? 60 : 20);
  std::string text = fmt::format("schema = 1\nseed = {}\n[time]\nduration = \"{:.3f} s\"\nbin = \"{:.3f} s\"\nat_end = \"{}\"\n",
                                 draw.among(0, 1'000'000), duration, draw.log_between(0.05, 10), draw.chance(0.5) ? "cut" : "drain");
  if (draw.chance(0.6)) text += fmt::format("warmup = \"{:.3f} s\"\n", draw.between(0, 0.9 * duration));
  text += fmt::format("[site.here]\npue = {:.3f}\n", draw.between(1, 2));
  if (draw.chance(0.5)) text += "price = \"0.08 USD/kWh\"\n";
  if (draw.chance(0.5)) text += "carbon = \"380 g/kWh\"\n";
  std::vector<std::string> pool_models;
  const std::int64_t pools = draw.among(1, 3);
  for (std::int64_t i = 0; i < pools; ++i) text += pool_text(draw, static_cast<std::size_t>(i), pool_models.emplace_back());
  const std::int64_t traffics = draw.among(1, 3);
  for (std::int64_t i = 0; i < traffics; ++i) text += fmt::format("[traffic.t{}]\n", i) + traffic_text(draw, draw.one_of(pool_models), duration);
  text += fmt::format("[router]\nreplica = \"{}\"\n", draw.one_of<std::string>({"round_robin", "least_outstanding", "power_of_two"}));
  if (draw.chance(0.5)) text += fmt::format("report_period = \"{:.4g} s\"\n", draw.log_between(0.01, 5));
  return text;
}

std::string spoiled_scenario(std::uint64_t seed) {
  Draw draw(seed, "spoiled");
  std::vector<std::string> lines = lines_of(random_scenario(seed));
  const std::int64_t faults = draw.among(1, 3);
  for (std::int64_t i = 0; i < faults; ++i) spoil(draw, lines);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TemporaryFile::TemporaryFile(const std::string& name, const std::string& text) : name_(name) {
  std::string folder = (std::filesystem::temp_directory_path() / "joulecast-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder: " + folder);
  folder_ = folder;
  std::ofstream(folder_ / name_, std::ios::binary) << text;
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace joulecast::property
