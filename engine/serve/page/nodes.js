/* The list of nodes: a thumbnail, a time or "kept", type and line. */
const items = new Map(); /* by name: {part, refresh} */

const cost_words = (n) => {
    const time = time_words(n.seconds);
    if (n.outcome === "kept") return n.seconds ? `kept · ${time}` : "kept";
    return n.outcome === "computed" ? time : n.outcome;
};
const thumbnail = (name) => {
    const v = face_of(name);
    return v?.thumb ? "/t/" + v.thumb : "";
};
/* Stands where a node has no picture. */
const kind_of = (n) => n.type.replace(/^.*[.:/]/, "");
const place_of = (n) => (n.file ? `${n.file}:${n.line}` : `line ${n.line}`);
/* The longest time of a node, of which the bars below the names are shares. */
const longest = () => max(1e-9, ...known.nodes.map((n) => n.seconds || 0));
const make_item = (name) => {
    const part = make_button("", "node", () => choose_node(name)),
        picture = make("img"),
        blank = make("i", "", "blank"),
        time = make("span", "", "time"),
        type = make("span", "", "type"),
        output = make("span", "", "output"),
        cost = make("span", "", "cost"),
        share = make("i");
    picture.alt = "";
    cost.append(share);
    part.append(blank, make("b", bare(name)), time, type, output, cost);
    part.dataset.node = name;
    const refresh = (n) => {
        const src = thumbnail(name),
            views = views_of(name),
            first = src ? picture : blank;
        blank.textContent = kind_of(n);
        time.textContent = cost_words(n);
        type.textContent = `${n.type} · ${place_of(n)}`;
        output.textContent = views.some((v) => v.names.length) ? "output" : "";
        share.style.setProperty("width", `${100 * sqrt((n.seconds || 0) / longest())}%`);
        part.className = `node ${n.outcome}`;
        part.classList.toggle("chosen", name === known.node);
        part.classList.toggle(
            "stale",
            views.some((v) => v.stale),
        );
        press(part, name === known.node);
        if (src && picture.getAttribute("src") !== src) picture.src = src;
        if (part.firstChild !== first) part.firstChild.replaceWith(first);
    };
    return { part, refresh };
};
const show_nodes = () => {
    const list = known.nodes.filter((n) => is_here(n.name));
    const parts = list.map((n) => {
        if (!items.has(n.name)) items.set(n.name, make_item(n.name));
        items.get(n.name).refresh(n);
        return items.get(n.name).part;
    });
    put_parts(by("nodes"), parts);
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
    const view = face_of(name);
    known.node = name;
    show_rows();
    show_nodes();
    if (view) show_view(view);
};
