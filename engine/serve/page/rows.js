/* Rows of parameters. A row is made once and only refreshed afterwards, so that nothing is taken out of a
 * hand that holds it. */
const rows = new Map(); /* by path */

const has_slider = (r) => !is_fixed(r) && r.low < r.high && Number.isFinite(parseFloat(value_of(r)));
const make_row = (row) => {
    const it = { row, part: make("div", "", "row"), slide: () => {} },
        label = make("label"),
        help = make("small");
    const paint = () => {
        const set = it.row.path in known.values;
        it.part.classList.toggle("changed", set);
        it.part.classList.toggle("absent", it.row.file === null && !set);
    };
    it.set = (text) => {
        set_value(it.row, text);
        paint();
    };
    /* A unit stands beside the name if there is room. */
    const unit_fits = () => it.row.name.length + it.row.unit.length < 22;
    it.about = () => {
        const { about, unit, fixed } = it.row,
            words = [about, unit_fits() ? "" : `in ${unit}`, fixed ? "set by an expression in the file" : ""];
        return words.filter(Boolean).join(" · ");
    };
    it.reset = () => {
        it.typing = false;
        it.set(in_file(it.row));
        it.refresh(it.row);
        run(false);
    };
    it.refresh = (r) => {
        const v = value_of(r);
        it.row = r;
        label.textContent = r.name;
        if (r.unit !== r.name && unit_fits()) label.append(" ", make("span", r.unit, "unit"));
        label.title = `${r.path}, line ${r.line}; in the file: ${r.file ?? "not set"}`;
        help.textContent = it.about();
        it.put(v);
        it.slide(v);
        paint();
    };
    const control = add_control(it, help);
    label.htmlFor = control.id = "value-" + row.path;
    label.ondblclick = it.reset;
    it.part.dataset.path = row.path;
    it.part.append(label, control);
    if (has_slider(row)) it.part.append(add_slider(it, control));
    it.part.append(help);
    return it;
};
/* The parts of some rows: those that are there already are refreshed in their place. */
const row_part = (row) => {
    const kind = [
        row.kind,
        row.low,
        row.high,
        row.log,
        row.fixed,
        row.options?.length,
        has_slider(row),
    ].join();
    let it = rows.get(row.path);
    if (!it || (it.kind !== kind && !it.held)) {
        it = make_row(row);
        it.kind = kind;
        rows.set(row.path, it);
    }
    it.refresh(row);
    return it.part;
};

const hint = make("p", "The recipe has no params. Choose a node to steer its own.", "quiet");
const more = make("details"),
    more_head = make("summary"),
    more_rows = make("div");
more.append(more_head, more_rows);
const show_node_rows = (node) => {
    const mine = by("node-params"),
        is_first = (r) =>
            r.file !== null || r.path in known.values || rows.get(r.path)?.part.parentNode === mine,
        first = node ? node.params.filter(is_first) : [],
        rest = node ? node.params.filter((r) => !is_first(r)) : [],
        [one, many] = first.length ? ["more", "more"] : ["parameter", "parameters"];
    more_head.textContent = count_words(rest.length, one + ", at its default", many + ", at their defaults");
    if (more.dataset.node !== known.node) more.open = !first.length;
    more.dataset.node = known.node;
    put_parts(more_rows, rest.map(row_part));
    put_parts(mine, [...first.map(row_part), ...(rest.length ? [more] : [])]);
};
/* A node of a recipe that is used as a node is set in that recipe's file, or by the parameters that it
 * declares. */
const tell_node = (node) => {
    const about = by("node-about"),
        user = node && node_named(node.name.replace(/\/[^/]*$/, ""));
    by("node-head").textContent = node ? `Node ${bare(node.name)}` : "Node";
    about.textContent = node ? `${node.type}, ${place_of(node)}` : "Choose one under Nodes.";
    if (!node || node.params.length) return;
    if (!node.file) return about.append(": no parameters");
    about.append(": it is set in that file");
    if (user && user !== node)
        about.append(
            ", or by ",
            make_button(bare(user.name), "link", () => choose_node(user.name)),
        );
};
const show_rows = () => {
    if (!known.state) return;
    const mine = known.state.params.filter((r) => is_here(r.path)),
        node = node_named(known.node);
    put_parts(by("params"), mine.length || !known.nodes.length ? mine.map(row_part) : [hint]);
    tell_node(node);
    show_node_rows(node);
};
