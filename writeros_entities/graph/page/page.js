"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const positions = data.positions;
  const byId = (id) => document.getElementById(id);
  document.body.classList.toggle("alone", location.hash === "#alone"); // framed, beside a list
  const theme = getComputedStyle(document.documentElement);
  const colourOf = (name) => theme.getPropertyValue(`--${name}`).trim();
  const [paper, ink, soft, accent] = ["paper", "ink", "soft", "accent"].map(colourOf);
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const types = [...new Set(data.nodes.map((node) => node.type))].sort();
  const kinds = [...new Set(data.edges.map((edge) => edge.kind))].sort();
  const tint = (type) => `hsl(${(types.indexOf(type) * 137.5 + 12) % 360}, 42%, ${isDark ? 62 : 44}%)`;
  const counted = (number) => number.toLocaleString("en");
  const CLOSEST = 1.5;

  const cy = cytoscape({
    container: byId("graph"),
    elements: [
      ...data.nodes.map((node) => ({
        group: "nodes",
        data: {
          ...node, colour: tint(node.type), size: 12 + 34 * node.importance, font: 15 + 8 * node.importance,
          label: node.name,
        },
        position: { x: node.x, y: node.y },
      })),
      ...data.edges.map((edge, number) => ({
        group: "edges",
        data: {
          ...edge, id: `edge ${number}`, width: 0.5 + 3 * edge.strength,
          opacity: edge.directed ? 0.8 : 0.12 + 0.5 * edge.strength,
        },
      })),
    ],
    layout: { name: "preset" },
    style: [
      {
        selector: "node",
        style: {
          width: "data(size)", height: "data(size)", "background-color": "data(colour)",
          "border-width": 1.5, "border-color": paper,
          label: "data(label)", color: ink, "font-family": "Palatino, Georgia, serif", "font-size": "data(font)",
          "min-zoomed-font-size": 6, "text-valign": "bottom", "text-margin-y": 3,
          "text-wrap": "ellipsis", "text-max-width": 260,
          "text-outline-color": paper, "text-outline-width": 2,
        },
      },
      {
        selector: "edge",
        style: {
          width: "data(width)", opacity: "data(opacity)", "line-color": soft, "curve-style": "haystack",
        },
      },
      {
        selector: "edge[?directed]",
        style: {
          "curve-style": "bezier", "target-arrow-shape": "triangle", "arrow-scale": 0.8,
          "line-color": accent, "target-arrow-color": accent,
        },
      },
      { selector: "edge.over", style: { "line-style": "dashed", opacity: 0.5 } },
      {
        selector: "edge.named[?directed]",
        style: {
          label: "data(kind)", "font-size": 11, "font-family": "Palatino, Georgia, serif", "font-style": "italic",
          color: ink, "text-rotation": "autorotate", "min-zoomed-font-size": 7,
          "text-outline-color": paper, "text-outline-width": 2,
        },
      },
      { selector: ".hidden", style: { display: "none" } },
      { selector: ".faint", style: { opacity: 0.2 } },
      { selector: "node.found", style: { "border-width": 4, "border-color": accent } },
    ],
    hideEdgesOnViewport: data.edges.length > 2000,
  });

  const shown = { types: new Set(types), kinds: new Set(kinds), at: positions.length, told: null };

  function addChoices(box, names, chosen, tintOf) {
    byId(box).firstElementChild.append(` (${counted(names.length)})`);
    for (const name of names) {
      const label = document.createElement("label");
      const tick = document.createElement("input");
      tick.type = "checkbox";
      tick.checked = true;
      tick.value = name;
      tick.addEventListener("change", () => {
        if (tick.checked) chosen.add(name); else chosen.delete(name);
        refresh();
      });
      label.append(tick, " ");
      if (tintOf) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.background = tintOf(name);
        label.append(swatch, " ");
      }
      label.append(name);
      byId(box).append(label);
    }
  }

  const isWhole = () => shown.at >= positions.length;
  const here = () => (isWhole() ? Infinity : positions[shown.at][0]);
  const isMet = (since) => isWhole() || (since !== null && since <= here());
  const isOver = (stretches) =>
    stretches.some(([since, until]) => since <= here() && (until === null || here() < until));

  function nameOf(node) {
    if (isWhole()) return node.data("name");
    const met = node.data("names").filter(([since]) => isMet(since));
    return met.length ? met[met.length - 1][1] : node.data("name");
  }

  function refresh() {
    const least = Number(byId("strength").value);
    byId("least").textContent = least.toFixed(2);
    byId("chapter").textContent = isWhole() ? "the whole vault" : positions[shown.at][1];
    cy.batch(() => {
      cy.nodes().forEach((node) => {
        node.toggleClass("hidden", !(shown.types.has(node.data("type")) && isMet(node.data("since"))));
        node.data("label", nameOf(node));
      });
      cy.edges().forEach((edge) => {
        const kept = shown.kinds.has(edge.data("kind")) && edge.data("strength") >= least &&
          isMet(edge.data("since")) &&
          !edge.source().hasClass("hidden") && !edge.target().hasClass("hidden");
        edge.toggleClass("hidden", !kept);
        edge.toggleClass("over", isOver(edge.data("over")));
      });
    });
    mark();
  }

  function mark() {
    const wanted = byId("search").value.trim().toLowerCase();
    const nodes = cy.nodes().not(".hidden");
    const found = wanted ? nodes.filter((node) => node.data("label").toLowerCase().includes(wanted)) : cy.collection();
    const told = shown.told ? shown.told.not(".hidden") : cy.collection();
    const lit = found.union(told);
    cy.batch(() => {
      cy.elements().removeClass("found faint named");
      found.union(told).addClass("found");
      told.connectedEdges().addClass("named");
      if (lit.length) cy.elements().not(lit.closedNeighborhood()).addClass("faint");
    });
    const edges = cy.edges().not(".hidden").length;
    const text = isWhole()
      ? `${counted(nodes.length)} of ${counted(data.nodes.length)} entities, ${counted(edges)} of ${counted(data.edges.length)} relations`
      : `${counted(nodes.length)} entities, ${counted(edges)} relations so far`;
    const unmet = shown.told && told.empty() ? "Who was chosen is not met yet; " : "";
    byId("status").textContent = unmet + (wanted ? `${counted(found.length)} found; ${text}` : text);
    describe(told);
    return found;
  }

  function search() {
    const found = mark();
    if (found.empty()) return;
    cy.fit(found, 120);
    if (cy.zoom() > CLOSEST) {
      cy.zoom(CLOSEST);
      cy.center(found);
    }
  }

  function part(tag, text) {
    const element = document.createElement(tag);
    element.textContent = text;
    return element;
  }

  function describe(told) {
    const detail = byId("detail");
    detail.hidden = told.empty();
    if (told.empty()) return;
    const node = told[0];
    const list = document.createElement("ul");
    node.connectedEdges().not(".hidden").sort((a, b) => b.data("strength") - a.data("strength")).forEach((edge) => {
      const item = document.createElement("li");
      const ends = [edge.source(), edge.target()].map((end) => part("bdi", end.data("label")));
      const over = edge.hasClass("over");
      item.append(ends[0], ` — ${edge.data("kind")} — `, ends[1], ` (${over ? "no longer" : edge.data("strength").toFixed(2)})`);
      item.classList.toggle("over", over);
      list.append(item);
    });
    const head = part("h2", node.data("label"));
    head.dir = "auto";
    detail.replaceChildren(
      head, part("p", isWhole() ? `${node.data("type")}, ${counted(node.data("mentions"))} mentions` : node.data("type")), list);
  }

  function tell(node) {
    shown.told = node;
    mark();
  }

  function tellNext(step) {
    const found = mark();
    if (found.empty()) return;
    const told = shown.told ? found.toArray().indexOf(shown.told[0]) : -1;
    const next = told < 0 && step < 0 ? -1 : told + step;
    tell(found[(next + found.length) % found.length]);
  }

  addChoices("types", types, shown.types, tint);
  addChoices("kinds", kinds, shown.kinds);
  byId("kinds").open = kinds.length <= 8;
  const slider = byId("position");
  byId("reading").hidden = positions.length === 0;
  slider.max = String(positions.length);
  slider.value = String(positions.length);
  slider.addEventListener("input", () => { shown.at = Number(slider.value); refresh(); });
  byId("strength").addEventListener("input", refresh);
  byId("search").addEventListener("input", search);
  byId("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") tellNext(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") tell(null);
  });
  cy.on("tap", "node", (event) => tell(event.target));
  cy.on("tap", (event) => { if (event.target === cy) tell(null); });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    cy.resize();
    cy.fit(undefined, 30);
  });
  cy.ready(() => {
    cy.fit(undefined, 30);
    refresh();
    window.entityGraph = cy;
  });
})();
