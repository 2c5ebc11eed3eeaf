#include "traces/requests/vllm_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "traces/jsonl.hpp"

namespace joulecast::traces {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kBench = "give a folder as LLMServingSim's bench writes it: meta.json and requests.jsonl";

/// An object of meta.json.
class Meta {
 public:
  Meta(const Json& object, std::string name, const std::string& file) : object_(object), name_(std::move(name)), file_(file) {}

  std::string text(const char* key, const std::string& otherwise) const {
    const Json* value = find(key);
    if (value == nullptr) return otherwise;
    if (!value->is_string()) refuse(key, "a text");
    return value->get<std::string>();
  }
  std::optional<std::int64_t> count(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_integer() || value->get<std::int64_t>() < 1) refuse(key, "a whole number from 1 on");
    return value->get<std::int64_t>();
  }
  std::optional<double> share(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || !(value->get<double>() > 0 && value->get<double>() <= 1)) refuse(key, "a share above 0 and up to 1");
    return value->get<double>();
  }
  std::optional<double> positive(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number() || !(value->get<double>() > 0)) refuse(key, "a number above 0");
    return value->get<double>();
  }
  std::optional<bool> flag(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) refuse(key, "true or false");
    return value->get<bool>();
  }
  /// An object within; an empty one where it is absent.
  Meta within(const char* key) const {
    static const Json none = Json::object();
    const Json* value = find(key);
    if (value == nullptr) return {none, key, file_};
    if (!value->is_object()) refuse(key, "an object");
    return {*value, key, file_};
  }

 private:
  const Json* find(const char* key) const {
    const auto found = object_.find(key);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  [[noreturn]] void refuse(const char* key, const char* expected) const {
    throw UserError({file_, 0, 0}, fmt::format("{}{}{} is {}, expected {}", name_, name_.empty() ? "" : ".", key, find(key)->dump(), expected),
                    "correct the file, or leave the key out");
  }

  const Json& object_;
  std::string name_;
  const std::string& file_;
};

Json parse(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw UserError({path, 0, 0}, "can't be read", kBench);
  try {
    Json json = Json::parse(file);
    if (json.is_object()) return json;
  } catch (const Json::parse_error&) {
  }
  throw UserError({path, 0, 0}, "this is no JSON object", kBench);
}

void read_meta(const std::string& path, RecordedRun& run) {
  const Json json = parse(path);
  const Meta meta(json, "", path);
  const Meta engine = meta.within("engine_kwargs"), cache = meta.within("kv_cache");
  run.model = meta.text("model", "");
  if (run.model.empty()) throw UserError({path, 0, 0}, "does not say which model ran", "add \"model\": its Hugging Face id");
  run.vllm_version = meta.text("vllm_version", "");
  run.device = meta.within("hardware").text("device_name", "");
  run.dtype = engine.text("dtype", "auto");
  run.kv_cache_dtype = engine.text("kv_cache_dtype", "auto");
  run.tensor_parallel_size = engine.count("tensor_parallel_size").value_or(1);
  run.data_parallel_size = engine.count("data_parallel_size").value_or(1);
  run.enable_expert_parallel = engine.flag("enable_expert_parallel").value_or(false);
  run.max_num_seqs = engine.count("max_num_seqs").value_or(run.max_num_seqs);
  run.max_num_batched_tokens = engine.count("max_num_batched_tokens").value_or(run.max_num_batched_tokens);
  run.max_model_len = engine.count("max_model_len");
  run.num_gpu_blocks = cache.count("num_gpu_blocks");
  run.block_size = cache.count("block_size");
  run.gpu_memory_utilization = cache.share("gpu_memory_utilization");
  run.enable_prefix_caching = cache.flag("enable_prefix_caching");
  run.async_scheduling = meta.within("resolved_config").within("scheduler_config").flag("async_scheduling");
}

void read_link(const std::string& path, RecordedRun& run) {
  if (!fs::is_regular_file(path)) return;
  const Json json = parse(path);
  const Meta cluster(json, "", path);
  if (const auto bandwidth = cluster.positive("link_bw")) run.link_bandwidth = *bandwidth * 1e9;
  if (const auto latency = cluster.positive("link_latency")) run.link_latency = *latency * 1e-9;
}

enum Key : std::size_t { kId, kInput, kOutput, kArrival, kQueued, kFirst, kLast };

double number(const JsonLines& rows, Key key) {
  const JsonField& field = rows.field(key);
  double value = 0;
  const auto [end, fault] = std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
  if (field.kind != JsonField::Kind::number || fault != std::errc{} || end != field.text.data() + field.text.size()) {
    rows.refuse(key, "a number of seconds", "correct the line, or take it out");
  }
  return value;
}

std::int64_t tokens(const JsonLines& rows, Key key) {
  const JsonField& field = rows.field(key);
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
  if (field.kind != JsonField::Kind::number || fault != std::errc{} || end != field.text.data() + field.text.size() || value < 1) {
    rows.refuse(key, "a whole number of tokens from 1 on", "correct the line, or take it out");
  }
  return value;
}

void read_requests(RecordedRun& run) {
  const std::string path = run.requests_file();
  JsonLines rows(TextLines(path), {"request_id", "input_toks", "output_toks", "arrival_time", "queued_ts", "first_token_ts", "last_token_ts"});
  while (rows.next()) {
    RecordedRequest request{rows.field(kId).text,  tokens(rows, kInput), tokens(rows, kOutput), number(rows, kArrival),
                            number(rows, kQueued), number(rows, kFirst), number(rows, kLast)};
    if (!(request.queued <= request.first_token && request.first_token <= request.last_token)) {
      rows.refuse(kLast, "a last token after the first, and that after the request was queued", "correct the line, or take it out");
    }
    run.requests.push_back(std::move(request));
  }
  if (rows.torn()) throw UserError(rows.line_place(), "the last line was cut off", "complete it, or take it out");
  if (run.requests.empty()) throw UserError({path, 0, 0}, "holds no requests", kBench);
  std::stable_sort(run.requests.begin(), run.requests.end(), [](const auto& a, const auto& b) { return a.arrival < b.arrival; });
  const double came = run.requests.front().arrival;
  double queued = run.requests.front().queued;
  for (const RecordedRequest& request : run.requests) queued = std::min(queued, request.queued);
  for (RecordedRequest& request : run.requests) {
    request.arrival -= came;
    for (double* instant : {&request.queued, &request.first_token, &request.last_token}) *instant -= queued;
  }
}

}  // namespace

bool is_recorded_run(const std::string& folder) {
  return fs::is_regular_file(fs::path(folder) / "meta.json") && fs::is_regular_file(fs::path(folder) / "requests.jsonl");
}

RecordedRun read_recorded_run(const std::string& folder) {
  if (!is_recorded_run(folder)) throw UserError({folder, 0, 0}, "is no folder of a vLLM run", kBench);
  RecordedRun run;
  run.folder = folder;
  read_meta(folder + "/meta.json", run);
  read_link(folder + "/cluster_config.json", run);
  read_requests(run);
  return run;
}

}  // namespace joulecast::traces
