#pragma once

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "metering/ledger.hpp"
#include "scenario/result.hpp"

namespace joulecast::report::test {

/// Two nodes for half an hour: one pool of 8 GPUs that is busy for two thirds, 8 GPUs of nobody; the energy comes from a real ledger.
inline metering::EnergyAccount sample_energy() {
  using namespace metering;
  Ledger ledger(span_from_seconds(1), 1.25);
  const ClassId gemm = ledger.register_class("gemm");
  const auto chat = ledger.add_pool("chat"), rest = ledger.add_pool("no pool");
  NodeOverhead overhead;
  overhead.host = Watts(1250);
  overhead.psu_rated = Watts(19800);
  overhead.psu_efficiency = {{0.1, 0.90}, {0.2, 0.94}, {0.5, 0.96}, {1.0, 0.91}};
  const auto a = ledger.add_node("node-0", 8, overhead), b = ledger.add_node("node-1", 8, overhead);
  Meter& busy = ledger.add_device("chat/0", chat, a, 8);
  Meter& idle = ledger.add_device("rest", rest, b, 8);
  const auto at = [](double s) { return FixedTime::from_units(s); };
  const auto joules = [](double j) { return FixedEnergy::from_units(j); };
  busy.add_steps(State::active, {}, 1200 * 16, {at(1.0 / 16), {}}, {joules(250), {}});
  busy.add_class(gemm, at(1200), joules(250.0 * 1200 * 16));
  busy.add(State::context_idle, at(1200), at(1800), joules(1000.0 * 600));
  idle.add(State::bare_idle, {}, at(1800), joules(560.0 * 1800));
  return ledger.close(Time{1'800'000'000'000}, {});
}

inline scenario::Result sample() {
  scenario::Result result;
  result.name = "sample";
  result.seed = 7;
  result.horizon_s = 1800;
  result.energy = sample_energy();
  scenario::TrafficResult traffic;
  traffic.name = "chat";
  traffic.arrived = 12003;
  traffic.completed = 12000;
  traffic.unfinished = 3;
  traffic.input_tokens = 13'900'000;
  traffic.output_tokens = 2'400'000;
  traffic.output_tokens_per_s = 2.4e6 / 1800;
  traffic.slo_attainment = 0.9871;
  traffic.slo_target = 0.99;
  traffic.ttft_s = {0.20, 0.142, 0.31, 1.204};
  traffic.tpot_s = {0.033, 0.031, 0.040, 0.0481};
  traffic.itl_s = {std::nan(""), std::nan(""), std::nan(""), std::nan("")};
  traffic.e2e_s = {7.0, 6.1, 14.0, 22.04};
  traffic.queue_s = {0.05, 0.02, 0.1, std::nan("")};
  result.traffics.push_back(traffic);
  scenario::PoolResult pool;
  pool.name = "chat";
  pool.model = "meta-llama/Llama-3.1-70B-Instruct";
  pool.gpu = "h100-sxm-80gb";
  pool.node = "dgx-h100";
  pool.replicas = 2;
  pool.tensor_parallel_size = 4;
  pool.gpus = 8;
  pool.mean_batch = 21.37;
  pool.busy = 2.0 / 3;
  pool.kv_usage = 0.412;
  pool.clock = "1980 MHz";
  pool.output_tokens = 2'400'000;
  pool.steps = 19200;
  pool.watts_source = "calibrated";
  result.pools.push_back(pool);
  result.no_pool_gpus = 8;
  result.energy_coverage = {{"calibrated", 0.7}, {"modelled", 0.3}};
  result.time_coverage = {{"modelled", 1.0}};
  result.audit = {true, 0.999};
  result.inputs = {{"scenario.toml", std::string(64, 'a')}};
  result.events = 123456;
  result.windows = 1800;
  result.parallel_windows = 17;
  return result;
}

inline std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder of its own for a test, removed at its end.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "joulecast-report-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace joulecast::report::test
