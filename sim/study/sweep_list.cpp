#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "base/hash.hpp"
#include "config/inline_text.hpp"
#include "scenario/run_hash.hpp"
#include "study/parallel.hpp"
#include "study/sweep_objectives.hpp"
#include "study/sweep_point.hpp"

namespace joulecast::study {

namespace {

/// SHA-256 of files, each read once.
class InputHashes {
 public:
  std::string operator()(const std::string& path) {
    const std::lock_guard lock(mutex_);
    const auto known = hashes_.find(path);
    if (known != hashes_.end()) return known->second;
    return hashes_[path] = sha256_of_file(path);
  }
  std::vector<scenario::Input> inputs() const {
    std::vector<scenario::Input> all;
    for (const auto& [path, hash] : hashes_) all.push_back({path, hash});
    return all;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> hashes_;
};

/// What a point says beside its hash.
struct Named {
  std::vector<std::string> traffics, jobs, required;
  std::vector<UserFault> faults;
};

void add_new(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& each : more) {
    if (std::find(all.begin(), all.end(), each) == all.end()) all.push_back(each);
  }
}

std::string hash_of(const scenario::SweepFile& file, const ListedSweep& sweep) {
  const scenario::SweepSettings& settings = file.table().settings;
  std::string content = fmt::format("{}\n", static_cast<int>(settings.boundary));
  for (const std::string& objective : settings.objectives) content += objective + "\n";
  for (const scenario::SweepDimension& dimension : file.table().dimensions) content += dimension.name() + "\n";
  for (const ListedPoint& point : sweep.points) {
    for (const std::string& setting : point.settings) content += setting + "\n";
    content += point.hash.empty() ? point.failure : point.hash;
  }
  return sha256(content).substr(0, 16);
}

}  // namespace

ListedSweep list_points(const scenario::SweepFile& file, int threads) {
  ListedSweep sweep;
  sweep.points.resize(file.points());
  std::vector<Named> named(file.points());
  InputHashes hashes;
  in_parallel(threads, file.points(), [&](std::size_t i) {
    ListedPoint& point = sweep.points[i];
    point.at = file.at(i);
    point.settings = file.settings(i);
    try {
      const scenario::Scenario scenario = file.scenario(i);
      point.hash = scenario::run_hash(scenario, std::ref(hashes));
      for (const scenario::Traffic& traffic : scenario.traffics) {
        named[i].traffics.push_back(traffic.name);
        if (traffic.slo && traffic.slo->required) named[i].required.push_back(traffic.name);
      }
      for (const scenario::TrainingJob& job : scenario.jobs) named[i].jobs.push_back(job.name);
    } catch (const UserError& error) {
      point.failure = error.what();
      named[i].faults = error.faults();
    }
  });
  scenario::SharedFaults faults;
  bool any = false;
  for (std::size_t i = 0; i < named.size(); ++i) {
    any = any || sweep.points[i].failure.empty();
    if (!named[i].faults.empty()) faults.add(UserError(named[i].faults));
    add_new(sweep.traffics, named[i].traffics);
    add_new(sweep.jobs, named[i].jobs);
    add_new(sweep.required_slo, named[i].required);
  }
  if (!any) faults.throw_if_any();
  check_objectives(file.table().settings, sweep.traffics, sweep.jobs);
  sweep.inputs = hashes.inputs();
  sweep.hash = hash_of(file, sweep);
  return sweep;
}

}  // namespace joulecast::study
