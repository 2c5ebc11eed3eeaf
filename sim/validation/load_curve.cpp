#include "validation/load_curve.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"
#include "hardware/profiles.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"

namespace joulecast::validation {
namespace {

constexpr int kGpus = 4;
constexpr double kOverloading = 30;  ///< requests/s, several times what is sustained
constexpr double kLeastRequests = 600;
constexpr double kLeastSeconds = 1200;

scenario::Result simulate(const std::string& share, double requests_per_s, double seconds) {
  scenario::LoadOptions options;
  options.share_dir = share;
  const std::string toml = fmt::format(
      "schema = 1\nname = \"load-curve\"\nseed = 1\n[time]\nduration = \"{:.6g} s\"\nwarmup = \"0 s\"\n[site.here]\npue = 1.0\n[pool.chat]\n"
      "node = \"dgx-h100\"\nmodel = \"meta-llama/Llama-3.1-70B-Instruct\"\ntensor_parallel_size = {}\nreplicas = 1\n[traffic.chat]\n"
      "requests = \"azure-2023-conv\"\nrequest_rate = \"{:.9g} /s\"\n",
      seconds, kGpus, requests_per_s);
  return scenario::simulate(scenario::load_text(toml, "load-curve.toml", options), {});
}

double context_idle_watts(const std::string& share) {
  config::Diagnostics diagnostics;
  const auto gpu = hardware::load_gpu(hardware::find_profile(hardware::gpu_folder(share), "GPU", "H100 SXM", {}), diagnostics);
  diagnostics.throw_if_failed();
  return gpu.idle.context.value.si();
}

std::optional<std::vector<Ours>> compute(const Sources& sources) {
  const double sustained = sustained_rate(sources.share);
  const auto at = [&](double load) { return load_point(sources.share, load, sustained); };
  const LoadPoint high = at(0.95), least = at(0.001), first = at(0.01), second = at(0.02);
  // A request's time in the system when it is alone.
  const auto off = [&](const LoadPoint& point) { return 100 * (point.busy - (1 - std::exp(-point.requests_per_s * least.mean_e2e_s))); };
  return std::vector<Ours>{{at(0.1).gpu_watts / high.gpu_watts},
                           {at(0.25).gpu_watts / high.gpu_watts},
                           {least.idle_watts / (kGpus * context_idle_watts(sources.share))},
                           {off(first)},
                           {off(second)}};
}

}  // namespace

double sustained_rate(const std::string& share) {
  const scenario::Result result = simulate(share, kOverloading, kLeastSeconds);
  const auto& overload = result.traffics.front().overload;
  JOULECAST_CHECK(overload.has_value(), "a replica that gets several times what it sustains is overloaded");
  return overload->sustained_requests_per_s;
}

LoadPoint load_point(const std::string& share, double load, double sustained_requests_per_s) {
  const double rate = load * sustained_requests_per_s;
  const scenario::Result result = simulate(share, rate, std::max(kLeastSeconds, kLeastRequests / rate));
  const auto& account = result.energy.pools.front();
  const auto idle = static_cast<std::size_t>(metering::State::context_idle);
  LoadPoint point;
  point.load = load;
  point.requests_per_s = rate;
  point.gpu_watts = account.joules[0] / result.horizon_s;
  point.busy = result.pools.front().busy;
  point.batch = result.pools.front().mean_batch;
  point.mean_e2e_s = result.traffics.front().e2e_s.mean;
  if (point.busy < 1) point.idle_watts = 1e-9 * static_cast<double>(account.state_nanojoules[idle]) / ((1 - point.busy) * result.horizon_s);
  return point;
}

std::vector<Comparison> load_curve() {
  const char* source = "the shape of step models: idle, then busy at small batch, then a nearly linear climb";
  const auto entry = [source](const char* id, const char* quantity, double expected, const char* unit, const char* tolerance) {
    return Entry{std::string("serving.load_curve.") + id, quantity, source, expected, unit, tolerance, Kind::derived};
  };
  return {{{entry("power_10_over_95", "watts at 10 % load over those at 95 %", 0.65, "", "0.1 points"),
            entry("power_25_over_95", "watts at 25 % load over those at 95 %", 0.765, "", "0.085 points"),
            entry("idle", "watts without work over context idle", 1, "", "1e-6"),
            entry("busy_at_1", "busy share at 1 % load less 1 - exp(-lambda*E[S])", 0, "%", "3 points"),
            entry("busy_at_2", "busy share at 2 % load less 1 - exp(-lambda*E[S])", 0, "%", "3 points")},
           compute}};
}

}  // namespace joulecast::validation
