/* The graph in layers, from sources down; each layer is ordered by where its neighbours stand. */
const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, attributes, text = "") => {
    const part = document.createElementNS(SVG, tag);
    for (const name in attributes) part.setAttribute(name, attributes[name]);
    part.textContent = text;
    return part;
};
const WIDE = 86,
    TALL = 94;

const layers_of = (names, edges) => {
    const depth = new Map(),
        into = new Map(names.map((n) => [n, edges.filter((e) => e[1] === n).map((e) => e[0])]));
    const find = (n) => {
        if (!depth.has(n)) {
            depth.set(n, 0);
            depth.set(n, max(-1, ...into.get(n).map(find)) + 1);
        }
        return depth.get(n);
    };
    names.forEach(find);
    /* A source stands just above its first use. */
    for (const n of [...names].reverse()) {
        const out = edges.filter((e) => e[0] === n).map((e) => depth.get(e[1]));
        if (out.length) depth.set(n, max(0, min(...out) - 1));
    }
    const layers = [];
    for (const n of names) (layers[depth.get(n)] ||= []).push(n);
    return layers.filter(Boolean);
};
/* Where the neighbours of a node stand on average; those that are not placed yet do not count. */
const middle_near = (n, edges, at) => {
    const near = edges
        .filter((e) => e.includes(n))
        .map((e) => at.get(e[0] === n ? e[1] : e[0])?.[0])
        .filter((x) => x !== undefined);
    return near.length ? near.reduce((a, b) => a + b) / near.length : 1e4;
};
const place_nodes = (layers, edges) => {
    const widest = max(1, ...layers.map((l) => l.length)),
        at = new Map();
    const place = (layer, y) => {
        const middles = new Map(layer.map((n) => [n, middle_near(n, edges, at)])),
            left = (widest - layer.length) / 2;
        layer.sort((a, b) => middles.get(a) - middles.get(b));
        layer.forEach((n, x) => at.set(n, [(x + left) * WIDE + 6, y * TALL + 6]));
    };
    for (let pass = 0; pass < 4; pass++) layers.forEach(place);
    return { at, wide: widest * WIDE + 12, tall: layers.length * TALL + 6 };
};
const graph_block = (n, [x, y]) => {
    const style = n.name === known.node ? "block chosen" : "block",
        transform = `translate(${x} ${y})`,
        g = draw("g", { class: style, tabindex: 0, role: "button", transform }),
        name = bare(n.name),
        href = thumbnail(n.name),
        box = { x: 12, y: 3, width: 50, height: 47, preserveAspectRatio: "xMidYMid slice" };
    g.append(
        draw("rect", { width: 74, height: 78, rx: 5 }),
        draw("text", { x: 37, y: 62 }, name.length > 12 ? name.slice(0, 11) + "…" : name),
        draw("text", { x: 37, y: 73, class: "time" }, cost_words(n).split(" ·")[0]),
    );
    g.append(
        href ? draw("image", { ...box, href }) : draw("text", { x: 37, y: 32, class: "time" }, kind_of(n)),
    );
    g.dataset.node = n.name;
    g.onclick = () => choose_node(n.name);
    g.onkeydown = (e) => {
        if (e.key !== "Enter" && e.key !== " ") return;
        e.preventDefault();
        choose_node(n.name);
        by("graph").querySelector(".chosen")?.focus();
    };
    return g;
};
const graph_edge = (from, to, at) => {
    const [x, y] = at.get(from),
        [u, v] = at.get(to),
        style = to === known.node ? "upstream" : from === known.node ? "downstream" : "";
    return draw("path", {
        class: style,
        d: `M${x + 37} ${y + 78}C${x + 37} ${y + 94} ${u + 37} ${v - 16} ${u + 37} ${v}`,
    });
};
const show_graph = (list) => {
    if (by("graph").hidden) return;
    const names = list.map((n) => n.name),
        here = new Set(names),
        edges = feeds().filter((e) => here.has(e[0]) && here.has(e[1])),
        { at, wide, tall } = place_nodes(layers_of(names, edges), edges);
    const svg = draw("svg", {
        width: wide,
        height: tall,
        role: "group",
        "aria-label": "graph of the recipe",
    });
    svg.append(...edges.map(([from, to]) => graph_edge(from, to, at)));
    svg.append(...list.map((n) => graph_block(n, at.get(n.name))));
    body.style.setProperty("--graph", `${clamp(wide + 44, 304, 640)}px`);
    by("graph").replaceChildren(svg);
};
