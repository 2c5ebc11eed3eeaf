// A plan: candidates side by side, the fleets that were tried, and where the answer turns.
"use strict";

jc.plan = (parent, data) => {
  const { plan } = data, candidates = Object.entries(plan.candidate);
  const fleets = candidates.filter(([, c]) => c.fleet);
  const colourOf = (name) => jc.series(candidates.findIndex(([each]) => each === name));
  const figures = [
    ["Cost a month", (f) => jc.at(f, "cost", "total_per_month"), (v, f) => `${jc.three(v)} ${jc.at(f, "cost", "currency") || ""}`],
    ["Energy per output token, facility", (f) => jc.at(f, "energy_per_output_token_joules", "facility"), (v) => jc.scaled("J", v)],
    ["Peak IT power", (f) => f.peak_it_watts, (v) => jc.scaled("W", v)],
    ["GPUs", (f) => f.gpus, (v) => String(v)],
  ];
  const pair = jc.pair(parent);
  for (const [title, of, text] of figures) {
    const rows = fleets.map(([name, c]) => ({ name, value: of(c.fleet), colour: colourOf(name), verdict: c.verdict })).filter((row) => Number.isFinite(row.value));
    if (!rows.length) continue;
    const said = (v) => text(v, fleets[0][1].fleet);
    const card = jc.card(pair, title);
    jc.chart(card, {
      height: 60 + 38 * rows.length,
      alt: () => `${title}: ` + rows.map((row) => `${row.name} ${said(row.value)}, ${row.verdict}`).join("; ") + ".",
      table: () => ({ columns: ["Candidate", title, "Verdict"], rows: rows.map((row) => [row.name, said(row.value), row.verdict]) }),
      config: () => jc.intervalConfig({ rows, text: title === "Cost a month" ? jc.plain : said, title: title === "Cost a month" ? jc.at(fleets[0][1].fleet, "cost", "currency") : "", zero: true }),
    });
  }
  jc.triedFleets(parent, candidates, colourOf);
};

/** How far each tried fleet was from its SLO: above 0 it holds. */
jc.triedFleets = (parent, candidates, colourOf) => {
  const tried = candidates.map(([name, c]) => ({ name, points: (c.tried || []).filter((t) => Number.isFinite(t.margin)).sort((a, b) => a.nodes - b.nodes) })).filter((c) => c.points.length);
  if (!tried.length) return;
  const card = jc.card(parent, "Fleets that were tried", "The margin to the SLO of the nodes that are left: 0 or more holds.");
  jc.chart(card, {
    height: 320,
    alt: () => tried.map((c) => {
      const held = c.points.filter((p) => p.held).map((p) => p.nodes);
      return `${c.name}: ${c.points.length} fleets tried, ` + (held.length ? `${Math.min(...held)} nodes the smallest that holds` : "0 of them hold");
    }).join("; ") + ".",
    table: () => ({ columns: ["Candidate", "Nodes", "Holds", "Margin"], rows: tried.flatMap((c) => c.points.map((p) => [c.name, String(p.nodes), p.held ? "yes" : "no", jc.percent(p.margin)])) }),
    config: () => ({
      type: "scatter",
      data: { datasets: tried.map((c) => ({ label: c.name, data: c.points.map((p) => ({ x: p.nodes, y: Math.max(-1, p.margin) })), showLine: true, borderColor: colourOf(c.name), borderWidth: 1.8, pointRadius: 6,
        pointBorderColor: colourOf(c.name), pointBackgroundColor: c.points.map((p) => (p.held ? colourOf(c.name) : jc.colour("card"))) })) },
      options: {
        plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${item.parsed.x} nodes, margin ${jc.percent(item.parsed.y)}` } } },
        scales: { x: jc.axis("Nodes", (v) => (Number.isInteger(v) ? String(v) : ""), { grace: "6%" }), y: jc.axis("Margin", (v) => Math.round(100 * v) + " %") },
      },
    }),
  });
  card.insertBefore(jc.legend([...tried.map((c) => ({ name: c.name, colour: () => colourOf(c.name) })), { name: "hollow: does not hold", colour: () => jc.colour("line") }]), card.querySelector("details"));
};
