"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const positions = data.positions;
  const byId = (id) => document.getElementById(id);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const ink = dark ? "#e6e3da" : "#222";
  const types = [...new Set(data.nodes.map((node) => node.type))].sort();
  const kinds = [...new Set(data.edges.map((edge) => edge.kind))].sort();
  const colour = (type) => `hsl(${(types.indexOf(type) * 137.5) % 360}, 55%, ${dark ? 60 : 45}%)`;
  const counted = (number) => number.toLocaleString("en");

  const cy = cytoscape({
    container: byId("graph"),
    elements: [
      ...data.nodes.map((node) => ({
        group: "nodes",
        data: { ...node, colour: colour(node.type), size: 14 + 34 * node.importance, label: node.name },
        position: { x: node.x, y: node.y },
      })),
      ...data.edges.map((edge, number) => ({
        group: "edges",
        data: { ...edge, id: `edge ${number}`, width: 0.5 + 3.5 * edge.strength },
      })),
    ],
    layout: { name: "preset" },
    style: [
      {
        selector: "node",
        style: {
          width: "data(size)", height: "data(size)", "background-color": "data(colour)",
          label: "data(label)", color: ink, "font-size": 11, "min-zoomed-font-size": 6,
          "text-valign": "bottom", "text-margin-y": 3,
        },
      },
      {
        selector: "edge",
        style: { width: "data(width)", "line-color": dark ? "#666" : "#bbb", "curve-style": "haystack", opacity: 0.7 },
      },
      {
        selector: "edge[?directed]",
        style: {
          "curve-style": "bezier", "target-arrow-shape": "triangle",
          "line-color": dark ? "#a98" : "#976", "target-arrow-color": dark ? "#a98" : "#976",
        },
      },
      {
        selector: "edge.named",
        style: {
          label: "data(kind)", "font-size": 9, color: ink, "text-rotation": "autorotate",
          "min-zoomed-font-size": 7,
        },
      },
      { selector: ".hidden", style: { display: "none" } },
      { selector: ".faint", style: { opacity: 0.12 } },
      { selector: "node.found", style: { "border-width": 4, "border-color": ink } },
    ],
    hideEdgesOnViewport: data.edges.length > 2000,
    wheelSensitivity: 0.3,
  });

  const shown = { types: new Set(types), kinds: new Set(kinds), at: positions.length };

  function addChoices(box, names, chosen, tint) {
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
      if (tint) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.style.background = tint(name);
        label.append(swatch, " ");
      }
      label.append(name);
      byId(box).append(label);
    }
  }

  const isWhole = () => shown.at >= positions.length;
  const isMet = (since) => isWhole() || (since !== null && since <= positions[shown.at][0]);

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
      });
    });
    search();
  }

  function search() {
    const wanted = byId("search").value.trim().toLowerCase();
    const nodes = cy.nodes().not(".hidden");
    const found = wanted ? nodes.filter((node) => node.data("label").toLowerCase().includes(wanted)) : cy.collection();
    cy.batch(() => {
      cy.elements().removeClass("found faint");
      if (wanted) {
        found.addClass("found");
        cy.elements().not(found.closedNeighborhood()).addClass("faint");
      }
    });
    if (found.length) cy.animate({ fit: { eles: found, padding: 120 }, duration: 0 });
    const edges = cy.edges().not(".hidden").length;
    const text = `${counted(nodes.length)} of ${counted(data.nodes.length)} entities, ${counted(edges)} of ${counted(data.edges.length)} relations`;
    byId("status").textContent = wanted ? `${counted(found.length)} found; ${text}` : text;
  }

  function tell(node) {
    const detail = byId("detail");
    detail.replaceChildren();
    detail.hidden = false;
    const head = document.createElement("h2");
    head.textContent = node.data("label");
    const line = document.createElement("p");
    line.textContent = `${node.data("type")}, ${counted(node.data("mentions"))} mentions`;
    const list = document.createElement("ul");
    const edges = node.connectedEdges().not(".hidden").sort((a, b) => b.data("strength") - a.data("strength"));
    edges.forEach((edge) => {
      const item = document.createElement("li");
      item.textContent = `${edge.source().data("label")} — ${edge.data("kind")} — ${edge.target().data("label")} (${edge.data("strength").toFixed(2)})`;
      list.append(item);
    });
    detail.append(head, line, list);
    cy.edges().removeClass("named");
    edges.addClass("named");
  }

  addChoices("types", types, shown.types, colour);
  addChoices("kinds", kinds, shown.kinds);
  const slider = byId("position");
  byId("reading").hidden = positions.length === 0;
  slider.max = String(positions.length);
  slider.value = String(positions.length);
  slider.addEventListener("input", () => { shown.at = Number(slider.value); refresh(); });
  byId("strength").addEventListener("input", refresh);
  byId("search").addEventListener("input", search);
  cy.on("tap", "node", (event) => tell(event.target));
  cy.ready(() => {
    cy.fit(undefined, 30);
    refresh();
    window.entityGraph = cy;
  });
})();
