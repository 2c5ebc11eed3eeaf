// A run: power over time, energy by state, latencies, cost, coverage and intervals.
"use strict";

jc.boundaries = [["gpu", "GPUs"], ["chassis_ac", "Chassis AC"], ["it", "IT"], ["facility", "Facility"]];
/** What makes up the watts of a boundary, from the bottom of a stack: GPU states, then what each boundary adds. */
jc.layers = [
  ["bare_idle", "GPUs bare idle"], ["context_idle", "GPUs context idle"], ["spin_wait", "GPUs spin-waiting"], ["active", "GPUs active"],
  ["host", "Hosts, fans and supplies"], ["network", "Network"], ["cooling", "Cooling and distribution"],
];
jc.layersUpTo = (boundary) => ({ gpu: 4, chassis_ac: 5, it: 6, facility: 7 })[boundary];

/** Watts of every layer over time. */
jc.layerSeries = (power) => {
  const states = ["bare_idle", "context_idle", "spin_wait", "active"].map((state) => jc.values(power.state[state]));
  const at = jc.boundaries.map(([key]) => jc.values(power.boundary[key]));
  const added = [1, 2, 3].map((b) => at[b].map((watts, i) => Math.max(0, watts - at[b - 1][i])));
  return [...states, ...added];
};

jc.powerOverTime = (parent, data) => {
  const power = data.power;
  if (!power || !power.boundary.it) return;
  const layers = jc.layerSeries(power), places = power.place || [];
  const card = jc.card(parent, "Power over time", power.averaged > 1 ? `Means of ${jc.three(power.bin_s)} s; results.h5 has every bin.` : `Means of ${jc.three(power.bin_s)} s.`);
  let chosen = "facility";
  const choices = [...jc.boundaries.map(([id, name]) => ({ id, name })), ...places.map((place, i) => ({ id: "place" + i, name: `${place.kind} ${place.name}` }))];
  const view = () => {
    if (chosen.startsWith("place")) {
      const place = places[Number(chosen.slice(5))], watts = jc.values(place.watts), most = jc.largest(watts);
      const limit = place.usable_watts ? { value: place.usable_watts, name: "usable" } : null;
      return { step: power.bin_s, names: [`IT power of ${place.kind} ${place.name}`], colours: [jc.colour("active")], series: [watts], stacked: true, unit: "W", limit,
        alt: `IT power of ${place.kind} ${place.name} over time: mean ${jc.scaled("W", jc.mean(watts))}, largest bin ${jc.scaled("W", most)}` + (limit ? `, limit ${jc.scaled("W", limit.value)}.` : ".") };
    }
    const count = jc.layersUpTo(chosen), shown = jc.layers.slice(0, count).map(([key, name], i) => ({ key, name, values: layers[i] }))
      .filter((layer) => layer.values.length && jc.largest(layer.values) > 0).reverse();
    const whole = jc.values(power.boundary[chosen]), name = jc.boundaries.find(([key]) => key === chosen)[1];
    const feeds = places.filter((place) => place.usable_watts);
    const limit = chosen === "it" && feeds.length === 1 && places.length <= 2 ? { value: feeds[0].usable_watts, name: `usable of feed ${feeds[0].name}` } : null;
    return { step: power.bin_s, names: shown.map((l) => l.name), colours: shown.map((l) => jc.colour(l.key)), series: shown.map((l) => l.values), stacked: true, unit: "W", limit,
      alt: `${name} power over time, stacked by state: mean ${jc.scaled("W", jc.mean(whole))}, largest bin ${jc.scaled("W", jc.largest(whole))}.` };
  };
  let paint = () => {};
  const control = jc.choice("Boundary", choices, chosen, (id) => { chosen = id; paint(); });
  paint = jc.overTime(card, { controls: [control], view, height: 380 });
};

jc.energyByState = (parent, data) => {
  const energy = data.summary.energy_joules, states = data.summary.gpu_energy_by_state_joules;
  if (!energy || !states) return;
  const at = (key) => energy[key] || 0;
  const joules = [states.bare_idle, states.context_idle, states.spin_wait, states.active, at("chassis_ac") - at("gpu"), at("it") - at("chassis_ac"), at("facility") - at("it")];
  const shown = jc.layers.map(([key, name], i) => ({ key, name, joules: joules[i] || 0, from: Math.max(0, i - 3) })).filter((layer) => layer.joules > 0);
  const [unit, size] = jc.unit("Wh", at("facility"));
  const rows = jc.boundaries.map(([, name]) => name);
  const card = jc.card(parent, "Energy by state at four boundaries");
  const value = (r, p) => (r >= shown[p].from ? shown[p].joules / size : 0);
  jc.chart(card, {
    height: 260,
    alt: () => `Energy: ${jc.boundaries.map(([key, name]) => `${name} ${jc.scaled("Wh", at(key))}`).join(", ")}. ` + shown.map((s) => `${s.name} ${jc.percent(s.joules / at("facility"))} of the facility's`).join(", ") + ".",
    table: () => ({ columns: ["", ...rows], rows: shown.map((s, p) => [s.name, ...rows.map((_, r) => (value(r, p) ? jc.scaled("Wh", s.joules) : "0"))]) }),
    config: () => jc.stackedConfig({ rows, parts: shown.map((s) => s.name), colours: () => shown.map((s) => jc.colour(s.key)), value, text: (v) => `${jc.plain(v)}`, title: unit }),
  });
  card.insertBefore(jc.legend(shown.map((s) => ({ name: s.name, colour: () => jc.colour(s.key) }))), card.querySelector("details"));
};

