// Arms side by side: values and differences from the reference, by figure.
"use strict";

jc.comparison = (parent, data) => {
  const compared = data.compare, arms = Object.entries(compared.arm);
  const known = Object.keys(compared.figure).filter((key) => arms.some(([, arm]) => Number.isFinite(jc.at(arm, "values", key, "value"))));
  const preferred = known.find((key) => key.startsWith("energy_per_output_token")) || known.find((key) => key.startsWith("energy")) || known[0];
  if (!preferred) return;
  let figure = preferred;
  const unit = () => compared.figure[figure].unit, better = () => compared.figure[figure].better;
  const hint = () => ({ lower: "lower is better", higher: "higher is better" })[better()] || "";
  // Where the intervals come from: replications, or draws of the profiles' errors.
  let profile = Boolean(compared.uncertainty);
  const level = (arm, end) => (profile ? jc.at(arm, "profile_error", "values", figure, end) : jc.at(arm, "values", figure, "interval", end));
  const colourOf = (name) => jc.series(arms.findIndex(([arm]) => arm === name));
  const values = () => arms.map(([name, arm]) => ({ name, colour: colourOf(name), value: jc.at(arm, "values", figure, "value"), low: level(arm, 0), high: level(arm, 1) })).filter((row) => Number.isFinite(row.value));
  const differences = () => arms.filter(([name]) => name !== compared.reference).map(([name, arm]) => {
    const d = jc.at(arm, "difference", figure) || {};
    const known = profile ? jc.at(arm, "profile_error", "difference", figure) || {} : d;
    return { name, colour: colourOf(name), value: d.relative_value, low: jc.at(known, "relative_interval", 0), high: jc.at(known, "relative_interval", 1), verdict: known.verdict };
  }).filter((row) => Number.isFinite(row.value));
  const signed = (share) => (share > 0 ? "+" : "") + (100 * share).toFixed(Math.abs(share) < 0.0995 ? 2 : 1) + " %";

  const head = jc.card(parent, "Arms by figure", [compared.uncertainty ? `Bars: ${Math.round(100 * compared.uncertainty.confidence)} % intervals over ${compared.uncertainty.draws} draws of the profiles' errors, the same in all arms.` : "",
    compared.confidence ? `${Math.round(100 * compared.confidence)} % intervals over ${compared.seeds.length} replications on the same requests.` : "", compared.uncertainty || compared.confidence ? "" : "One replication: no intervals."].filter(Boolean).join(" "));
  const repaint = [];
  const origin = compared.uncertainty && compared.confidence ? jc.choice("Intervals from", [{ id: true, name: "Profiles' errors" }, { id: false, name: "Replications" }], true, (id) => {
    profile = id;
    repaint.forEach((paint) => paint());
  }) : null;
  head.append(jc.element("div", { class: "controls" }, origin || "", jc.select("Figure", known.map((id) => ({ id, name: `${jc.words(id)}${compared.figure[id].unit && compared.figure[id].unit !== "1" ? " (" + compared.figure[id].unit + ")" : ""}` })), figure, (id) => {
    figure = id;
    repaint.forEach((paint) => paint());
  })));
  const add = (title, rows, text, zero) => {
    head.append(jc.element("h3", {}, title));
    repaint.push(jc.chart(head, {
      height: 64 + 40 * arms.length,
      alt: () => `${title}, ${jc.words(figure)}${hint() ? ", " + hint() : ""}: ` + rows().map((row) => `${row.name} ${text(row.value)}` + (Number.isFinite(row.low) ? ` (${text(row.low)} to ${text(row.high)})` : "") + (row.verdict ? `, ${row.verdict}` : "")).join("; ") + ".",
      table: () => ({ columns: ["Arm", jc.words(figure), "Low", "High", "Verdict"], rows: rows().map((row) => [row.name, text(row.value), text(row.low), text(row.high), row.verdict || ""]) }),
      config: () => jc.intervalConfig({ rows: rows(), text, title: [jc.words(figure), hint()].filter(Boolean).join(", "), zero }),
    }));
  };
  add("Values", values, (v) => jc.quantity(unit(), v), false);
  if (arms.length > 1) add(`Difference from ${compared.reference}`, differences, (v) => (Number.isFinite(v) ? signed(v) : "–"), true);
};
