// The time-energy frontier of a training job.
"use strict";

jc.frontier = (parent, data) => {
  const { frontier } = data, points = frontier.points, top = frontier.highest_clocks;
  const card = jc.card(parent, "Time and energy of an iteration", "Each point: the least energy found for that time. Below the bound there is no plan.");
  const [unit, size] = jc.unit("J", top.iteration_joules);
  const fastest = points.reduce((best, p) => (p.iteration_s < best.iteration_s ? p : best), points[0]);
  const least = points.reduce((best, p) => (p.iteration_joules < best.iteration_joules ? p : best), points[0]);
  const bound = points.filter((p) => p.bound_joules > 0);
  jc.chart(card, {
    height: 380,
    alt: () => `Frontier of ${frontier.job}: at highest clocks ${jc.scaled("s", top.iteration_s)} and ${jc.scaled("J", top.iteration_joules)}; the fastest plan saves ${jc.percent(fastest.saving)}, the most frugal one ${jc.percent(least.saving)} and takes ${jc.percent(least.slowdown)} longer.`,
    table: () => ({ columns: ["Point", "Iteration", "GPU energy", "Saves", "Slower"], rows: points.map((p, i) => [String(i), jc.scaled("s", p.iteration_s), jc.scaled("J", p.iteration_joules), jc.percent(p.saving), jc.percent(p.slowdown)]) }),
    config: () => ({
      type: "scatter",
      data: { datasets: [
        { label: "plan", data: points.map((p) => ({ x: p.iteration_s, y: p.iteration_joules / size })), showLine: true, borderColor: jc.colour("active"), backgroundColor: jc.colour("active"), pointRadius: 3.5, borderWidth: 2 },
        { label: "bound", data: bound.map((p) => ({ x: p.iteration_s, y: p.bound_joules / size })), showLine: true, pointRadius: 0, borderColor: jc.colour("soft"), borderDash: [5, 4], borderWidth: 1.5 },
        { label: "highest clocks", data: [{ x: top.iteration_s, y: top.iteration_joules / size }], pointStyle: "rectRot", pointRadius: 8, backgroundColor: jc.colour("spin_wait"), borderColor: jc.colour("card") },
      ] },
      options: {
        plugins: { tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${jc.scaled("s", item.parsed.x)}, ${jc.three(item.parsed.y)} ${unit}` } } },
        scales: { x: jc.axis("Iteration, s", jc.plain, { grace: "3%" }), y: jc.axis(`GPU energy of an iteration, ${unit}`, jc.plain, { grace: "5%" }) },
      },
    }),
  });
  card.insertBefore(jc.legend([{ name: "plans", colour: () => jc.colour("active") }, { name: "highest clocks", colour: () => jc.colour("spin_wait") }, { name: "bound", colour: () => jc.colour("soft"), stroke: true }]), card.querySelector("details"));
};
