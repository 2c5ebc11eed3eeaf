// Series over time, drawn by dygraphs: zoom by dragging, by two fingers, by the strip below, or by buttons.
"use strict";

/** Buttons that zoom and move a chart; `graph()` is the one drawn now. */
jc.zoomButtons = (graph) => {
  const move = (scale, shift) => () => {
    const [low, high] = graph().xAxisRange(), [first, last] = graph().xAxisExtremes();
    const width = Math.min(last - first, (high - low) * scale);
    const middle = (low + high) / 2 + shift * (high - low);
    const from = Math.max(first, Math.min(last - width, middle - width / 2));
    graph().updateOptions({ dateWindow: [from, from + width] });
  };
  const button = (name, label, onclick) => jc.element("button", { type: "button", "aria-label": label, title: label, onclick }, name);
  return jc.element("fieldset", {}, jc.element("legend", {}, "Zoom"), button("+", "Zoom in", move(0.5, 0)), button("−", "Zoom out", move(2, 0)),
    button("←", "Earlier", move(1, -0.25)), button("→", "Later", move(1, 0.25)),
    button("All", "The whole run", () => graph().updateOptions({ dateWindow: null })));
};

/** A chart over time in a card. `view()` gives { step, names, colours, series, stacked, unit, limit: { value, name }, alt } of the moment: series[i] are
 *  the values of names[i], one every `step` seconds. Returns what draws it again. */
jc.overTime = (card, { controls, view, height }) => {
  const plot = jc.plot(height || 320), readout = jc.element("p", { class: "readout" });
  const keys = jc.element("div");
  let graph = null;
  const bar = jc.element("div", { class: "controls" }, ...(controls || []), jc.zoomButtons(() => graph));
  card.append(bar, readout, plot, keys, jc.dataTable(() => jc.seriesTable(view())));
  const paint = () => {
    const now = view();
    const unitOf = (value) => (jc.units[now.unit] ? jc.scaled(now.unit, value) : now.unit === "share" ? jc.percent(value) : jc.three(value) + (now.unit ? " " + now.unit : ""));
    const count = Math.max(...now.series.map((values) => values.length));
    const rows = Array.from({ length: count }, (_, i) => [i * now.step, ...now.series.map((values) => (i < values.length ? values[i] : null))]);
    const tops = rows.map((row) => (now.stacked ? row.slice(1).reduce((sum, v) => sum + v, 0) : Math.max(...row.slice(1))));
    const top = Math.max(jc.largest(tops), now.limit ? now.limit.value : 0) * 1.06 || 1;
    const size = jc.units[now.unit] ? jc.unit(now.unit, top) : [now.unit, 1];
    plot.setAttribute("aria-label", now.alt);
    const kept = graph ? graph.xAxisRange() : null, whole = graph ? graph.xAxisExtremes() : null;
    if (graph) graph.destroy();
    const say = (row) => {
      const parts = now.names.map((name, i) => [name, rows[row][i + 1]]).filter(([, v]) => v !== null && (v !== 0 || now.names.length < 4));
      const total = now.stacked && now.names.length > 1 ? ` · together ${unitOf(tops[row])}` : "";
      readout.textContent = `at ${jc.clock(rows[row][0])}: ` + parts.reverse().map(([name, v]) => `${name} ${unitOf(v)}`).join(" · ") + total;
    };
    const rest = () => { readout.textContent = now.rest || "Point at the chart for its values; drag to zoom."; };
    const options = {
      labels: ["seconds", ...now.names], colors: now.colours, stackedGraph: Boolean(now.stacked), fillAlpha: 0.9, strokeWidth: now.stacked ? 0 : 1.8, legend: "never",
      interactionModel: jc.interaction(), highlightCircleSize: 3, valueRange: [0, top], gridLineColor: jc.colour("grid"), axisLineColor: jc.colour("line"),
      showRangeSelector: true, rangeSelectorHeight: 32, rangeSelectorPlotFillColor: jc.colour("accent"), rangeSelectorPlotFillGradientColor: jc.colour("card"),
      rangeSelectorPlotStrokeColor: jc.colour("accent"), rangeSelectorForegroundStrokeColor: jc.colour("soft"), rangeSelectorBackgroundStrokeColor: jc.colour("line"),
      axes: {
        x: { axisLabelFormatter: (seconds) => jc.clock(seconds), ticker: jc.timeTicks, pixelsPerLabel: 70, axisLabelWidth: 62 },
        y: { axisLabelFormatter: (value) => (value === 0 ? "" : now.unit === "share" ? Math.round(100 * value) + " %" : jc.plain(value / size[1]) + (jc.units[now.unit] ? " " + size[0] : "")), axisLabelWidth: 62, pixelsPerLabel: 34 },
      },
      highlightCallback: (_, __, ___, row) => say(row),
      unhighlightCallback: rest,
      underlayCallback: (context, area, g) => jc.limitLine(context, area, g, now.limit),
    };
    if (kept && whole && (kept[0] > whole[0] || kept[1] < whole[1])) options.dateWindow = kept;
    graph = new Dygraph(plot, rows, options);
    rest();
    const entries = now.names.map((name, i) => ({ name, colour: () => now.colours[i], stroke: !now.stacked })).reverse();
    if (now.limit) entries.push({ name: `${now.limit.name}: ${unitOf(now.limit.value)}`, colour: () => jc.colour("limit"), stroke: true });
    const list = jc.element("ul", { class: "legend" }, ...entries.map((entry) => {
      const mark = jc.element("i", { "aria-hidden": "true", class: entry.stroke ? "stroke" : null });
      mark.style.background = entry.colour();
      return jc.element("li", {}, mark, entry.name);
    }));
    keys.replaceChildren(list);
  };
  jc.paint(paint);
  return paint;
};

/** As the library has it, but one finger scrolls the page: two zoom and move. */
jc.interaction = () => {
  const own = Dygraph.defaultInteractionModel, touching = {};
  for (const name of ["touchstart", "touchmove"]) touching[name] = (event, graph, context) => { if (event.touches.length > 1) own[name](event, graph, context); };
  return { ...own, ...touching, touchend: (event, graph, context) => { if (context.initialTouches) own.touchend(event, graph, context); } };
};

/** Ticks at whole seconds, minutes and hours. */
jc.timeTicks = (low, high, pixels, options, graph) => {
  const steps = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
  const most = Math.max(2, Math.floor(pixels / 80));
  const step = steps.find((s) => (high - low) / s <= most) || 604800;
  const ticks = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) ticks.push({ v: at, label: jc.clock(at) });
  return ticks;
};

jc.limitLine = (context, area, graph, limit) => {
  if (!limit) return;
  const y = graph.toDomYCoord(limit.value);
  context.save();
  context.strokeStyle = jc.colour("limit");
  context.lineWidth = 2;
  context.setLineDash([7, 5]);
  context.beginPath();
  context.moveTo(area.x, y);
  context.lineTo(area.x + area.w, y);
  context.stroke();
  context.restore();
};

/** At most 60 rows: means of equal groups. */
jc.seriesTable = (now) => {
  const count = now.series[0].length, group = Math.max(1, Math.ceil(count / 60));
  const rows = [];
  for (let i = 0; i < count; i += group) {
    rows.push([jc.clock(i * now.step), ...now.series.map((values) => jc.quantity(now.unit === "share" ? "" : now.unit, jc.mean(values.slice(i, i + group))))]);
  }
  return { columns: [group > 1 ? `From (means of ${jc.three(group * now.step)} s)` : "From", ...now.names], rows };
};
