/* The graph in layers, from sources down; each layer is ordered by where its neighbours stand. */
const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, attributes, text = "") => {
  const part = document.createElementNS(SVG, tag);
  for (const name in attributes) part.setAttribute(name, attributes[name]);
  part.textContent = text;
  return part;
};
const WIDE = 86, TALL = 94;

const layers_of = (names, edges) => {
  const depth = new Map(), into = new Map(names.map((n) => [n, edges.filter((e) => e[1] === n).map((e) => e[0])]));
  const find = (n) => { if (!depth.has(n)) { depth.set(n, 0); depth.set(n, Math.max(-1, ...into.get(n).map(find)) + 1); } return depth.get(n); };
  names.forEach(find);
  /* A source stands just above its first use. */
  for (const n of [...names].reverse()) { const out = edges.filter((e) => e[0] === n).map((e) => depth.get(e[1])); if (out.length) depth.set(n, Math.max(0, Math.min(...out) - 1)); }
  const layers = [];
  for (const n of names) (layers[depth.get(n)] ||= []).push(n);
  return layers.filter(Boolean);
};
const place_nodes = (layers, edges) => {
  const widest = Math.max(1, ...layers.map((l) => l.length)), at = new Map();
  for (let round = 0; round < 4; round++) layers.forEach((layer, y) => {
    const middle = (n) => { const near = edges.filter((e) => e[1] === n || round && e[0] === n).map((e) => at.get(e[0] === n ? e[1] : e[0])).filter(Boolean).map((p) => p[0]); return near.length ? near.reduce((a, b) => a + b) / near.length : 1e4; };
    const by_middle = new Map(layer.map((n) => [n, middle(n)]));
    layer.sort((a, b) => by_middle.get(a) - by_middle.get(b)).forEach((n, x) => at.set(n, [(x + (widest - layer.length) / 2) * WIDE + 6, y * TALL + 6]));
  });
  return { at, wide: widest * WIDE + 12, tall: layers.length * TALL + 6 };
};
const graph_block = (n, [x, y]) => {
  const g = draw("g", { class: `block${n.name === known.node ? " chosen" : ""}`, tabindex: 0, role: "button", transform: `translate(${x} ${y})` }), name = bare(n.name), src = thumbnail(n.name);
  g.append(draw("rect", { width: 74, height: 78, rx: 5 }), draw("text", { x: 37, y: 62 }, name.length > 12 ? name.slice(0, 11) + "…" : name), draw("text", { x: 37, y: 73, class: "time" }, cost_words(n).replace(/ ·.*/, "")));
  if (src) g.append(draw("image", { x: 12, y: 3, width: 50, height: 47, preserveAspectRatio: "xMidYMid slice", href: src }));
  g.dataset.node = n.name;
  g.onclick = () => choose_node(n.name);
  g.onkeydown = (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); choose_node(n.name); by("graph").querySelector(".chosen")?.focus(); } };
  return g;
};
const show_graph = (list) => {
  if (by("graph").hidden) return;
  const names = list.map((n) => n.name), here = new Set(names), edges = feeds().filter((e) => here.has(e[0]) && here.has(e[1])), { at, wide, tall } = place_nodes(layers_of(names, edges), edges);
  const svg = draw("svg", { width: wide, height: tall, role: "group", "aria-label": "graph of the recipe" });
  for (const [from, to] of edges) {
    const [x, y] = at.get(from), [u, v] = at.get(to);
    svg.append(draw("path", { class: to === known.node ? "upstream" : from === known.node ? "downstream" : "", d: `M${x + 37} ${y + 78}C${x + 37} ${y + 94} ${u + 37} ${v - 16} ${u + 37} ${v}` }));
  }
  svg.append(...list.map((n) => graph_block(n, at.get(n.name))));
  document.body.style.setProperty("--graph", `${clamp(wide + 44, 304, 640)}px`);
  by("graph").replaceChildren(svg);
};
