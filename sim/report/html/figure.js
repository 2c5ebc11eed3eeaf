// Cards, figures with a text alternative and their data as a table, and repainting when colours change.
"use strict";

/** A card with a heading; charts go into it. `parent` takes it. */
jc.card = (parent, title, note) => {
  const card = jc.element("section", { class: "card" }, jc.element("h2", {}, title));
  card.setAttribute("aria-label", title);
  if (note) card.append(jc.element("p", { class: "note" }, note));
  parent.append(card);
  return card;
};

/** Cards side by side where there is room: two, or three with "trio". */
jc.pair = (parent, more = "") => {
  const pair = jc.element("div", { class: ("pair " + more).trim() });
  parent.append(pair);
  return pair;
};

/** A table element of texts; the first column holds words. */
jc.table = (columns, rows) => {
  const head = jc.element("tr", {}, ...columns.map((c) => jc.element("th", { scope: "col" }, c)));
  const body = rows.map((row) => jc.element("tr", {}, ...row.map((cell, i) => jc.element(i === 0 ? "th" : "td", i === 0 ? { scope: "row" } : {}, cell))));
  return jc.element("div", { class: "table", tabindex: "0" }, jc.element("table", {}, jc.element("thead", {}, head), jc.element("tbody", {}, ...body)));
};

/** The data of a chart, made when somebody opens it. `table()` gives { columns, rows }. */
jc.dataTable = (table) => {
  const details = jc.element("details", {}, jc.element("summary", {}, "Data of this chart"));
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    while (details.childNodes.length > 1) details.lastChild.remove();
    const { columns, rows } = table();
    details.append(jc.table(columns, rows));
  });
  return details;
};

/** Coloured names: entries { name, colour, stroke }. `colour` is a function, asked again for each theme. */
jc.legend = (entries) => {
  const list = jc.element("ul", { class: "legend" });
  jc.paint(() => {
    list.replaceChildren(...entries.map((entry) => {
      const mark = jc.element("i", { "aria-hidden": "true", class: entry.stroke ? "stroke" : null });
      mark.style.background = entry.colour();
      return jc.element("li", {}, mark, entry.name);
    }));
  });
  return list;
};

/** Buttons of which one is pressed: choices [{ id, name }]; `choose(id)` is told. */
jc.choice = (label, choices, chosen, choose) => {
  const field = jc.element("fieldset", {}, jc.element("legend", {}, label));
  for (const { id, name } of choices) {
    field.append(jc.element("button", { type: "button", "aria-pressed": String(id === chosen), onclick: (event) => {
      for (const each of field.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === event.currentTarget));
      choose(id);
    } }, name));
  }
  return field;
};

/** A list of many choices. */
jc.select = (label, choices, chosen, choose) => {
  const select = jc.element("select", { "aria-label": label, onchange: (event) => choose(event.currentTarget.value) });
  for (const { id, name } of choices) {
    const option = jc.element("option", { value: id }, name);
    option.selected = id === chosen;
    select.append(option);
  }
  return select;
};

/** Paints now, and again when the colours change (theme, printing). */
jc.paint = (painter) => {
  jc.painters.push(painter);
  painter();
};
for (const media of ["(prefers-color-scheme: dark)", "print"]) {
  window.matchMedia(media).addEventListener("change", () => jc.painters.forEach((painter) => painter()));
}

/** The element that a chart is drawn in, with its text alternative. */
jc.plot = (height) => {
  const plot = jc.element("div", { class: "plot", role: "img" });
  if (height) plot.style.height = height + "px";
  return plot;
};

/** A Chart.js chart in a card: `config()` gives its configuration in the colours of the moment, `alt()` what it says, `table()` its data.
 *  Returns what draws it again after a choice. */
jc.chart = (card, { alt, table, height, config }) => {
  const plot = jc.plot(height), canvas = jc.element("canvas");
  plot.append(canvas);
  card.append(plot, jc.dataTable(table));
  let chart = null;
  const paint = () => {
    if (chart) chart.destroy();
    plot.setAttribute("aria-label", alt());
    Chart.defaults.color = jc.colour("soft");
    Chart.defaults.borderColor = jc.colour("grid");
    chart = new Chart(canvas, config());
  };
  Chart.defaults.animation = false;
  Chart.defaults.maintainAspectRatio = false;
  Chart.defaults.font.family = "system-ui, sans-serif";
  Chart.defaults.plugins.legend.display = false;
  jc.paint(paint);
  return paint;
};
