/* Brings the parts together: the head, tabs, the news from the server. */
const show_facts = (end) => {
  const s = known.state, list = [], fact = (name, v) => { const item = make("li", name + " "); item.append(make("b", v)); list.push(item); };
  if (typeof end.seconds === "number") { fact("computed", end.computed ?? 0); fact("kept", end.kept ?? 0); fact("time", time_words(end.seconds)); }
  if (s.size) fact("size", s.size.join(" × "));
  if (s.seed !== undefined) fact("seed", s.seed);
  by("facts").replaceChildren(...list);
};
/* Lines as they were printed; what a line found is marked. */
const show_faults = (text, code) => {
  const words = (text || "").replace(/\s+$/, "");
  by("faults").replaceChildren(...words.split(/(\berror:|\^~*)/).map((part, i) => i % 2 ? make("b", part) : part));
  by("faults").hidden = !words;
  document.body.classList.toggle("faulty", Boolean(code));
};
const state_words = (code, draft, text) => code ? "The recipe has faults: what is shown is of its last good state" : draft ? "Draft" : text ? "Done, with warnings" : "Done";
const tell_state = (words) => {
  by("state").textContent = words;
  document.title = `${document.body.classList.contains("faulty") ? "faulty: " : ""}${known.state ? known.state.recipe.replace(/^.*\//, "") : "thalweg"}`;
};
const show_all = () => {
  show_choices();
  show_sides();
  show_rows();
  show_nodes();
  show_pictures();
  show_pending();
  refresh_scene();
  show_numbers();
};
const show_sides = () => {
  by("sides").hidden = !has_variants();
  if (!has_variants()) return;
  by("sides").replaceChildren(...known.state.variants.map((v) => {
    const button = make("button", v.label);
    button.type = "button";
    press(button, v.name === known.side);
    button.onclick = () => { known.side = v.name; known.node = known.node && `${v.name}.${bare(known.node)}`; show_sides(); show_rows(); show_nodes(); };
    return button;
  }));
};
let reads = 0;
const read_state = async (again = true) => {
  const mine = ++reads, state = await read_json("/state.json").catch(() => null);
  if (!state || mine !== reads) return;
  if (again && state.revision < runs.full) return read_state(false); /* a run has ended meanwhile */
  /* Of a recipe with faults nothing may be known: the last good state's controls stay. */
  if (state.code && known.state && !(state.nodes || []).length) Object.assign(state, { nodes: known.nodes, params: known.state.params });
  take_state(state);
  viewer.world = state.world;
  by("recipe").textContent = state.recipe.replace(/^.*\//, "");
  by("recipe").title = state.recipe;
  by("about").textContent = state.about || "";
  by("about").hidden = !state.about;
  runs.seconds = state.seconds || runs.seconds;
  document.body.classList.toggle("running", state.running);
  show_faults(state.diagnostics, state.code);
  show_facts(state);
  tell_state(state.running ? "Computing" : state_words(state.code, state.draft, state.diagnostics));
  show_all();
  if (has_variants() && by("wiper").hidden && !by("wipe").dataset.seen) { by("wipe").dataset.seen = 1; open_wipe(true); }
};

let news = null; /* of the run under way: {draft, changed, total, done, expected} */
const on_view = (view) => {
  const was = known.views[view.key];
  known.views = { ...known.views, [view.key]: view };
  if (!of_now(scene.ground)) show_choices();
  if ([scene.ground, scene.layer].includes(bare(view.key)) && (!was || was.digest !== view.digest || was.draft !== view.draft || was.stale)) refresh_scene();
};
const on_end = (end) => {
  if (!known.state) return;
  document.body.classList.remove("running");
  show_faults(end.diagnostics, end.code);
  tell_state(state_words(end.code, end.draft, end.diagnostics));
  if (!end.draft) {
    runs.full = end.revision;
    runs.seconds = end.seconds ?? runs.seconds;
    show_facts(end);
    if (end.code === 0) settle();
    if (news && news.changed || end.code) read_state(); else { show_choices(); show_nodes(); show_pictures(); show_numbers(); refresh_scene(); }
  }
  run_over(end.revision);
};
listen({
  open: () => document.body.classList.remove("gone"), /* `state` follows */
  lost: () => { document.body.classList.add("gone"); document.body.classList.remove("running"); runs.under = null; runs.ended = runs.full = 0; tell_state(known.state && known.state.key_lasts === false ? "The server is gone: open the address that it prints when it starts again" : "The server is gone: this page goes on when it starts again"); },
  state: () => read_state(),
  begin: (e) => {
    news = { draft: e.draft, changed: Boolean(e.params || e.nodes || e.text || e.world || e.size), total: 1, done: 0, expected: 0 };
    document.body.classList.add("running");
    tell_state(e.draft ? "Draft" : "Computing");
    if (!known.state) return;
    if (e.params) known.state.params = e.params;
    if (e.nodes) { known.state.nodes = e.nodes; known.nodes = e.nodes.filter(is_own); }
    if (e.pending && !runs.under) known.values = { ...e.pending };
    if (news.changed) show_nodes();
    show_rows();
    show_pending();
  },
  plan: (e) => { if (news) Object.assign(news, { total: e.nodes || 1, expected: e.seconds || 0 }); },
  node: (e) => {
    if (!news) return;
    news.done++;
    by("progress").value = news.expected && typeof e.left === "number" ? clamp(1 - e.left / news.expected, 0, 1) : news.done / news.total;
    const n = node_named(e.name);
    if (!n || news.draft) return;
    Object.assign(n, { outcome: e.outcome, seconds: e.seconds ?? n.seconds });
    items.get(e.name)?.refresh(n, Math.max(1e-9, ...known.nodes.map((m) => m.seconds || 0)));
  },
  view: on_view,
  record: (e) => { known.records = { ...known.records, [e.key]: e }; },
  end: on_end,
  dropped: (e) => { document.body.classList.remove("running"); run_over(e.revision); },
});

const tabs = [...document.querySelectorAll("[role=tab]")];
const choose_tab = (tab) => {
  for (const other of tabs) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    by(other.getAttribute("aria-controls")).hidden = other !== tab;
  }
  document.body.classList.toggle("wide", tab.id === "tab-graph");
  show_nodes();
  show_library();
};
tabs.forEach((tab, i) => {
  tab.onclick = () => choose_tab(tab);
  tab.onkeydown = (e) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    e.preventDefault();
    choose_tab(next);
    next.focus();
  };
});
const icon = make("link");
icon.rel = "icon";
icon.href = URL.createObjectURL(new Blob([`<svg xmlns="${SVG}" viewBox="0 0 16 16"><path fill="#e07b2e" d="M0 14 6 3l3 5 2-3 5 9Z"/></svg>`], { type: "image/svg+xml" }));
document.head.append(icon);
/* The key has become a cookie: it need not stay in the address. */
if (new URLSearchParams(location.search).has("k")) {
  const rest = new URLSearchParams(location.search);
  rest.delete("k");
  history.replaceState(null, "", location.pathname + (rest.size ? `?${rest}` : ""));
}
