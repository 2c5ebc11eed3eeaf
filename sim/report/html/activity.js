// What requests did over time: load, throughput, batch and KV by pool.
"use strict";

jc.activity = (parent, data) => {
  const activity = data.activity;
  if (!activity) return;
  const draw = (title, note, metrics) => {
    const usable = metrics.filter((metric) => metric.of.length && metric.of.some((each) => jc.largest(metric.values(each)) > 0));
    if (!usable.length) return;
    const card = jc.card(pair, title, note);
    let chosen = usable[0];
    const view = () => {
      const series = chosen.of.map(chosen.values);
      return { step: activity.interval_s, names: chosen.of.map((each) => each.name), colours: chosen.of.map((_, i) => jc.series(i)), series, unit: chosen.unit, stacked: false,
        alt: `${chosen.name} over time: ` + chosen.of.map((each, i) => `${each.name} mean ${jc.amount(chosen.unit, jc.mean(series[i]))}, largest ${jc.amount(chosen.unit, jc.largest(series[i]))}`).join("; ") + "." };
    };
    let paint = () => {};
    const control = jc.choice(title, usable.map((metric) => ({ id: metric, name: metric.name })), chosen, (id) => { chosen = id; paint(); });
    paint = jc.overTime(card, { controls: [control], view, height: 280 });
  };
  const pair = jc.pair(parent);
  draw("Load and throughput", `Means of ${jc.three(activity.interval_s)} s, by pool or traffic.`, [
    { name: "Output tokens/s", unit: "", of: activity.pool, values: (pool) => jc.values(pool.output_tokens_per_s) },
    { name: "Arrivals/s", unit: "", of: activity.traffic, values: (traffic) => jc.values(traffic.arrivals_per_s) },
    { name: "Waiting", unit: "", of: activity.traffic, values: (traffic) => jc.values(traffic.waiting) },
  ]);
  draw("Batch and KV", "Requests under way; the KV that their prompts and answers fill, before what prompts share.", [
    { name: "Requests under way", unit: "", of: activity.pool, values: (pool) => jc.values(pool.running) },
    { name: "KV filled", unit: "share", of: activity.pool.filter((pool) => pool.kv_capacity_tokens > 0), values: (pool) => jc.values(pool.context_tokens).map((tokens) => tokens / pool.kv_capacity_tokens) },
  ]);
};

jc.amount = (unit, value) => (unit === "share" ? jc.percent(value) : jc.three(value));
