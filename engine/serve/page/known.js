/* What the page knows: the server's state, the newest results by key, the results before them, and values
 * not yet written. */
const known = {
    state: null,
    views: {},
    records: {},
    nodes: [],
    values: {},
    before: null,
    settled: null,
    kept: false,
    side: "",
    node: "",
};
const world = () => known.state?.world;

/* With variants the names of nodes and views begin with `a.` or `b.`: b is "now", a is "before". */
const has_variants = () => Boolean(known.state?.variants.length);
const bare = (name) => (has_variants() ? name.replace(/^[ab]\./, "") : name);
const of_now = (key) =>
    has_variants() ? known.views["b." + key] || known.views["a." + key] : known.views[key];
const of_before = (key) => (has_variants() ? known.views["a." + key] : known.before?.views[key]);
/* Pictures that exports draw are computed by nodes of no name of their own. */
const is_own = (n) => !/^([ab]\.)?\(/.test(n.name);
const is_here = (name) => !has_variants() || name.startsWith(known.side + ".");
const node_named = (name) => known.nodes.find((n) => n.name === name);
const views_of = (name) => Object.values(known.views).filter((v) => v.node === name);
/* The view that stands for a node. */
const face_of = (name) => {
    const all = views_of(name),
        drawn = all.filter((v) => v.kind !== "record" && v.kind !== "other");
    return all.find((v) => v.kind === "heightmap") || drawn[0] || all[0];
};
const all_rows = () => [...known.state.params, ...known.state.nodes.flatMap((n) => n.params)];
const row_at = (path) => all_rows().find((r) => r.path === path);
/* Pairs of names: a node, and one that reads it. */
const feeds = () => {
    const source = (input) => input.from.replace(/\.[^.]*$/, "");
    return known.nodes.flatMap((n) => n.inputs.map((i) => [source(i), n.name]));
};

const take_nodes = (nodes) => {
    known.state.nodes = nodes;
    known.nodes = nodes.filter(is_own);
};
const take_state = (state) => {
    known.state = state;
    known.views = Object.fromEntries(state.views.map((v) => [v.key, v]));
    known.records = Object.fromEntries(state.records.map((r) => [r.key, r]));
    take_nodes(state.nodes);
    if (!runs.under) known.values = { ...state.pending };
    if (has_variants() && !known.side) known.side = "b";
    if (!known.settled && state.code === 0 && !state.running)
        known.settled = { ...results(), label: "when it was opened" };
};
const results = () => ({ views: { ...known.views }, records: { ...known.records } });
const values_words = () => {
    const set = Object.entries(known.values).map(([path, v]) => `${path.replace(/^.*\./, "")} ${v}`);
    return set.length > 2 ? `${set[0]}, ${set[1]} …` : set.join(", ");
};
/* A run has ended well: what it changed becomes "now", what was there "before". */
const settle = () => {
    const now = results(),
        was = known.settled,
        differs = was && Object.keys(now.views).some((k) => was.views[k]?.digest !== now.views[k].digest);
    if (differs && !known.kept) known.before = was;
    if (was && !differs) Object.assign(was, now);
    else known.settled = { ...now, label: values_words() || (was ? "as in the file" : "when it was opened") };
};
