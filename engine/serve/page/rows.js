/* Controls of parameters: a slider over the usual range, a field over all of it, choices, boxes. A row is made once and
 * only refreshed afterwards, so that nothing is taken out of a hand that holds it. */
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?( ?[a-z%]+)?$/;
const rows = new Map(); /* by path: {part, kind, refresh} */

const to_slider = (r, v) => r.log ? Math.log(v / r.low) / Math.log(r.high / r.low) * 1000 : (v - r.low) / (r.high - r.low) * 1000;
const from_slider = (r, t) => {
  const v = r.log ? r.low * (r.high / r.low) ** (t / 1000) : r.low + (r.high - r.low) * t / 1000;
  if (r.kind === "integer") return String(Math.round(v));
  const step = 10 ** Math.floor(Math.log10((r.log ? v : r.high - r.low) / 200));
  return String(Number((Math.round(v / step) * step).toPrecision(6)));
};
const is_fixed = (r) => Boolean(r.fixed || known.state.read_only);
/* What is wrong with a typed text, or "". */
const refusal = (r, text) => {
  const v = Number(text);
  if (text === r.default || (r.options || []).includes(text)) return "";
  if (!NUMBER.test(text)) return "not a number";
  if (Number.isNaN(v)) return ""; /* with a unit: the server knows it */
  if (r.kind === "integer" && !Number.isInteger(v)) return "not a whole number";
  if (typeof r.min === "number" && v < r.min) return `less than ${brief(r.min)}`;
  return typeof r.max === "number" && v > r.max ? `more than ${brief(r.max)}` : "";
};
const add_slider = (it, field, set) => {
  const s = make("input"), whole = it.row.kind === "integer" && !it.row.log;
  let keyed = false;
  s.type = "range";
  [s.min, s.max, s.step] = whole ? [it.row.low, it.row.high, 1] : [0, 1000, 5];
  s.setAttribute("aria-label", `${it.row.name}${it.row.unit ? ", " + it.row.unit : ""}, slider`);
  const text = () => (whole ? s.value : from_slider(it.row, Number(s.value))) + (it.row.suffix || "");
  s.onpointerdown = () => { it.held = true; };
  s.onpointerup = s.onpointercancel = () => { it.held = false; };
  s.onkeydown = (e) => { keyed = true; if (e.key === "Escape") it.reset(); };
  s.onkeyup = () => { keyed = false; };
  s.oninput = () => { field.value = text(); s.setAttribute("aria-valuetext", field.value); set(field.value); if (!keyed) run(true); };
  s.onchange = () => { it.held = false; set(text()); run(false); };
  s.ondblclick = () => it.reset();
  it.slide = (v) => { if (!it.held) s.value = whole ? parseFloat(v) : clamp(to_slider(it.row, parseFloat(v)), 0, 1000); s.setAttribute("aria-valuetext", v); };
  return s;
};
const add_field = (it, help, set) => {
  const field = make("input", "", it.row.kind === "text" ? "value words" : "value");
  field.autocomplete = "off";
  field.spellcheck = false;
  field.disabled = it.row.kind === "text" || is_fixed(it.row);
  if (it.row.kind !== "text") field.inputMode = "decimal";
  const judge = (wrong) => {
    help.textContent = wrong ? `${wrong}: ${field.value}` : it.about();
    help.classList.toggle("wrong", Boolean(wrong));
    if (wrong) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
  };
  field.onchange = () => { const text = field.value.trim(), wrong = refusal(it.row, text); judge(wrong); if (!wrong) { set(text); it.slide(text); run(false); } };
  field.onkeydown = (e) => { if (e.key === "Escape") it.reset(); };
  it.put = (v) => { if (document.activeElement !== field || !it.typing) field.value = v; judge(""); };
  field.oninput = () => { it.typing = true; };
  field.onblur = () => { it.typing = false; };
  return field;
};
const add_choice = (it, set) => {
  const box = it.row.kind === "switch", part = make(box ? "input" : "select");
  if (box) part.type = "checkbox"; else part.append(...(it.row.options || []).map((o) => new Option(o, o)));
  part.disabled = is_fixed(it.row);
  it.put = (v) => {
    if (box) part.checked = v === "true";
    else { if (![...part.options].some((o) => o.value === v)) part.append(new Option(v, v)); part.value = v; }
  };
  part.onchange = () => { set(box ? String(part.checked) : part.value); run(false); };
  part.onkeydown = (e) => { if (e.key === "Escape") it.reset(); };
  return part;
};
const make_row = (row) => {
  const it = { row, part: make("div", "", "row"), slide: () => {} }, label = make("label"), help = make("small");
  const paint = () => {
    it.part.classList.toggle("changed", it.row.path in known.values);
    it.part.classList.toggle("absent", it.row.file === null && !(it.row.path in known.values));
  };
  const set = (text) => { set_value(it.row, text); paint(); };
  it.about = () => [it.row.about || "", it.row.fixed ? "set by an expression in the file" : ""].filter(Boolean).join(" · ");
  it.reset = () => { it.typing = false; set(in_file(it.row)); it.refresh(it.row); run(false); };
  it.refresh = (r) => {
    it.row = r;
    label.textContent = r.name;
    if (r.unit && r.unit.length < 16) label.append(" ", make("span", r.unit, "unit"));
    label.title = `${r.path}${r.line ? `, line ${r.line}` : ""}; in the file: ${r.file ?? "not set"}`;
    const v = value_of(r);
    help.textContent = it.about();
    it.put(v);
    it.slide(v);
    paint();
  };
  const control = row.kind === "word" || row.kind === "switch" ? add_choice(it, set) : add_field(it, help, set);
  label.htmlFor = control.id = "value-" + row.path;
  label.ondblclick = it.reset;
  it.part.dataset.path = row.path;
  it.part.append(label, control);
  if (control.type === "text" && row.kind !== "text" && !is_fixed(row) && typeof row.low === "number" && row.low < row.high && Number.isFinite(parseFloat(value_of(row)))) it.part.append(add_slider(it, control, set));
  it.part.append(help);
  return it;
};
/* The parts of some rows: those that are there already are refreshed in their place. */
const row_parts = (list) => list.map((row) => {
  const kind = [row.kind, row.low, row.high, row.log, row.fixed, (row.options || []).length, Number.isFinite(parseFloat(value_of(row)))].join();
  let it = rows.get(row.path);
  if (!it || it.kind !== kind && !it.held) { it = make_row(row); it.kind = kind; rows.set(row.path, it); }
  it.refresh(row);
  return it.part;
});
const put_parts = (place, parts) => { if (place.children.length !== parts.length || parts.some((p, i) => place.children[i] !== p)) place.replaceChildren(...parts); };

