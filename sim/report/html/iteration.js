// One training iteration as a timeline: a row a stage, a bar an operation, its colour the clock.
"use strict";

/** From the lowest clock to the highest: viridis (van der Walt and Smith 2015), which any colour vision reads and that prints grey in order. */
jc.viridis = (share) => {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.min(0.9999, Math.max(0, share)) * (stops.length - 1), i = Math.floor(at), t = at - i;
  return "#" + stops[i].map((low, c) => Math.round(low + (stops[i + 1][c] - low) * t).toString(16).padStart(2, "0")).join("");
};

jc.iterations = (parent, data) => {
  for (const iteration of (data.iteration || []).filter(Boolean)) jc.iteration(parent, iteration);
};

jc.iteration = (parent, it) => {
  const [lane, kind, start, length, clock, joules] = [it.lane, it.kind, it.start_s, it.duration_s, it.clock_hz, it.joules].map(jc.values);
  const end = start.map((s, i) => s + length[i]), span = jc.largest(end);
  const lanes = it.lanes.slice(0, 1 + Math.max(...lane));
  const clocks = [...new Set(clock.filter((hz) => hz > 0))].sort((a, b) => b - a);
  const low = clocks[clocks.length - 1], high = clocks[0];
  const colourOf = (hz) => (clocks.length < 2 ? jc.viridis(0.35) : jc.viridis((hz - low) / (high - low)));
  const text = (i) => `${it.kinds[kind[i]]}, ${jc.scaled("s", length[i])}` + (clock[i] > 0 ? `, ${Math.round(clock[i] / 1e6)} MHz, ${jc.scaled("W", joules[i] / length[i])}` : `, ${jc.scaled("W", joules[i] / length[i])}`);
  const waiting = lanes.map((_, l) => lane.reduce((sum, at, i) => sum + (at === l && clock[i] === 0 ? length[i] : 0), 0));
  const card = jc.card(parent, `One iteration of ${it.job}`, `A bar an operation, its colour the clock; ${jc.scaled("s", span)} in all` + (it.operations > lane.length ? `; the first ${lane.length} of ${it.operations} operations.` : "."));
  const groups = [...clocks, 0];
  let window = [0, span], paint = () => {};
  const zoom = (scale, shift) => () => {
    const width = Math.min(span, (window[1] - window[0]) * scale), middle = (window[0] + window[1]) / 2 + shift * (window[1] - window[0]);
    const from = Math.max(0, Math.min(span - width, middle - width / 2));
    window = [from, from + width];
    paint();
  };
  const button = (name, label, onclick) => jc.element("button", { type: "button", "aria-label": label, title: label, onclick }, name);
  card.append(jc.element("div", { class: "controls" }, jc.element("fieldset", {}, jc.element("legend", {}, "Zoom"), button("+", "Zoom in", zoom(0.5, 0)), button("−", "Zoom out", zoom(2, 0)),
    button("←", "Earlier", zoom(1, -0.25)), button("→", "Later", zoom(1, 0.25)), button("All", "The whole iteration", zoom(Infinity, 0)))));
  paint = jc.chart(card, {
    height: Math.min(560, 70 + 30 * lanes.length),
    alt: () => `One iteration of ${it.job}: ${jc.scaled("s", span)}, ${lanes.length} stages, ` + (clocks.length > 1 ? `${clocks.length} clocks from ${Math.round(low / 1e6)} to ${Math.round(high / 1e6)} MHz` : clocks.length ? `${Math.round(high / 1e6)} MHz throughout` : "no clocks") +
      `; waiting ${waiting.map((w, l) => `${lanes[l]} ${jc.percent(w / span)}`).slice(0, 8).join(", ")}.`,
    table: () => ({ columns: ["Stage", "Operations", "Working", "Waiting", "Mean clock"], rows: lanes.map((name, l) => {
      const own = lane.map((at, i) => (at === l && clock[i] > 0 ? i : -1)).filter((i) => i >= 0), busy = own.reduce((sum, i) => sum + length[i], 0);
      return [name, String(own.length), jc.scaled("s", busy), jc.scaled("s", waiting[l]), busy > 0 ? Math.round(own.reduce((sum, i) => sum + clock[i] * length[i], 0) / busy / 1e6) + " MHz" : "–"];
    }) }),
    config: () => ({
      type: "bar",
      data: { labels: lanes, datasets: groups.map((hz) => {
        const own = lane.map((_, i) => i).filter((i) => clock[i] === hz && end[i] > window[0] && start[i] < window[1]);
        return { label: hz ? `${Math.round(hz / 1e6)} MHz` : "waiting", own, data: own.map((i) => ({ x: [Math.max(start[i], window[0]), Math.min(end[i], window[1])], y: lanes[lane[i]] })), grouped: false, maxBarThickness: 22, backgroundColor: hz ? colourOf(hz) : jc.colour("grid"), borderColor: jc.colour("card"), borderWidth: own.length < 80 ? { left: 0.5, right: 0.5 } : 0, borderSkipped: false };
      }) },
      options: {
        indexAxis: "y", parsing: { xAxisKey: "x", yAxisKey: "y" },
        plugins: { tooltip: { callbacks: { title: (items) => lanes[lane[items[0].dataset.own[items[0].dataIndex]]], label: (item) => text(item.dataset.own[item.dataIndex]) } } },
        scales: { x: jc.axis("", (v) => jc.plain(v) + " s", { min: window[0], max: window[1], ticks: { callback: (v) => jc.plain(v) + " s", maxRotation: 0, autoSkipPadding: 14, includeBounds: false } }), y: { grid: { display: false }, ticks: { color: jc.colour("ink"), autoSkip: lanes.length > 20 } } },
      },
    }),
  });
  const few = clocks.length <= 8 ? clocks : clocks.filter((_, i) => i % Math.ceil(clocks.length / 7) === 0 || i === clocks.length - 1);
  card.insertBefore(jc.legend([...few.map((hz) => ({ name: `${Math.round(hz / 1e6)} MHz`, colour: () => colourOf(hz) })), { name: "waiting or communicating", colour: () => jc.colour("grid") }]), card.querySelector("details"));
};
