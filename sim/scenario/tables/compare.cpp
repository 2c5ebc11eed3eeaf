#include "scenario/tables/compare.hpp"

#include <string>
#include <vector>

namespace joulecast::scenario {

using config::Bounds;
using config::Diagnostics;
using config::Node;
using config::Record;

namespace {

/// Keys that are not one arm's: with another seed the arms' requests would differ.
constexpr const char* kOfAll[] = {"schema", "name", "seed", "extends", "compare", "sweep", "plan"};

void check_name(const config::Table::Entry& arm, Diagnostics& diagnostics) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  bool good = !arm.key.empty() && arm.key.front() != '.';
  for (const char c : arm.key) good = good && plain(c);
  if (!good) diagnostics.error(arm.place, "the arm \"" + arm.key + "\" can't name a folder", "use letters, digits, dots, dashes and underscores");
}

void read_arms(CompareTable& compare, const Node& node, Diagnostics& diagnostics) {
  const auto* table = node.as<config::Table>();
  if (table == nullptr) {
    diagnostics.error(node.place(), "expected tables [compare.arm.NAME], read " + std::string(node.kind()), "write [compare.arm.NAME]");
    return;
  }
  for (const auto& arm : table->entries) {
    const auto* keys = arm.value->as<config::Table>();
    if (keys == nullptr) {
      diagnostics.error(arm.place, "expected a table, read " + std::string(arm.value->kind()), "write [compare.arm." + arm.key + "]");
      continue;
    }
    check_name(arm, diagnostics);
    for (const auto& entry : keys->entries) {
      for (const char* of_all : kOfAll) {
        if (entry.key == of_all) diagnostics.error(entry.place, "an arm has no \"" + entry.key + "\" of its own", "write it for the whole scenario");
      }
    }
    compare.arm.emplace_back(arm.key, *arm.value);
  }
}

Record<ResampleTable> resample_record() {
  Record<ResampleTable> record("resample");
  record.place(&ResampleTable::place)
      .custom(
          "what", "\"arrivals\"", "", "what is drawn anew: the requests of the traces, in blocks",
          [](ResampleTable& resample, const Node& node, Diagnostics& diagnostics) {
            const auto* word = node.as<std::string>();
            if (word == nullptr || *word != "arrivals") diagnostics.error(node.place(), "what is not \"arrivals\"", "write what = \"arrivals\"");
            resample.what = "arrivals";
          },
          true)
      .optional("blocks", &ResampleTable::blocks, "\"5 min\"", Bounds::between(1e-3, 86400),
                "length of the blocks in which requests are taken together")
      .optional("within", &ResampleTable::within, "\"30 min\"", Bounds::between(1e-3, 43200),
                "how far from its own time of day a block may be taken, on any day of the trace");
  return record;
}

void check_compare(const CompareTable& compare, const Place& place, Diagnostics& diagnostics) {
  if (compare.arm.empty()) {
    diagnostics.error(place, "the comparison has no arm", "add [compare.arm.NAME] with keys of the scenario, such as router.replica = \"random\"");
    return;
  }
  std::vector<std::string> names;
  bool known = compare.reference.empty();
  for (const auto& [name, keys] : compare.arm) {
    names.push_back(name);
    known = known || name == compare.reference;
  }
  if (!known) {
    const std::string near = config::nearest(compare.reference, names);
    diagnostics.error(place, "the reference \"" + compare.reference + "\" is no arm",
                      near.empty() ? "name one of [compare.arm.NAME]" : "did you mean \"" + near + "\"?");
  }
  if (compare.intervals()) return;
  if (compare.confidence) diagnostics.error(place, "confidence without replications", "add replications = 8, or leave confidence out");
  if (compare.resample) diagnostics.error(place, "resample without replications", "add replications = 8, or leave resample out");
}

}  // namespace

Record<CompareTable> compare_record() {
  Record<CompareTable> record("compare");
  record.place(&CompareTable::place)
      .optional("reference", &CompareTable::reference, "the first arm", Bounds::any(), "the arm that all others are held against")
      .choice("boundary", &CompareTable::boundary,
              {{"gpu", metering::Boundary::gpu},
               {"chassis_ac", metering::Boundary::chassis_ac},
               {"it", metering::Boundary::it},
               {"facility", metering::Boundary::facility}},
              "\"facility\"", "where watts are counted")
      .choice("hold", &CompareTable::hold, {{"traffic", Hold::traffic}, {"slo", Hold::slo}}, "\"traffic\"",
              "what is the same in all arms: the requests, or the SLO, with the rate scaled in each arm until the SLO just holds")
      .optional("replications", &CompareTable::replications, "1: no intervals", Bounds::between(1, 10000),
                "runs of each arm, each with another seed, the same in all arms")
      .optional("confidence", &CompareTable::confidence, "\"95 %\"", Bounds::between(0.5, 0.9999), "of the intervals, each by itself")
      .table("resample", &CompareTable::resample, resample_record(), "of traces: each replication replays another one like it")
      .custom("arm", "tables", "", "[compare.arm.NAME] with keys of the scenario, dotted, that replace those of the file in this arm", read_arms)
      .check(check_compare);
  return record;
}

}  // namespace joulecast::scenario