const hint = make("p", "The recipe has no params. Choose a node to steer its own.", "quiet");
const more = make("details"), more_head = make("summary"), more_rows = make("div");
more.append(more_head, more_rows);
const show_rows = () => {
  if (!known.state) return;
  const mine = known.state.params.filter((r) => is_here(r.path)), node = node_named(known.node), all = node ? node.params || [] : [];
  const set = (r) => r.file !== null || r.path in known.values || rows.has(r.path) && rows.get(r.path).part.parentNode === by("node-params");
  const first = all.filter(set), rest = all.filter((r) => !set(r));
  put_parts(by("params"), mine.length ? row_parts(mine) : [hint]);
  by("node-head").textContent = node ? `Node ${bare(node.name)}` : "Node";
  by("node-about").textContent = node ? `${node.type}, line ${node.line}${node.file ? ` of ${node.file}` : ""}${all.length ? "" : ": no parameters"}` : "Choose one under Nodes.";
  more_head.textContent = first.length ? count_words(rest.length, "more, at its default", "more, at their defaults") : count_words(rest.length, "parameter, at its default", "parameters, at their defaults");
  if (more.dataset.node !== known.node) { more.dataset.node = known.node; more.open = !first.length; }
  put_parts(more_rows, row_parts(rest));
  put_parts(by("node-params"), [...row_parts(first), ...(rest.length ? [more] : [])]);
};
