// A fit: measured and fitted points, and what is left over.
"use strict";

jc.fit = (parent, data) => {
  for (const [name, curve] of Object.entries(data.curves)) {
    const order = curve.x.map((_, i) => i).sort((a, b) => curve.x[a] - curve.x[b]);
    const scale = curve.x_unit === "Hz" ? [1e-6, "MHz"] : [1, curve.x_unit === "1" ? "sequences" : curve.x_unit];
    const residual = order.map((i) => (curve.measured[i] !== 0 ? curve.fitted[i] / curve.measured[i] - 1 : NaN));
    const worst = jc.largest(residual.filter(Number.isFinite).map(Math.abs));
    const phases = name === "phase";
    const title = phases ? "Phases of the log" : jc.words(name), fitted = phases ? "by the counter" : "fitted";
    const pair = jc.pair(parent), card = jc.card(pair, title), rest = jc.card(pair, `${title}: residuals`);
    const at = (values, i) => ({ x: curve.x[i] * scale[0], y: values[i] });
    const table = () => ({ columns: [scale[1], "Measured", fitted, "Residual"], rows: order.map((i, k) => [jc.three(curve.x[i] * scale[0]), jc.quantity(curve.unit, curve.measured[i]), jc.quantity(curve.unit, curve.fitted[i]), jc.percent(residual[k])]) });
    jc.chart(card, {
      height: 280, table,
      alt: () => `${title}: ${order.length} points, largest residual ${jc.percent(worst)}.`,
      config: () => ({
        type: "scatter",
        data: { datasets: [
          { label: "measured", data: order.map((i) => at(curve.measured, i)), backgroundColor: jc.colour("spin_wait"), pointRadius: 4 },
          { label: fitted, data: order.map((i) => at(curve.fitted, i)), showLine: !phases, pointRadius: phases ? 3 : 0, backgroundColor: jc.colour("active"), borderColor: jc.colour("active"), borderWidth: 2 },
        ] },
        options: {
          plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${jc.quantity(curve.unit, item.parsed.y)}` } } },
          scales: { x: jc.axis(scale[1], jc.plain), y: jc.axis("", (v) => jc.quantity(curve.unit, v), { grace: "5%" }) },
        },
      }),
    });
    card.insertBefore(jc.legend([{ name: "measured", colour: () => jc.colour("spin_wait") }, { name: fitted, colour: () => jc.colour("active") }]), card.querySelector("details"));
    jc.chart(rest, {
      height: 280, table,
      alt: () => `${title}, fitted over measured less one: largest ${jc.percent(worst)}.`,
      config: () => ({
        type: "scatter",
        data: { datasets: [{ label: "residual", data: order.map((i, k) => ({ x: curve.x[i] * scale[0], y: residual[k] })), backgroundColor: jc.colour("active"), pointRadius: 4 }] },
        options: {
          plugins: { tooltip: { callbacks: { label: (item) => jc.percent(item.parsed.y) } } },
          scales: { x: jc.axis(scale[1], jc.plain), y: jc.axis("", (v) => (100 * v).toFixed(1) + " %", { suggestedMin: -0.01, suggestedMax: 0.01 }) },
        },
      }),
    });
  }
};
