#include "report/timeline.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

using namespace joulecast;
using nlohmann::json;

namespace {

/// Two replicas, one of them slow, of three unequal stages; times that are no whole nanoseconds.
json timeline(const std::string& more = "") {
  const auto folder = std::filesystem::temp_directory_path() / ("joulecast-timeline-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  struct Remove {
    std::filesystem::path path;
    ~Remove() { std::filesystem::remove_all(path); }
  } const remove{folder};
  std::ofstream(folder / "profile.csv") << "stage,instruction,frequency,time,energy\n"
                                           "0,forward,1410,0.1000000003,33\n0,backward,1410,0.2000000007,66\n"
                                           "1,forward,1410,0.0900000001,29\n1,backward,1410,0.1900000009,61\n"
                                           "2,forward,1410,0.1100000004,37\n2,backward,1410,0.2100000003,71\n";
  std::ofstream(folder / "job.toml") << R"(schema = 1
[site.here]
pue = 1.25
[training.job]
node = "dgx-a100"
gpus = 6
pipeline_parallel_size = 3
global_batch_size = 10
seq_length = 1000
train_iters = 2
stage_profile = { file = "profile.csv", blocking = "80 W" }
straggler = { warm = { replica = 1, speed_factor = 0.9 } }
)" << more;
  const scenario::Scenario scenario = scenario::load((folder / "job.toml").string(), {{}, {}, "."});
  const std::string text = report::timeline_json(scenario, scenario::simulate(scenario, {}));
  return json::parse(text);
}

struct Slice {
  std::int64_t begin, end;
  std::string name;
};

/// By process and lane, in the order of the file; whole nanoseconds.
std::map<std::pair<int, int>, std::vector<Slice>> lanes(const json& trace) {
  std::map<std::pair<int, int>, std::vector<Slice>> lanes;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    const std::int64_t begin = std::llround(event["ts"].get<double>() * 1e3);
    lanes[{event["pid"], event["tid"]}].push_back({begin, begin + std::llround(event["dur"].get<double>() * 1e3), event["name"]});
  }
  return lanes;
}

}  // namespace

// What Perfetto asks of a lane: a slice lies within the one that is open, or begins when that has ended.
TEST_CASE("slices of a lane nest or follow one another") {
  for (const std::string more : {"", "jitter = \"7 %\"\n"}) {
    const auto all = lanes(timeline(more));
    CHECK(all.size() == 2 * 3);
    for (const auto& [lane, slices] : all) {
      std::vector<Slice> open;
      for (const Slice& slice : slices) {
        CHECK(slice.end >= slice.begin);
        while (!open.empty() && open.back().end <= slice.begin) open.pop_back();
        if (!open.empty()) CHECK(slice.end <= open.back().end);
        CHECK(open.size() < 2);
        open.push_back(slice);
      }
    }
  }
}

TEST_CASE("every pass lies in a slice of its clock, and every instant of an iteration in one") {
  const json trace = timeline();
  std::set<std::string> outer;
  for (const auto& [lane, slices] : lanes(trace)) {
    std::int64_t covered = 0;
    int passes = 0;
    for (const Slice& slice : slices) {
      if (slice.begin < covered) {
        CHECK((slice.name[0] == 'F' || slice.name[0] == 'B'));
        ++passes;
      } else {
        CHECK(slice.begin == covered);
        covered = slice.end;
        outer.insert(slice.name);
      }
    }
    CHECK(passes == 2 * 5);
    CHECK(covered == lanes(trace).begin()->second.back().end);
  }
  CHECK(outer == std::set<std::string>{"A 1410 MHz", "bubble", "straggler_wait"});
}

TEST_CASE("lanes have names and counters follow the watts") {
  const json trace = timeline();
  std::vector<std::string> processes, threads;
  double joules = 0;
  std::map<std::string, std::vector<double>> watts;
  for (const json& event : trace["traceEvents"]) {
    if (event["name"] == "process_name") processes.push_back(event["args"]["name"]);
    if (event["name"] == "thread_name") threads.push_back(event["args"]["name"]);
    if (event["ph"] == "C" && event["pid"] == 1) watts[event["name"]].push_back(event["args"]["watts"]);
    if (event["ph"] == "X" && event.contains("args")) joules += event["args"]["joules"].get<double>();
  }
  CHECK(processes == std::vector<std::string>{"job, replica 0", "job, replica 1"});
  CHECK(threads.size() == 6);
  CHECK(watts.size() == 3);
  CHECK(*std::min_element(watts["stage 1 watts"].begin(), watts["stage 1 watts"].end()) == Approx(80));
  CHECK(watts["stage 0 watts"].front() == Approx(330));
  // Passes of the sound replica take 5 (33 + 66 + 29 + 61 + 37 + 71) J, of the slow one that over 0.9; waits 80 W for what is left of six lanes.
  CHECK(joules > 5 * 297 * (1 + 1 / 0.9));
}

TEST_CASE("a run without a job has no timeline") { CHECK(report::timeline_json({}, {}) == ""); }
