/* Records as numbers, with their change against before, or A beside B; those of measure.realism in the
 * bands of real ranges. */
const change_words = (v, was) => {
    const d = v - was,
        percent = abs(d / was) * 100,
        share = percent < 0.1 ? "<0.1" : brief(percent, 2);
    if (abs(d) <= 1e-9 * abs(v)) return ["same", "same"];
    return [`${d > 0 ? "▲" : "▼"} ${brief(abs(d), 3)}` + (was ? ` (${share} %)` : ""), "moved"];
};
const head_cell = (text, scope) => {
    const cell = make("th", text);
    cell.scope = scope;
    return cell;
};
const number_cell = (v) => make("td", v === undefined ? "" : brief(v));
const number_row = ([name, v, was]) => {
    const row = make("tr"),
        both = typeof was === "number" && typeof v === "number",
        [words, style] = both ? change_words(v, was) : ["", ""];
    row.append(head_cell(name.replaceAll("_", " "), "row"));
    if (has_variants()) row.append(number_cell(was));
    row.append(number_cell(v), make("td", words, `change ${style}`));
    return row;
};
/* `list`: name, value and value before. */
const number_table = (title, list) => {
    const table = make("table"),
        top = make("thead"),
        head = make("tr"),
        rows = make("tbody"),
        names = has_variants() ? ["A", "B", "B − A"] : ["now", "change"];
    head.append(make("td"), ...names.map((n) => head_cell(n, "col")));
    top.append(head);
    rows.append(...list.map(number_row));
    table.append(top, rows);
    return [make("h2", title), table];
};
/* Where a band has a quarter at its low end, half at its median, three quarters at its high end. */
const in_band = ([low, middle, high], v) => {
    const half = v < middle ? middle - low : high - middle;
    return clamp(0.5 + (0.25 * (v - middle)) / (half || 1), 0.02, 0.98) * 240;
};
const band_picture = (band, v, was, label) => {
    const svg = draw("svg", { class: "band", viewBox: "0 0 240 20", role: "img", "aria-label": label }),
        dot = (value, style, r) => draw("circle", { class: style, cx: in_band(band, value), cy: 10, r });
    svg.append(
        draw("rect", { class: "all", y: 8, width: 240, height: 4, rx: 2 }),
        draw("rect", { class: "real", x: 60, y: 4, width: 120, height: 12, rx: 3 }),
        draw("path", { class: "middle", d: "M120 4V16" }),
    );
    if (typeof was === "number") svg.append(dot(was, "before", 5));
    svg.append(dot(v, "now", 6));
    return svg;
};
const band_part = (name, band, v, was) => {
    const out = v < band[0] ? "below" : v > band[2] ? "above" : "inside",
        range = `${brief(band[0], 3)} to ${brief(band[2], 3)}`,
        part = make("div", "", "measure"),
        head = make("p");
    head.append(
        make("span", name.replaceAll("_", " "), "grow"),
        make("b", brief(v, 3)),
        make("span", out, out === "inside" ? "quiet" : "out"),
        make("span", range, "quiet"),
    );
    part.append(head, band_picture(band, v, was, `${name}: ${brief(v, 3)}, ${out} the band from ${range}`));
    return part;
};
const band_parts = (bands, now, was) => {
    const names = Object.keys(bands).filter((n) => n in now),
        inside = names.filter((n) => now[n] >= bands[n][0] && now[n] <= bands[n][2]).length,
        inside_words = `${inside} of ${names.length} are inside the bands that hold 90 % of real ranges.`;
    return [
        make("h2", "Like real mountains?"),
        make("p", `${inside_words} Real ranges have 6 or more inside.`, "quiet"),
        ...names.map((n) => band_part(n, bands[n], now[n], was[n])),
    ];
};
const record_parts = (key) => {
    const record = known.records[(has_variants() ? "b." : "") + key],
        before = has_variants() ? known.records["a." + key] : known.before?.records[key],
        now = record?.entries ?? {},
        was = before?.entries ?? {},
        names = [...new Set([...Object.keys(now), ...Object.keys(was)])],
        table = number_table(
            key.replace(/\.record$/, ""),
            names.map((n) => [n, now[n], was[n]]),
        );
    return record?.bands ? [...band_parts(record.bands, now, was), ...table] : table;
};
const height_parts = () => {
    const now = of_now(scene.ground),
        was = of_before(scene.ground),
        metres = world()?.height_m ?? 1,
        title = `${view_words(scene.ground)}: heights${world() ? " in metres" : ""}`,
        list = ["least", "greatest"].map((n) => [n, now?.[n] * metres, was && was[n] * metres]);
    return now ? number_table(title, list) : [];
};
const show_numbers = () => {
    const keys = [...new Set(Object.keys(known.records).map(bare))],
        sides = known.state?.variants?.map((v) => v.label) ?? [],
        since = known.before ? `Change since: ${known.before.label}` : "Changes come with the next run.",
        words = has_variants() ? `A: ${sides[0]}. B: ${sides[1]}.` : since;
    by("numbers").replaceChildren(
        make("p", words, "quiet"),
        ...keys.flatMap(record_parts),
        ...height_parts(),
    );
};
