#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/run_facts.hpp"
#include "cli/scenario_input.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"
#include "scenario/load.hpp"
#include "scenario/simulate.hpp"
#include "study/sweep_point.hpp"

namespace joulecast::cli {
namespace {

using Json = nlohmann::ordered_json;
using report::Cell;
using report::Ink;
using report::words;
using scenario::Forecast;

void print_json(const std::string& name, const Forecast& forecast, Console& console) {
  Json out = {{"schema", 1}, {"name", name}};
  for (const auto& p : forecast.pools) {
    out["pool"][p.name] = {{"model", p.model},
                           {"gpu", p.gpu},
                           {"node", p.node},
                           {"replicas", p.replicas},
                           {"tensor_parallel_size", p.tensor_parallel_size},
                           {"gpus", p.gpus},
                           {"nodes", p.nodes},
                           {"kv_blocks", p.kv_blocks},
                           {"kv_tokens", p.kv_tokens},
                           {"nameplate_watts", p.nameplate_watts},
                           {"sustainable_requests_per_s", p.sustainable_requests_per_s}};
  }
  for (const auto& t : forecast.traffics) {
    out["traffic"][t.name] = {
        {"requests_per_s", t.requests_per_s}, {"mean_input", t.mean_input}, {"mean_output", t.mean_output}, {"over_context", t.over_context}};
    if (t.requests > 0) out["traffic"][t.name]["requests"] = t.requests;
  }
  for (const auto& f : forecast.feeds) {
    out["feed"][f.name] = {
        {"site", f.site}, {"rating_watts", f.rating_watts}, {"usable_watts", f.usable_watts}, {"nameplate_watts", f.nameplate_watts}};
  }
  out["no_pool"] = {{"gpus", forecast.unused_gpus}};
  out["offered_over_sustainable"] = forecast.offered_over_sustainable;
  out["notes"] = forecast.notes;
  console.print(out.dump(2) + "\n");
}

Cell number(std::string text) { return {std::move(text), Ink::plain, true}; }
Cell heading(std::string text, bool right = true) { return {std::move(text), Ink::heading, right}; }

void print_tables(const std::string& name, const Forecast& forecast, Console& console) {
  console.print(console.inked(Ink::heading, name) + "\n\n");
  report::Table pools;
  pools.row({heading("pool", false), heading("model", false), heading("replicas"), heading("GPUs", false), heading("nodes", false),
             heading("nameplate"), heading("KV blocks"), heading("KV tokens"), heading("sustains")});
  for (const auto& p : forecast.pools) {
    pools.row({words(p.name), words(p.model), number(fmt::format("{} x TP{}", p.replicas, p.tensor_parallel_size)),
               words(fmt::format("{} x {}", p.gpus, p.gpu)), words(fmt::format("{} x {}", p.nodes, p.node)),
               number(report::scaled(report::watts(), p.nameplate_watts)), number(report::with_separators(p.kv_blocks)),
               number(report::with_separators(p.kv_tokens)), number(report::three_digits(p.sustainable_requests_per_s) + " /s")});
  }
  console.print(pools.text(console.style()) + "\n");
  if (!forecast.feeds.empty()) {
    report::Table feeds;
    feeds.row({heading("feed", false), heading("site", false), heading("rating"), heading("usable"), heading("nameplate"), heading("of usable")});
    for (const auto& f : forecast.feeds) {
      feeds.row({words(f.name), words(f.site), number(report::scaled(report::watts(), f.rating_watts)),
                 number(report::scaled(report::watts(), f.usable_watts)), number(report::scaled(report::watts(), f.nameplate_watts)),
                 number(report::percent(f.nameplate_watts / f.usable_watts))});
    }
    console.print(feeds.text(console.style()) + "\n");
  }
  report::Table traffics;
  traffics.row(
      {heading("traffic", false), heading("requests"), heading("rate"), heading("tokens in"), heading("tokens out"), heading("over context")});
  for (const auto& t : forecast.traffics) {
    traffics.row({words(t.name), number(t.requests > 0 ? report::with_separators(t.requests) : "by rate"),
                  number(report::three_digits(t.requests_per_s) + " /s"), number(report::three_digits(t.mean_input)),
                  number(report::three_digits(t.mean_output)), number(report::with_separators(t.over_context))});
  }
  console.print(traffics.text(console.style()) + "\n");
  if (forecast.unused_gpus > 0) console.print(fmt::format("{} GPUs belong to no pool: they idle and are charged\n", forecast.unused_gpus));
  const std::string load = report::percent(forecast.offered_over_sustainable);
  console.print(fmt::format("offered load: {} of what the pools sustain\n",
                            console.inked(forecast.offered_over_sustainable > 1 ? Ink::bad : Ink::plain, load)));
}

}  // namespace

int check(const CheckArguments& arguments, Console& console) {
  const scenario::Scenario scenario = load_scenario(arguments.scenario);
  if (scenario.arms > 0) load_arms(arguments.scenario);  // for their faults
  const bool sweep = has_sweep(arguments.scenario);
  if (sweep) study::list_points(load_sweep(arguments.scenario), threads_or_cores(0));  // likewise
  const Forecast forecast = scenario::forecast(scenario);
  if (arguments.json) {
    print_json(scenario.name, forecast, console);
  } else {
    print_tables(scenario.name, forecast, console);
    console.flush();
    for (const std::string& note : forecast.notes) console.note(note);
    console.message(fmt::format("Next: joulecast {} {}", scenario.arms > 0 ? "compare" : sweep ? "sweep" : "run", repeated(arguments.scenario)));
  }
  return kDone;
}

}  // namespace joulecast::cli
