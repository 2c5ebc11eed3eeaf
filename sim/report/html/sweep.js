// A sweep: its points against two figures with the Pareto front, and a figure over one or two dimensions.
"use strict";

jc.sweep = (parent, data) => {
  const { sweep } = data, keys = Object.keys(sweep.figure), points = sweep.point.filter((p) => Object.keys(p.values).length);
  const choices = keys.filter((key) => points.some((p) => Number.isFinite(p.values[key]))).map((id) => ({ id, name: jc.words(id) }));
  if (!choices.length) return;
  const label = (p) => sweep.dimension.map((d, i) => d.keys.map((k) => `${k.key} ${k.labels[p.at[i]]}`).join(", ")).join(", ");
  const unit = (key) => sweep.figure[key].unit, quantity = (key, v) => jc.quantity(unit(key), v);
  jc.sweepScatter(parent, { sweep, points, choices, label, quantity });
  jc.sweepGrid(parent, { sweep, points, choices, quantity });
};

jc.sweepScatter = (parent, { sweep, points, choices, label, quantity }) => {
  const named = sweep.objectives.filter((key) => choices.some((c) => c.id === key));
  let x = named[1] || choices[Math.min(1, choices.length - 1)].id, y = named[0] || choices[0].id;
  const card = jc.card(parent, "Points and Pareto front", `The front is over ${sweep.objectives.map(jc.words).join(" and ")}. Hollow points miss an SLO.`);
  let paint = () => {};
  card.append(jc.element("div", { class: "controls" }, jc.select("Vertical figure", choices, y, (id) => { y = id; paint(); }), jc.select("Horizontal figure", choices, x, (id) => { x = id; paint(); })));
  const known = () => points.filter((p) => Number.isFinite(p.values[x]) && Number.isFinite(p.values[y]));
  const front = () => known().filter((p) => p.on_front).sort((a, b) => a.values[x] - b.values[x]);
  const dots = (of, colour, radius, line) => ({
    own: of, data: of.map((p) => ({ x: p.values[x], y: p.values[y] })), pointRadius: radius, borderColor: colour, borderWidth: 1.8, showLine: line,
    pointBackgroundColor: of.map((p) => (p.slo_held === false ? jc.colour("card") : colour)), pointBorderColor: colour,
  });
  paint = jc.chart(card, {
    height: 400,
    alt: () => {
      const best = front();
      return `${known().length} points, ${best.length} on the Pareto front: ${jc.words(y)} from ${quantity(y, Math.min(...best.map((p) => p.values[y])))} to ${quantity(y, jc.largest(best.map((p) => p.values[y])))}, ` +
        `${jc.words(x)} from ${quantity(x, Math.min(...best.map((p) => p.values[x])))} to ${quantity(x, jc.largest(best.map((p) => p.values[x])))}.`;
    },
    table: () => ({ columns: ["Point", jc.words(x), jc.words(y), "Front"], rows: known().map((p) => [label(p), quantity(x, p.values[x]), quantity(y, p.values[y]), p.on_front ? "yes" : ""]) }),
    config: () => ({
      type: "scatter",
      data: { datasets: [dots(front(), jc.colour("active"), 6, sweep.objectives.includes(x) && sweep.objectives.includes(y)), dots(known().filter((p) => !p.on_front), jc.colour("bare_idle"), 4, false)] },
      options: {
        plugins: { tooltip: { callbacks: { label: (item) => { const p = item.dataset.own[item.dataIndex]; return [label(p), `${jc.words(x)} ${quantity(x, p.values[x])}`, `${jc.words(y)} ${quantity(y, p.values[y])}`]; } } } },
        scales: { x: jc.axis(jc.words(x), (v) => quantity(x, v), { grace: "4%" }), y: jc.axis(jc.words(y), (v) => quantity(y, v), { grace: "4%" }) },
      },
    }),
  });
  card.insertBefore(jc.legend([{ name: "Pareto front", colour: () => jc.colour("active") }, { name: "other points", colour: () => jc.colour("bare_idle") }]), card.querySelector("details"));
};

/** Lines over one dimension, one a value of another; what other dimensions there are stays at their first value. */
jc.sweepGrid = (parent, { sweep, points, choices, quantity }) => {
  const dims = sweep.dimension;
  const card = jc.card(parent, "A figure over a dimension", dims.length > 2 ? "Dimensions that are not chosen stay at their first value." : "");
  let figure = sweep.objectives.find((key) => choices.some((c) => c.id === key)) || choices[0].id, across = 0, by = dims.length > 1 ? 1 : -1;
  const names = dims.map((d, i) => ({ id: String(i), name: d.name }));
  const labels = (d) => Array.from({ length: dims[d].size }, (_, i) => dims[d].keys[0].labels[i]);
  const at = (i, j) => {
    const found = points.find((p) => p.at.every((value, d) => (d === across ? value === i : d === by ? value === j : value === 0)));
    return found ? found.values[figure] : NaN;
  };
  const lines = () => (by >= 0 && by !== across ? labels(by) : [dims[across].name]);
  let paint = () => {};
  card.append(jc.element("div", { class: "controls" }, jc.select("Figure", choices, figure, (id) => { figure = id; paint(); }),
    ...(dims.length > 1 ? [jc.select("Across", names, "0", (id) => { across = Number(id); paint(); }), jc.select("One line each", names, "1", (id) => { by = Number(id); paint(); })] : [])));
  const key = jc.element("div");
  const all = () => lines().flatMap((_, j) => labels(across).map((label, i) => ({ label, line: lines()[j], value: at(i, j) }))).filter((p) => Number.isFinite(p.value));
  paint = jc.chart(card, {
    height: 340,
    alt: () => {
      const ranked = all().sort((a, b) => a.value - b.value), low = ranked[0], high = ranked[ranked.length - 1];
      return low ? `${jc.words(figure)} over ${dims[across].name}: least ${quantity(figure, low.value)} at ${low.label} (${low.line}), most ${quantity(figure, high.value)} at ${high.label} (${high.line}).` : `0 points have ${jc.words(figure)}.`;
    },
    table: () => ({ columns: [dims[across].name, ...lines()], rows: labels(across).map((label, i) => [label, ...lines().map((_, j) => quantity(figure, at(i, j)))]) }),
    config: () => {
      key.replaceChildren(jc.element("ul", { class: "legend" }, ...lines().map((name, j) => {
        const mark = jc.element("i", { class: "stroke", "aria-hidden": "true" });
        mark.style.background = jc.series(j);
        return jc.element("li", {}, mark, by >= 0 && by !== across ? `${dims[by].name} ${name}` : name);
      })));
      return {
        type: "line",
        data: { labels: labels(across), datasets: lines().map((name, j) => ({ label: name, data: labels(across).map((_, i) => at(i, j)), borderColor: jc.series(j), backgroundColor: jc.series(j), borderWidth: 2, pointRadius: 3.5, spanGaps: true })) },
        options: {
          plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${quantity(figure, item.parsed.y)}` } } },
          scales: { x: { title: { display: true, text: dims[across].name }, ticks: { maxRotation: 0, autoSkipPadding: 12 } }, y: jc.axis("", (v) => quantity(figure, v), { grace: "5%" }) },
        },
      };
    },
  });
  card.insertBefore(key, card.querySelector("details"));
};
