#include "llm/huggingface/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "llm/huggingface/families.hpp"
#include "llm/huggingface/json.hpp"
#include "llm/record_checks.hpp"

namespace joulecast::llm {

namespace {

using config::Node;
using config::Table;

constexpr std::int64_t kMostLayers = 10000;

const Family& family_of(const std::string& model_type, const Place& place) {
  const auto known = known_model_types();
  for (const Family& family : families()) {
    if (family.model_type == model_type) return family;
  }
  const std::string meant = config::nearest(model_type, known);
  throw UserError(place, fmt::format("model_type \"{}\" is not supported", model_type),
                  fmt::format("{}supported: {}", meant.empty() ? "" : fmt::format("did you mean \"{}\"? ", meant), fmt::join(known, ", ")));
}

void read_dtype(ConfigReader& config, Architecture& model) {
  const std::pair<std::string_view, DataType> known[] = {{"bfloat16", DataType::bf16}, {"float16", DataType::fp16}, {"float32", DataType::fp32}};
  const std::string text = config.text({"torch_dtype", "dtype"}, "");
  if (text.empty()) config.note("the config names no data type: bf16 is taken");
  bool found = text.empty();
  for (const auto& [word, type] : known) {
    if (text != word) continue;
    model.dtype = type;
    found = true;
  }
  if (!found) config.refuse(fmt::format("\"torch_dtype\" is \"{}\"", text), "bfloat16, float16 and float32 are known");
  model.weights = {model.dtype, model.dtype};
}

void read_quantization(ConfigReader& config, Architecture& model) {
  const Table* table = config.object("quantization_config");
  if (table == nullptr) return;
  const Node* method = table->find("quant_method");
  const auto* name = method == nullptr ? nullptr : method->as<std::string>();
  if (name != nullptr && *name == "fp8") {
    model.weights = {DataType::fp8, DataType::fp8};
  } else if (name != nullptr && *name == "mxfp4") {
    model.weights.experts = DataType::mxfp4;
  } else {
    config.refuse(fmt::format("the weights are quantized by \"{}\", which is not supported", name == nullptr ? "?" : *name),
                  "import the config of the model before quantization, and write [weights] by hand; fp8 and mxfp4 are read");
  }
}

const Table& table_of(const Node& root) {
  if (const auto* table = root.as<Table>()) return *table;
  throw UserError(root.place(), fmt::format("the JSON is {}, expected an object", root.kind()), "give a model's config.json");
}

std::string model_type_of(const Table& table, const Place& place) {
  const Node* type = table.find("model_type");
  const auto* text = type == nullptr ? nullptr : type->as<std::string>();
  if (text != nullptr) return *text;
  throw UserError(place, "the config has no \"model_type\"", "give a model's config.json, not its tokenizer's or its index");
}

std::string own_name(const Table& table) {
  const Node* name = table.find("_name_or_path");
  const auto* text = name == nullptr ? nullptr : name->as<std::string>();
  return text == nullptr ? "" : *text;
}

}  // namespace

std::vector<std::string> known_model_types() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.emplace_back(family.model_type);
  return names;
}

Imported import_config(std::string_view text, const std::string& file, const std::string& name, const std::string& source) {
  const Node root = parse_json(text, file);
  const Place& place = root.place();
  const Table& whole = table_of(root);
  const std::string model_type = model_type_of(whole, place);
  const Family& family = family_of(model_type, place);

  config::Diagnostics diagnostics;
  ConfigReader outer(whole, model_type, place, diagnostics);
  const Table* nested = family.nested ? outer.object("text_config") : nullptr;
  ConfigReader config(nested != nullptr ? *nested : whole, model_type, place, diagnostics);
  Imported result;
  Architecture& model = result.model;
  family.read(config, model);
  read_dtype(nested != nullptr && !config.has("torch_dtype") && !config.has("dtype") ? outer : config, model);
  read_quantization(outer, model);
  if (nested != nullptr) config.note("the text model alone: what reads images is left out");

  model.name = name.empty() ? own_name(whole) : name;
  if (model.name.empty()) config.refuse("the config doesn't say what the model is called", "give --name, for example --name org/model");
  model.source = source;
  if (model.layers > kMostLayers) config.refuse(fmt::format("\"num_hidden_layers\" is {}", model.layers), "no model has that many");
  if (!diagnostics.failed()) check_shape(model, place, diagnostics);
  if (!diagnostics.failed()) check_experts(model, place, diagnostics);
  if (!diagnostics.failed()) check_countable(model, place, diagnostics);
  diagnostics.throw_if_failed();
  model.stated_parameters = static_cast<double>(model.parameters());
  if (model.experts) model.stated_active_parameters = static_cast<double>(model.active_parameters());
  result.notes = diagnostics.notes();
  return result;
}

}  // namespace joulecast::llm
