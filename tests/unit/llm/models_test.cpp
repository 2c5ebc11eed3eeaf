#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "traces/delimited.hpp"
#include "unit/llm/shipped.hpp"

using namespace joulecast;
using namespace joulecast::llm;

namespace {

double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// A figure as it is printed with so many digits after the point, in 1e9.
std::string billions(std::int64_t value, int digits) { return fmt::format("{:.{}f}", static_cast<double>(value) * 1e-9, digits); }
std::string printed(std::string_view text, int digits) { return fmt::format("{:.{}f}", number(text), digits); }

}  // namespace

TEST_CASE("every shipped model has a source, and counts within 3 % of what is stated") {
  const auto models = test::all_shipped();
  CHECK(models.size() >= 44);
  std::set<std::string> names;
  for (const auto& model : models) {
    INFO(model.name);
    CHECK(model.source.size() > 10);
    CHECK(static_cast<double>(model.parameters()) == Approx(model.stated_parameters).epsilon(0.03));
    CHECK(model.active_parameters() <= model.parameters());
    if (model.experts) {
      CHECK(static_cast<double>(model.active_parameters()) == Approx(model.stated_active_parameters).epsilon(0.03));
    }
    CHECK(names.insert(model.name).second);
    for (const auto& alias : model.aliases) {
      INFO(alias);
      CHECK(names.insert(alias).second);
    }
  }
}

TEST_CASE("architecture facts: every model is shipped, its counts equal the table's to their printed digits") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: models.csv is not compared");
    return;
  }
  std::map<std::string, Architecture> by_name;
  for (const auto& model : test::all_shipped()) {
    by_name.emplace(model.name, model);
    for (const auto& alias : model.aliases) by_name.emplace(alias, model);
  }
  enum : std::size_t { name, total, active, kv, layers, heads, kv_heads, vocab, max_position };
  traces::Delimited rows(traces::TextLines(std::string(data) + "/models.csv"), {{{"name"}},
                                                                                {{"computed_total_B"}},
                                                                                {{"computed_active_B"}},
                                                                                {{"kv_elems_per_token"}},
                                                                                {{"layers"}},
                                                                                {{"heads"}},
                                                                                {{"kv_heads"}},
                                                                                {{"vocab"}},
                                                                                {{"max_position"}}});
  int count = 0;
  while (rows.next()) {
    ++count;
    const std::string row(rows.cell(name));
    INFO(row);
    const auto found = by_name.find(row.substr(0, row.find(" (")));
    REQUIRE(found != by_name.end());
    const Architecture& model = found->second;
    CHECK(billions(model.parameters(), 4) == printed(rows.cell(total), 4));
    CHECK(billions(model.active_parameters(), 3) == printed(rows.cell(active), 3));
    CHECK(static_cast<double>(model.kv_elements_per_token()) == number(rows.cell(kv)));
    CHECK(static_cast<double>(model.layers) == number(rows.cell(layers)));
    CHECK(static_cast<double>(model.heads) == number(rows.cell(heads)));
    CHECK(static_cast<double>(model.kv_heads) == number(rows.cell(kv_heads)));
    CHECK(static_cast<double>(model.vocab) == number(rows.cell(vocab)));
    CHECK(static_cast<double>(model.max_position) == number(rows.cell(max_position)));
  }
  CHECK(count == 44);
}

TEST_CASE("a shipped model written as TOML is read back the same") {
  for (const auto& model : test::all_shipped()) {
    INFO(model.name);
    const std::string text = architecture_toml(model);
    const auto path = std::filesystem::temp_directory_path() / fmt::format("joulecast-model-{}.toml", getpid());
    std::ofstream(path) << text;
    const auto again = test::loaded(path.string());
    CHECK(architecture_toml(again) == text);
    CHECK(again.parameters() == model.parameters());
    CHECK(again.active_parameters() == model.active_parameters());
    CHECK(again.weight_bytes() == model.weight_bytes());
    CHECK(again.kv_elements(10000) == model.kv_elements(10000));
    std::filesystem::remove(path);
  }
}
