/* Brings the parts together: takes the server's state and its news. */
const show_results = () => {
    show_choices();
    show_nodes();
    show_pictures();
    show_numbers();
    refresh_scene();
};
const show_all = () => {
    show_head();
    show_rows();
    show_pending();
    show_results();
};
let reads = 0;
const read_state = async (again = true) => {
    const mine = ++reads,
        state = await read_json("/state.json").catch(() => null);
    if (mine !== reads) return;
    if (!state) return setTimeout(() => mine === reads && read_state(), 1000);
    /* A run has ended meanwhile. */
    const is_old = state.revision < runs.full || (state.running && state.revision <= runs.ended);
    if (again && is_old) return read_state(false);
    /* Of a recipe with faults, or one that is not read yet, nothing is known: the last good state stays. */
    if (known.state && !state.nodes.length)
        Object.assign(state, {
            nodes: known.state.nodes,
            params: known.state.params,
            views: Object.values(known.views),
            records: Object.values(known.records),
        });
    const unwritten = body.classList.contains("gone") && !runs.under ? known.values : {};
    take_state(state);
    /* A server that starts again has them no more. */
    Object.assign(known.values, unwritten);
    if (Object.keys(unwritten).length) run(false);
    body.classList.remove("gone");
    viewer.world = state.world;
    viewer.dirty();
    show_all();
    if (has_variants() && !by("wipe").dataset.seen) open_wipe(true);
    by("wipe").dataset.seen = 1;
};

let news = null; /* of the run under way; `left`: keys on the screen that are still to come */
const on_begin = (e) => {
    news = { ...e, total: 1, done: 0, left: new Set(wanted()) };
    set_running(true);
    tell_state(e.draft ? "Draft" : "Computing");
    if (!known.state) return;
    if (e.nodes) {
        known.state.params = e.params;
        take_nodes(e.nodes);
        show_nodes();
    }
    if (!runs.under) known.values = { ...e.pending };
    show_rows();
    show_pending();
};
const on_node = (e) => {
    const n = node_named(e.name);
    if (!news) return;
    by("progress").value = ++news.done / news.total;
    if (!n || news.draft) return;
    Object.assign(n, { outcome: e.outcome, seconds: e.seconds });
    items.get(e.name)?.refresh(n);
};
const is_other = (view, was) => was?.digest !== view.digest || was.draft !== view.draft || was.stale;
const on_view = (view) => {
    const was = known.views[view.key];
    known.views[view.key] = view;
    if (!of_now(scene.ground)) show_choices();
    if ([scene.ground, scene.layer].includes(bare(view.key)) && is_other(view, was)) refresh_scene();
    news?.left.delete(view.key);
    if (runs.under?.sliding && news?.left.size === 0) run_over(news.revision);
};
const on_end = (end) => {
    /* The state that is on its way may be from before the end. */
    if (!known.state) return read_state();
    set_running(false);
    show_faults(end.diagnostics, end.code);
    tell_state(state_words(end));
    if (!end.draft) {
        runs.full = end.revision;
        show_facts(end);
        if (end.code === 0) settle();
        if (news?.nodes || end.code) read_state();
        else show_results();
    }
    run_over(end.revision);
};
const on_lost = () => {
    reads++; /* what is still to come is of the server that is gone */
    body.classList.add("gone");
    set_running(false);
    runs.under = null;
    runs.ended = runs.full = 0;
    tell_state(
        known.state?.key_lasts === false
            ? "The server is gone: open the address that it prints when it starts again"
            : "The server is gone: this page goes on when it starts again",
    );
};
listen({
    lost: on_lost,
    state: () => read_state(),
    begin: on_begin,
    plan: (e) => {
        if (news) news.total = e.nodes || 1;
    },
    node: on_node,
    view: on_view,
    record: (e) => {
        known.records[e.key] = e;
    },
    end: on_end,
    dropped: (e) => {
        if (!known.state) return read_state();
        set_running(false);
        run_over(e.revision);
    },
});
