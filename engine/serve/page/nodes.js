/* The list of nodes: a thumbnail, a time or "kept", type and line. */
const items = new Map(); /* by name: {part, refresh} */

const cost_words = (n) => n.outcome === "kept" ? `kept${n.seconds ? ` · ${time_words(n.seconds)}` : ""}` : n.outcome === "computed" ? time_words(n.seconds) : n.outcome || "";
const thumbnail = (name) => { const v = face_of(name); return v && (v.thumb || ["heightmap", "mask", "labels", "image"].includes(v.kind)) ? "/t/" + (v.thumb || v.digest) : ""; };
const make_item = (name) => {
  const part = make("button", "", "node"), picture = make("img"), blank = make("i", "", "blank"), title = make("b", bare(name)), time = make("span", "", "time"), type = make("span", "", "type"), output = make("span", "", "output"), cost = make("span", "", "cost"), share = make("i");
  part.type = "button";
  picture.alt = "";
  cost.append(share);
  part.append(blank, title, time, type, output, cost);
  part.dataset.node = name;
  part.onclick = () => choose_node(name);
  const refresh = (n, most) => {
    const src = thumbnail(name), views = views_of(name);
    time.textContent = cost_words(n);
    type.textContent = `${n.type} · ${n.file ? n.file + ":" : "line "}${n.line}`;
    output.textContent = views.some((v) => (v.names || []).length) ? "output" : "";
    share.style.setProperty("width", `${100 * Math.sqrt((n.seconds || 0) / most)}%`);
    part.className = `node ${n.outcome || ""}${name === known.node ? " chosen" : ""}${views.some((v) => v.stale) ? " stale" : ""}`;
    part.setAttribute("aria-pressed", String(name === known.node));
    if (src && picture.getAttribute("src") !== src) picture.src = src;
    const first = src ? picture : blank;
    if (part.firstChild !== first) part.firstChild.replaceWith(first);
  };
  return { part, refresh };
};
const show_nodes = () => {
  const list = known.nodes.filter((n) => is_here(n.name)), most = Math.max(1e-9, ...list.map((n) => n.seconds || 0));
  put_parts(by("nodes"), list.map((n) => {
    if (!items.has(n.name)) items.set(n.name, make_item(n.name));
    items.get(n.name).refresh(n, most);
    return items.get(n.name).part;
  }));
  mark_neighbours();
  show_graph(list);
};
const mark_neighbours = () => {
  for (const { part } of items.values()) part.classList.remove("upstream", "downstream");
  for (const [from, to] of feeds()) {
    if (to === known.node) items.get(from)?.part.classList.add("upstream");
    if (from === known.node) items.get(to)?.part.classList.add("downstream");
  }
};
const choose_node = (name) => {
  known.node = name;
  show_rows();
  show_nodes();
  const view = face_of(name);
  if (view) show_view(view);
};
