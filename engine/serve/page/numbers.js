/* Records as numbers, with their change against before, or A beside B; those of measure.realism in the bands of real ranges. */
const change_words = (v, was) => {
  const d = v - was;
  if (Math.abs(d) <= 1e-9 * Math.abs(v)) return ["=", "same"];
  return [`${d > 0 ? "▲" : "▼"} ${brief(Math.abs(d), 3)}${was ? ` (${brief(d / Math.abs(was) * 100, 2)} %)` : ""}`, "moved"];
};
const number_table = (title, list) => {
  const table = make("table"), head = make("tr"), body = make("tbody"), top = make("thead"), names = has_variants() ? ["A", "B", "B − A"] : ["now", "change"];
  head.append(...["", ...names].map((n) => { const th = make(n ? "th" : "td", n); if (n) th.scope = "col"; return th; }));
  top.append(head);
  table.append(top, body);
  for (const [name, v, was] of list) {
    const tr = make("tr"), th = make("th", name), both = typeof was === "number" && typeof v === "number", [words, style] = both ? change_words(v, was) : ["", ""];
    th.scope = "row";
    tr.append(th, ...(has_variants() ? [make("td", was === undefined ? "" : brief(was))] : []), make("td", v === undefined ? "" : brief(v)), make("td", words, `change ${style}`));
    body.append(tr);
  }
  return [make("h2", title), table];
};
/* Where a band has 0.25 at its low end, 0.5 at its median, 0.75 at its high end. */
const in_band = ([low, middle, high], v) => clamp(.5 + .25 * (v < middle ? (v - middle) / (middle - low || 1) : (v - middle) / (high - middle || 1)), .02, .98) * 240;
const band_parts = (bands, now, was) => {
  const names = Object.keys(bands).filter((n) => n in now), inside = names.filter((n) => now[n] >= bands[n][0] && now[n] <= bands[n][2]).length;
  return [make("h2", "Like real mountains?"), make("p", `${inside} of ${names.length} inside the bands that hold 90 % of real ranges, which have 6 or more inside.`, "quiet"), ...names.map((n) => {
    const [low, middle, high] = bands[n], v = now[n], out = v < low ? "below" : v > high ? "above" : "inside", part = make("div", "", "measure"), head = make("p"), svg = draw("svg", { class: "band", viewBox: "0 0 240 20", preserveAspectRatio: "none", role: "img", "aria-label": `${n}: ${brief(v, 3)}, ${out} the band from ${brief(low, 3)} to ${brief(high, 3)}` });
    svg.append(draw("rect", { class: "all", y: 8, width: 240, height: 4, rx: 2 }), draw("rect", { class: "real", x: 60, y: 4, width: 120, height: 12, rx: 3 }), draw("path", { class: "middle", d: "M120 4V16" }));
    if (was && typeof was[n] === "number") svg.append(draw("circle", { class: "before", cx: in_band(bands[n], was[n]), cy: 10, r: 5 }));
    svg.append(draw("circle", { class: "now", cx: in_band(bands[n], v), cy: 10, r: 6 }));
    head.append(make("span", n), make("span", "", "grow"), make("b", brief(v, 3)), make("span", out, out === "inside" ? "quiet" : "out"), make("span", `${brief(low, 3)} to ${brief(high, 3)}`, "quiet"));
    part.append(head, svg);
    return part;
  })];
};
const show_numbers = () => {
  const parts = [], now = has_variants() ? "b." : "", keys = [...new Set(Object.keys(known.records).map(bare))];
  const old = (key) => has_variants() ? known.records["a." + key] : known.before && known.before.records[key];
  for (const key of keys) {
    const record = known.records[now + key] || {}, entries = record.entries || {}, was = old(key) ? old(key).entries : {};
    if (record.bands) parts.push(...band_parts(record.bands, entries, was));
    parts.push(...number_table(key.replace(/\.record$/, ""), [...new Set([...Object.keys(entries), ...Object.keys(was)])].map((n) => [n, entries[n], was[n]])));
  }
  const g = of_now(scene.ground), b = of_before(scene.ground), metres = known.state && known.state.world ? known.state.world.height_m : 1;
  if (g) parts.push(...number_table(`${view_words(scene.ground)}: heights${metres === 1 ? "" : " in metres"}`, ["least", "greatest"].map((n) => [n, g[n] * metres, b && b[n] * metres])));
  const label = has_variants() ? "" : known.before ? `Change since: ${known.before.label}` : "Changes come with the next run.";
  by("numbers").replaceChildren(...parts, make("p", label || `A: ${known.state.variants[0].label}. B: ${known.state.variants[1].label}.`, "quiet"));
};
