// Axes and kinds of charts that several pages share.
"use strict";

/** An axis with a title and its numbers written by `text`. */
jc.axis = (title, text, more = {}) => ({
  title: { display: Boolean(title), text: title },
  ticks: { callback: (value) => (value === 0 && /^0 [^%]/.test(text(value)) ? "0" : text(value)), maxRotation: 0, autoSkipPadding: 14 },
  ...more,
});

/** A logarithmic axis of seconds: 1, 2 and 5 of each decade. */
jc.logSeconds = (title) => ({
  type: "logarithmic",
  title: { display: Boolean(title), text: title },
  ticks: { maxRotation: 0, autoSkip: true, autoSkipPadding: 10, callback: (value) => {
    const digit = Number(value.toExponential(0)[0]);
    const exact = Math.abs(value / (digit * 10 ** Math.floor(Math.log10(value) + 1e-9)) - 1) < 1e-6;
    return exact && [1, 2, 5].includes(digit) ? jc.tick("s", value) : "";
  } },
});

/** Rows [{ name, value, low, high }] as points with interval bars, or as bars where no row has an interval. */
jc.intervalConfig = ({ rows, text, tick, title, zero, colour }) => {
  const labels = rows.map((row) => row.name);
  const any = rows.some((row) => Number.isFinite(row.low));
  const tooltip = { callbacks: { label: (item) => {
    const row = rows[item.dataIndex];
    return Number.isFinite(row.low) ? `${text(row.value)} (${text(row.low)} to ${text(row.high)})` : text(row.value);
  } } };
  const colours = rows.map((row, i) => (row.colour ? row.colour : colour ? colour(i) : jc.series(i)));
  const datasets = any
    ? [
        { type: "scatter", data: rows.map((row) => ({ x: row.value, y: row.name })), pointBackgroundColor: colours, pointBorderColor: jc.colour("card"), pointRadius: 5, borderWidth: 2 },
        { type: "bar", data: rows.map((row) => (Number.isFinite(row.low) ? [row.low, row.high] : null)), backgroundColor: colours.map((c) => c + "88"), barThickness: 14, borderRadius: 4, minBarLength: 3, borderSkipped: false },
      ]
    : [{ type: "bar", data: rows.map((row) => row.value), backgroundColor: colours, maxBarThickness: 26, borderRadius: 3 }];
  return {
    type: "bar",
    data: { labels, datasets },
    options: {
      indexAxis: "y",
      plugins: { tooltip },
      scales: {
        x: jc.axis(title, tick || text, { beginAtZero: zero || !any, grace: "4%" }),
        y: { type: "category", labels, offset: true, grid: { display: false }, ticks: { color: jc.colour("ink"), autoSkip: false, callback: (_, i) => (labels[i].length > 26 ? labels[i].slice(0, 25) + "…" : labels[i]) } },
      },
    },
  };
};

/** Horizontal bars in stacked parts: rows and parts are names, `value(row, part)` the length. */
jc.stackedConfig = ({ rows, parts, colours, value, text, title }) => ({
  type: "bar",
  data: {
    labels: rows,
    datasets: parts.map((part, p) => ({ label: part, data: rows.map((_, r) => value(r, p)), backgroundColor: colours()[p], maxBarThickness: 34 })),
  },
  options: {
    indexAxis: "y",
    plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${text(item.parsed.x)}` } } },
    scales: { x: jc.axis(title, text, { stacked: true }), y: { stacked: true, grid: { display: false }, ticks: { color: jc.colour("ink") } } },
  },
});
