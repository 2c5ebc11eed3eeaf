#include "report/requests_h5.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "report/hdf5_objects.hpp"
#include "scenario/activity.hpp"

namespace joulecast::report {

namespace {

using namespace hdf5;

Handle made(hid_t parent, const char* name, hid_t stored, hsize_t count) {
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
  Handle layout = untimed(H5P_DATASET_CREATE);
  if (count > 0) {
    checked(H5Pset_chunk(layout, 1, &count), "H5Pset_chunk");
    checked(H5Pset_shuffle(layout), "H5Pset_shuffle");
    checked(H5Pset_deflate(layout, 4), "H5Pset_deflate");
  }
  const Handle links = named_links();
  return {H5Dcreate2(parent, name, stored, space, links, layout, H5P_DEFAULT), H5Dclose, "H5Dcreate2"};
}

template <class Value>
Handle written(hid_t parent, const char* name, hid_t stored, hid_t native, const std::vector<Value>& values) {
  Handle set = made(parent, name, stored, values.size());
  if (!values.empty()) checked(H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "H5Dwrite");
  return set;
}
Handle written(hid_t parent, const char* name, const std::vector<double>& values) {
  return written(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values);
}

void series(hid_t parent, const char* name, const char* units, const char* meaning, const std::vector<float>& values, Scale& scale) {
  const Handle set = written(parent, name, H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, values);
  put(set, "units", std::string(units));
  put(set, "long_name", std::string(meaning));
  put_scales(parent, name, set, {&scale});
}

void curve(hid_t parent, const char* name, const char* meaning, const scenario::LatencyCurve& latency, Scale& scale) {
  if (latency.seconds.empty()) return;
  const Handle set = written(parent, name, latency.seconds);
  put(set, "units", std::string("s"));
  put(set, "long_name", std::string(meaning));
  if (latency.limit_s) put(set, "slo_limit_s", *latency.limit_s);
  put_scales(parent, name, set, {&scale});
}

Handle opened(hid_t parent, const char* name) { return {H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, "H5Gopen2"}; }

}  // namespace

void write_requests_h5(hid_t file, const scenario::Result& result) {
  const scenario::Activity& activity = result.activity;
  if (activity.traffics.empty()) return;
  std::vector<double> starts;
  for (std::size_t i = 0; i < scenario::Activity::kIntervals; ++i) starts.push_back(static_cast<double>(i) * activity.interval_s);
  const Handle start_set = written(file, "interval_start", starts);
  Scale interval(file, start_set, "interval_start", "s", "start of the interval that requests are counted in, since the run began");
  const Handle share_set = written(file, "share", scenario::latency_shares());
  Scale share(file, share_set, "share", "1", "share of the requests");
  const Handle pools = opened(file, "pool"), links = named_links();
  for (std::size_t p = 0; p < activity.pools.size(); ++p) {
    const Handle pool = opened(pools, result.pools[p].name.c_str());
    const scenario::Activity::Pool& did = activity.pools[p];
    put(pool, "kv_capacity_tokens", static_cast<double>(result.pools[p].kv_blocks * result.pools[p].kv_block_tokens) * result.pools[p].replicas);
    series(pool, "running", "1", "mean requests under way in the interval", did.running, interval);
    series(pool, "context_tokens", "1", "mean tokens of their prompts and answers so far", did.context_tokens, interval);
    series(pool, "output_tokens_per_s", "s-1", "output tokens a second, spread evenly over a request's answer", did.output_tokens_per_s, interval);
  }
  const Handle traffics = group(file, "traffic", links);
  for (std::size_t t = 0; t < activity.traffics.size(); ++t) {
    const scenario::TrafficResult& figures = result.traffics[t];
    const Handle traffic = group(traffics, figures.name, links);
    series(traffic, "arrivals_per_s", "s-1", "requests that arrive a second", activity.traffics[t].arrivals_per_s, interval);
    series(traffic, "waiting", "1", "mean requests that wait for their first step", activity.traffics[t].waiting, interval);
    curve(traffic, "ttft_s", "time to first token that this share of the requests does not exceed", figures.ttft, share);
    curve(traffic, "tpot_s", "time per output token that this share of the requests does not exceed", figures.tpot, share);
    curve(traffic, "e2e_s", "time from arrival to last token that this share of the requests does not exceed", figures.e2e, share);
  }
  interval.finish();
  share.finish();
}

void write_iterations_h5(hid_t file, const std::vector<Iteration>& iterations) {
  if (iterations.empty()) return;
  const Handle links = named_links();
  const Handle jobs = group(file, "job", links);
  for (const Iteration& each : iterations) {
    const Handle job = group(jobs, each.job, links);
    const Handle iteration = group(job, "iteration", links);
    const auto listed = [](const std::vector<std::string>& names) {
      std::string text;
      for (const std::string& name : names) text += (text.empty() ? "" : "\n") + name;
      return text;
    };
    put(iteration, "lanes", listed(each.lanes));
    put(iteration, "kinds", listed(each.kinds));
    std::vector<std::int32_t> numbers(each.lane.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    const Handle number_set = written(iteration, "operation", H5T_STD_I32LE, H5T_NATIVE_INT32, numbers);
    Scale operation(file, number_set, "job/" + each.job + "/iteration/operation", "1", "number of the operation");
    const auto described = [&](const char* name, const Handle& set, const char* units, const char* meaning) {
      put(set, "units", std::string(units));
      put(set, "long_name", std::string(meaning));
      put_scales(iteration, name, set, {&operation});
    };
    described("lane", written(iteration, "lane", H5T_STD_I32LE, H5T_NATIVE_INT32, each.lane), "1", "position among the lanes");
    described("kind", written(iteration, "kind", H5T_STD_I32LE, H5T_NATIVE_INT32, each.kind), "1", "position among the kinds");
    described("start_s", written(iteration, "start_s", each.start_s), "s", "start, since the iteration began");
    described("duration_s", written(iteration, "duration_s", each.duration_s), "s", "how long it takes");
    described("clock_hz", written(iteration, "clock_hz", each.clock_hz), "Hz", "SM clock; 0 of a wait");
    described("joules", written(iteration, "joules", each.joules), "J", "energy of its GPUs");
    operation.finish();
  }
}

}  // namespace joulecast::report