jc.latencyCurves = (parent, data) => {
  const latency = data.latency;
  if (!latency || !latency.traffic.some((t) => t.ttft_s)) return;
  const shares = jc.values(latency.share), pair = jc.pair(parent, "trio");
  for (const [key, title] of [["ttft_s", "Time to first token"], ["tpot_s", "Time per output token"], ["e2e_s", "End-to-end latency"]]) {
    const traffics = latency.traffic.map((t, i) => ({ name: t.name, colour: () => jc.series(i), curve: t[key] && jc.values(t[key].seconds), limit: t[key] && t[key].limit_s })).filter((t) => t.curve);
    if (!traffics.length) continue;
    const card = jc.card(pair, title);
    const quantile = (t, q) => t.curve[shares.findIndex((s) => s >= q - 1e-6)];
    const limits = traffics.filter((t) => t.limit > 0);
    const within = (t) => { const past = t.curve.findIndex((s) => s > t.limit); return past < 0 ? 1 : past === 0 ? 0 : shares[past - 1]; };
    jc.chart(card, {
      height: 260,
      alt: () => `${title}, share of requests: ` + traffics.map((t) => `${t.name} median ${jc.scaled("s", quantile(t, 0.5))}, p99 ${jc.scaled("s", quantile(t, 0.99))}` +
        (t.limit ? `, limit ${jc.scaled("s", t.limit)} kept by about ${jc.percent(within(t))}` : "")).join("; ") + ".",
      table: () => ({ columns: ["Share of requests", ...traffics.map((t) => t.name)], rows: [0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1].map((q) => [jc.percent(q), ...traffics.map((t) => jc.scaled("s", quantile(t, q)))]) }),
      config: () => ({
        type: "scatter",
        data: { datasets: [
          ...traffics.map((t) => ({ label: t.name, data: t.curve.map((s, i) => ({ x: Math.max(s, 1e-6), y: shares[i] })), showLine: true, pointRadius: 0, pointHitRadius: 8, borderColor: t.colour(), borderWidth: 2 })),
          ...limits.map((t) => ({ label: `SLO of ${t.name}`, data: [{ x: t.limit, y: 0 }, { x: t.limit, y: 1 }], showLine: true, pointRadius: 0, borderColor: jc.colour("limit"), borderDash: [6, 4], borderWidth: 2 })),
        ] },
        options: {
          interaction: { mode: "nearest", axis: "x", intersect: false },
          plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${jc.percent(item.parsed.y)} within ${jc.scaled("s", item.parsed.x)}` } } },
          scales: { x: jc.logSeconds(""), y: jc.axis("", (v) => Math.round(100 * v) + " %", { min: 0, max: 1 }) },
        },
      }),
    });
    const entries = traffics.map((t) => ({ name: t.name, colour: t.colour, stroke: true }));
    for (const t of limits) entries.push({ name: `limit${traffics.length > 1 ? " of " + t.name : ""}: ${jc.scaled("s", t.limit)}`, colour: () => jc.colour("limit"), stroke: true });
    card.insertBefore(jc.legend(entries), card.querySelector("details"));
  }
};

jc.moneyAndCarbon = (parent, data) => {
  const cost = data.summary.cost;
  if (!cost) return;
  const parts = [["energy", "Energy"], ["demand", "Demand charge"], ["rental", "Rental"], ["capital", "Capital"]].filter(([key]) => cost[key] > 0);
  if (parts.length < 2) return;
  const card = jc.card(parent, "Cost of the run");
  const text = (v) => `${jc.three(v)} ${cost.currency}`;
  const rows = parts.map(([key, name]) => ({ name, value: cost[key] }));
  jc.chart(card, {
    height: 60 + 44 * rows.length,
    alt: () => `Cost ${text(cost.total)}: ` + rows.map((row) => `${row.name} ${text(row.value)}`).join(", ") + ".",
    table: () => ({ columns: ["", cost.currency], rows: rows.map((row) => [row.name, jc.three(row.value)]) }),
    config: () => jc.intervalConfig({ rows: rows.map((row, i) => ({ ...row, colour: jc.series(i) })), text, tick: jc.plain, title: cost.currency, zero: true }),
  });
};

jc.coverage = (parent, data) => {
  const coverage = data.summary.coverage || {};
  const rows = [["energy", "of the energy"], ["time", "of the time"]].filter(([key]) => coverage[key]);
  if (!rows.length) return;
  const kinds = [...new Set(rows.flatMap(([key]) => Object.keys(coverage[key])))];
  const colours = () => kinds.map((kind) => ({ measured: jc.colour("network"), calibrated: jc.colour("context_idle") })[kind] || jc.colour("spin_wait"));
  const card = jc.card(parent, "How well it is known", "Shares whose figures were measured, calibrated on runs, or modelled.");
  jc.chart(card, {
    height: 150,
    alt: () => rows.map(([key, name]) => kinds.map((kind) => `${jc.percent(coverage[key][kind] || 0)} ${name} ${kind}`).join(", ")).join("; ") + ".",
    table: () => ({ columns: ["", ...kinds], rows: rows.map(([key, name]) => [name, ...kinds.map((kind) => jc.percent(coverage[key][kind] || 0))]) }),
    config: () => {
      const config = jc.stackedConfig({ rows: rows.map(([, name]) => name), parts: kinds, colours, value: (r, p) => coverage[rows[r][0]][kinds[p]] || 0, text: (v) => Math.round(100 * v) + " %", title: "" });
      config.options.scales.x.max = 1;
      return config;
    },
  });
  card.insertBefore(jc.legend(kinds.map((kind, i) => ({ name: kind, colour: () => colours()[i] }))), card.querySelector("details"));
};

/** What the variance of a figure comes from, where errors were drawn. */
jc.errorSources = (parent, data) => {
  const sources = jc.at(data.summary, "uncertainty", "sources") || [];
  const shares = (key) => sources.filter((s) => s.share[key] > 0.005).sort((a, b) => b.share[key] - a.share[key]).slice(0, 8);
  const keys = Object.keys(data.summary.uncertainty ? data.summary.uncertainty.intervals : {}).filter((key) => shares(key).length);
  if (!keys.length) return;
  let figure = keys.find((key) => key === "energy_per_output_token_joules.facility") || keys[0], paint = () => {};
  const card = jc.card(parent, "Where the uncertainty comes from", "Shares of a figure's variance; measuring the widest source narrows it most.");
  card.append(jc.element("div", { class: "controls" }, jc.select("Figure", keys.map((id) => ({ id, name: jc.words(id) })), figure, (id) => { figure = id; paint(); })));
  const rows = () => shares(figure).map((s) => ({ name: s.name, value: s.share[figure], colour: jc.series(0) }));
  paint = jc.chart(card, {
    height: 320,
    alt: () => `Variance of ${jc.words(figure)}: ` + rows().map((row) => `${jc.percent(row.value)} from ${row.name}`).join(", ") + ".",
    table: () => ({ columns: ["Source", "Share", "Stated error", "What would narrow it"], rows: shares(figure).map((s) => [s.name, jc.percent(s.share[figure]), jc.percent(s.relative_error), s.remedy || ""]) }),
    config: () => jc.intervalConfig({ rows: rows(), text: jc.percent, tick: (v) => Math.round(100 * v) + " %", title: "", zero: true }),
  });
};

jc.intervals = (parent, data) => {
  const { summary } = data, interval = summary.interval80;
  if (!interval) return;
  const figure = interval.energy_per_output_token_joules ? ["energy_per_output_token_joules", "Energy per output token", "J"] : ["energy_joules", "Energy", "Wh"];
  const [key, title, family] = figure;
  const rows = jc.boundaries.filter(([b]) => jc.at(interval, key, b) && jc.at(summary, key, b) > 0).map(([b, name]) => ({ name, value: summary[key][b], low: interval[key][b][0], high: interval[key][b][1] }));
  if (!rows.length) return;
  const card = jc.card(parent, `${title}, with 80 % intervals`, "From the errors that the hardware and workload profiles state.");
  const text = (v) => jc.scaled(family, v);
  jc.chart(card, {
    height: 210,
    alt: () => `${title}: ` + rows.map((row) => `${row.name} ${text(row.value)}, ${text(row.low)} to ${text(row.high)}`).join("; ") + ".",
    table: () => ({ columns: ["", "Value", "Low", "High"], rows: rows.map((row) => [row.name, text(row.value), text(row.low), text(row.high)]) }),
    config: () => {
      const [unit, size] = jc.unit(family, jc.largest(rows.map((row) => row.high)));
      const scaled = rows.map(({ name, value, low, high }) => ({ name, value: value / size, low: low / size, high: high / size }));
      return jc.intervalConfig({ rows: scaled, text: (v) => `${jc.three(v)} ${unit}`, tick: jc.plain, title: unit, zero: true, colour: () => jc.series(0) });
    },
  });
};
