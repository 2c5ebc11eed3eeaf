// The page's data, elements and numbers for people.
"use strict";
const jc = { painters: [] };

jc.data = JSON.parse(document.getElementById("data").textContent);

/** A packed series as an array of numbers; empty where there is none. */
jc.values = (packed) => {
  if (!packed) return [];
  const bytes = Uint8Array.from(atob(packed.f32), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
};

/** A colour of the style, which knows of light and dark. */
jc.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

/** Colours that people with any colour vision tell apart (Okabe and Ito 2008), for pools, traffics and arms. */
jc.palette = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6bb1", "#8c96a3"];
jc.series = (i) => (i % jc.palette.length === 0 ? jc.colour("active") : jc.palette[i % jc.palette.length]);

jc.element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick" || name === "ontoggle" || name === "onchange") made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

/** Three significant digits: "0.0123", "9.13", "12,300". */
jc.three = (value, digits = 3) => {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (size < -3) return value.toExponential(digits - 1);
  const rounded = Number(value.toPrecision(digits));
  return rounded.toLocaleString("en-US", { minimumFractionDigits: Math.max(0, digits - 1 - size), maximumFractionDigits: Math.max(0, digits - 1 - size) });
};
jc.percent = (share) => (share === 0 || share === 1 ? 100 * share + " %" : Number.isFinite(share) ? (100 * share).toFixed(1) + " %" : "–");

jc.units = {
  W: [["W", 1], ["kW", 1e3], ["MW", 1e6]],
  J: [["mJ", 1e-3], ["J", 1], ["kJ", 1e3], ["MJ", 1e6]],
  Wh: [["mWh", 3.6], ["Wh", 3.6e3], ["kWh", 3.6e6], ["MWh", 3.6e9], ["GWh", 3.6e12]],
  g: [["g", 1], ["kg", 1e3], ["t", 1e6]],
  s: [["µs", 1e-6], ["ms", 1e-3], ["s", 1]],
};
/** The largest unit of a family of which `value` is at least one: [name, size]. */
jc.unit = (family, value) => jc.units[family].reduce((best, each) => (Math.abs(value) >= each[1] * 0.9995 ? each : best), jc.units[family][0]);
jc.scaled = (family, value, digits = 3) => {
  if (!Number.isFinite(value)) return "–";
  const [name, size] = jc.unit(family, value);
  return jc.three(value / size, digits) + " " + name;
};
/** How many digits an interval leaves a figure: 3 below 5 % of half-width, 2 below 50 %, else 1. */
jc.digits = (value, interval) => {
  const share = Array.isArray(interval) && value ? Math.abs((interval[1] - interval[0]) / (2 * value)) : 0;
  return share < 0.05 ? 3 : share < 0.5 ? 2 : 1;
};
/** A tick: as `scaled`, without zeros at its end. */
jc.tick = (family, value) => {
  if (value === 0) return "0";
  const [name, size] = jc.unit(family, value);
  return jc.plain(value / size) + " " + name;
};
jc.plain = (value) => Number(value.toPrecision(6)).toLocaleString("en-US", { maximumFractionDigits: 6 });
/** A figure with the unit that the files state. */
jc.quantity = (unit, value) => (jc.units[unit] ? jc.scaled(unit, value) : jc.three(value) + (unit && unit !== "1" ? " " + unit : ""));

/** Seconds since the run began as a clock: "1:05:00", "5:30". */
jc.clock = (seconds) => {
  const sign = seconds < 0 ? "-" : "";
  const all = Math.round(Math.abs(seconds) * 100) / 100;
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60, rest = all % 60;
  const two = (n) => String(n).padStart(2, "0");
  const tail = Number.isInteger(rest) ? two(rest) : rest.toFixed(2).padStart(5, "0");
  return sign + (hours > 0 ? hours + ":" + two(minutes) : minutes) + ":" + tail;
};

/** A figure's key in words: "traffic.chat.ttft_s.p99" is "chat TTFT p99"; units stand beside values. */
jc.words = (key) => key.replace(/^(traffic|training|pool|site|feed)\./, "").replace("ttft_s", "TTFT").replace("tpot_s", "TPOT").replace("itl_s", "ITL").replace("e2e_s", "end-to-end latency")
  .replace(/_(joules|watts|grams|bytes|s)(?=\.|$)/, "").replaceAll("_", " ").replaceAll(".", " ").replace("slo", "SLO");
jc.mean = (values) => (values.length ? values.reduce((sum, v) => sum + v, 0) / values.length : NaN);
jc.largest = (values) => values.reduce((most, v) => (v > most ? v : most), -Infinity);

/** Where a figure of nested objects lies: at(summary, "power_watts", "it", "mean"). */
jc.at = (object, ...keys) => keys.reduce((part, key) => (part === null || part === undefined ? undefined : part[key]), object);
