// Which charts a page has, from what it is about.
"use strict";

jc.tiles = (entries) => {
  const tiles = document.getElementById("tiles");
  for (const [value, name] of entries.filter(([text]) => text && !text.startsWith("–"))) {
    tiles.append(jc.element("div", { class: "tile" }, jc.element("b", {}, value), jc.element("span", {}, name)));
  }
};

jc.runTiles = ({ summary }) => {
  const worst = (metric) => Math.max(...Object.values(summary.traffic || {}).map((t) => jc.at(t, metric, "p99")).filter(Number.isFinite));
  const slo = Object.values(summary.traffic || {}).map((t) => t.slo_attainment).filter(Number.isFinite);
  const job = Object.values(summary.training || {})[0];
  const known = (family, ...path) => {
    const value = jc.at(summary, ...path);
    return jc.scaled(family, value, jc.digits(value, jc.at(summary, "interval80", ...path)));
  };
  const digits = jc.digits(jc.at(summary, "energy_joules", "facility"), jc.at(summary, "interval80", "energy_joules", "facility"));
  const paid = summary.cost && ("rental" in summary.cost || "capital" in summary.cost);
  jc.tiles([
    [known("Wh", "energy_joules", "facility"), "facility energy"],
    [known("W", "power_watts", "it", "mean"), "mean IT power"],
    [known("J", "energy_per_output_token_joules", "facility"), "an output token, at the facility"],
    [jc.scaled("s", worst("ttft_s")), "TTFT p99"],
    [jc.scaled("s", worst("tpot_s")), "TPOT p99"],
    [slo.length ? jc.percent(Math.min(...slo)) : "", "of requests within the SLO"],
    [job ? jc.scaled("s", job.iteration_s) : "", "a training iteration"],
    [summary.cost ? `${jc.three(summary.cost.total, paid ? 3 : digits)} ${summary.cost.currency}` : "", "cost of the run"],
    [jc.scaled("g", summary.carbon_grams, digits), "CO2e"],
  ]);
};

jc.sources = (parent, data) => {
  if (!data.scenario && !data.report && !data.run) return;
  const card = jc.card(parent, "Scenario, inputs and versions");
  const whole = (title, text) => {
    if (text) card.append(jc.element("details", {}, jc.element("summary", {}, title), jc.element("pre", { class: "whole", tabindex: "0" }, text)));
  };
  whole(data.kind === "fit" ? "The fitted profile" : "The resolved scenario, every default written out", data.scenario);
  whole("The tables of the terminal, with notes", data.report);
  const run = data.run;
  if (!run) return;
  const inputs = jc.element("details", {}, jc.element("summary", {}, `${(run.inputs || []).length} input files`),
    jc.table(["File", "SHA-256"], (run.inputs || []).map((input) => [input.path, input.sha256])));
  card.append(inputs, jc.element("p", { class: "note" }, `joulecast ${run.version} (${run.git_hash}), ${run.compiler}; seed ${run.seed}.`));
};

jc.pages = {
  run: (parent, data) => {
    jc.runTiles(data);
    jc.powerOverTime(parent, data);
    jc.latencyCurves(parent, data);
    jc.activity(parent, data);
    const pair = jc.pair(parent);
    jc.energyByState(pair, data);
    jc.intervals(pair, data);
    jc.errorSources(pair, data);
    jc.coverage(pair, data);
    jc.moneyAndCarbon(pair, data);
    jc.iterations(parent, data);
  },
  compare: (parent, data) => jc.comparison(parent, data),
  frontier: (parent, data) => jc.frontier(parent, data),
  sweep: (parent, data) => jc.sweep(parent, data),
  plan: (parent, data) => jc.plan(parent, data),
  fit: (parent, data) => jc.fit(parent, data),
};

{
  const figures = document.getElementById("figures");
  jc.pages[jc.data.kind](figures, jc.data);
  jc.sources(figures, jc.data);
}
