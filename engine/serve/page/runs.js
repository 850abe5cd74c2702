/* Runs that the page asks for: while a control moves, one is under way until what is on the screen has come, and
 * the newest values wait; drafts where that is slow. `sliding`: the path of the value that moves, or false. */
const runs = { under: null, ended: 0, full: 0, waits: false };
const DRAFT_OVER = 0.12; /* seconds */

/* Names and all that follow from them. */
const reach = (names, edges) => {
    const all = new Set(names);
    for (const name of all) for (const [from, to] of edges) if (from === name) all.add(to);
    return all;
};
/* Seconds of the nodes between a value and what is on the screen, as they took in full; of all nodes where it is
 * not known which have the value. */
const expected = (path) => {
    const [, side, kind, name] = path.match(/^([ab]\.)?(\w+)\.([^.]*)/),
        own = (side ?? "") + name,
        word = new RegExp(`\\$\\{[^}]*\\b${name}\\b`),
        has = (n) =>
            kind === "nodes" ? `${n.name}/`.startsWith(own + "/") : n.params.some((r) => word.test(r.file)),
        users = known.nodes.filter(has),
        edges = feeds(),
        down = reach(
            (users.length ? users : known.nodes).map((n) => n.name),
            edges,
        ),
        up = reach(
            wanted().map((key) => known.views[key]?.node),
            edges.map(([from, to]) => [to, from]),
        );
    return known.nodes.reduce((sum, n) => sum + (down.has(n.name) && up.has(n.name) ? n.seconds : 0), 0);
};

const ask_for_run = async (draft) => {
    const answer = await post("/run", { values: known.values, want: wanted(), draft });
    if (answer.ok) return (await answer.json()).revision;
    if (answer.status === 403)
        throw new Error("The server takes no values from this page: open the address that it printed.");
    throw new Error(`The server did not take the values: ${await answer.text()}`);
};
const run = async (sliding) => {
    runs.waits = runs.under?.sliding && sliding;
    if (runs.waits) return;
    const mine = (runs.under = { sliding });
    try {
        mine.revision = await ask_for_run(sliding && expected(sliding) > DRAFT_OVER);
        if (mine.revision <= runs.ended) run_over(mine.revision);
    } catch (fault) {
        if (runs.under === mine) runs.under = null;
        notice(fault instanceof TypeError ? "" : fault.message);
    }
};
const run_over = (revision) => {
    runs.ended = max(runs.ended, revision);
    if (!(revision >= runs.under?.revision)) return;
    runs.under = null;
    if (runs.waits) run(runs.waits);
};
const notice = (words) => {
    by("notice").textContent = words;
    by("notice").hidden = !words;
};

/* ---- values that differ from the file ---- */
const in_file = (row) => row.file ?? row.default;
const value_of = (row) => known.values[row.path] ?? in_file(row);
const set_value = (row, text) => {
    if (text === in_file(row)) delete known.values[row.path];
    else known.values[row.path] = text;
    show_pending();
};
const show_pending = () => {
    const n = Object.keys(known.values).length,
        words = count_words(n, "value differs from the file", "values differ from the file");
    by("changes").hidden = !n;
    by("pending").textContent = words + (known.state.writable ? "" : ", which this page cannot write");
    by("write").hidden = !known.state.writable;
};
const set_written = (values) => {
    for (const path in values) {
        const row = row_at(path);
        if (row) row.file = values[path];
        if (known.values[path] === values[path]) delete known.values[path];
    }
    notice("");
    say("Written to the file");
};
/* The file has other values by now: they are what a row goes back to. */
const tell_conflict = (values, changed) => {
    const lines = changed.map(({ path, value }) => {
        const row = row_at(path);
        if (row) row.file = value;
        return `${path}: ${value ?? "not there any more"} in the file, ${values[path]} here`;
    });
    lines.unshift("Nothing was written: the file has changed meanwhile.");
    lines.push("Write again to put yours in its place, or press Esc in a field to take the file's.");
    notice(lines.join("\n"));
};
const write_file = async () => {
    const values = { ...known.values },
        files = Object.keys(values).map((path) => [path, row_at(path)?.file ?? null]),
        body = { values, was: Object.fromEntries(files) },
        answer = await post("/write", body).catch(() => null),
        told = (await answer?.json().catch(() => null)) ?? {};
    if (answer?.ok) set_written(values);
    else if (answer?.status === 409) tell_conflict(values, told.changed);
    else notice(`Nothing was written. ${told.error || "The server does not answer."}`);
    show_pending();
    show_rows();
};
by("write").onclick = write_file;
by("discard").onclick = () => {
    known.values = {};
    notice("");
    show_pending();
    show_rows();
    run(false);
};
