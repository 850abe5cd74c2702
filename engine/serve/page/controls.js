/* Controls of values: a slider over the usual range, a field over all of it, choices, boxes. `it` is the
 * row that has the control: {row, held, typing, set, reset}; a control adds how to put a value into it. */
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?(\s?[a-z%]+)?$/;

const to_slider = (r, v) => {
    const share = r.log ? Math.log(v / r.low) / Math.log(r.high / r.low) : (v - r.low) / (r.high - r.low);
    return clamp(share, 0, 1) * 1000;
};
const from_slider = (r, t) => {
    const span = r.high - r.low,
        v = r.log ? r.low * (r.high / r.low) ** (t / 1000) : r.low + (span * t) / 1000,
        step = 10 ** floor(log10((r.log ? v : span) / 200));
    if (r.kind === "integer") return String(round(v));
    return String(Number((round(v / step) * step).toPrecision(6)));
};
const is_fixed = (r) => r.fixed || known.state.read_only;
/* What is wrong with a typed text, or "". */
const refusal = (r, text) => {
    const v = Number(text);
    if (text === r.default || r.options?.includes(text)) return "";
    if (!NUMBER.test(text)) return "not a number";
    if (Number.isNaN(v)) return ""; /* with a unit: the server knows it */
    if (r.kind === "integer" && !Number.isInteger(v)) return "not a whole number";
    if (v < r.min) return `less than ${brief(r.min)}`;
    return v > r.max ? `more than ${brief(r.max)}` : "";
};
const on_escape = (it, control) =>
    control.addEventListener("keydown", (e) => {
        if (e.key === "Escape") it.reset();
    });

const add_slider = (it, field) => {
    const slider = make("input"),
        whole = it.row.kind === "integer" && !it.row.log,
        text = () =>
            (whole ? slider.value : from_slider(it.row, Number(slider.value))) + (it.row.suffix ?? ""),
        hold = (held) => () => {
            it.held = held;
        };
    let keyed = false;
    slider.type = "range";
    [slider.min, slider.max, slider.step] = whole ? [it.row.low, it.row.high, 1] : [0, 1000, 5];
    slider.ariaLabel = `${it.row.name}${it.row.unit && ", "}${it.row.unit}, slider`;
    slider.onpointerdown = hold(true);
    slider.onpointerup = slider.onpointercancel = hold(false);
    slider.onkeydown = () => {
        keyed = true;
    };
    slider.onkeyup = () => {
        keyed = false;
    };
    slider.oninput = () => {
        field.value = text();
        slider.ariaValueText = field.value;
        it.set(field.value);
        if (!keyed) run(it.row.path);
    };
    slider.onchange = () => {
        it.held = false;
        it.set(text());
        run(false);
    };
    slider.ondblclick = it.reset;
    on_escape(it, slider);
    it.slide = (v) => {
        if (!it.held) slider.value = whole ? parseFloat(v) : to_slider(it.row, parseFloat(v));
        slider.ariaValueText = v;
    };
    return slider;
};
const add_field = (it, help) => {
    const text = it.row.kind === "text",
        field = make("input", "", text ? "value words" : "value");
    field.autocomplete = "off";
    field.spellcheck = false;
    field.disabled = text || is_fixed(it.row);
    if (!text) field.inputMode = "decimal";
    const judge = (wrong) => {
        help.textContent = wrong ? `${wrong}: ${field.value}` : it.about();
        help.classList.toggle("wrong", wrong);
        field.ariaInvalid = wrong ? "true" : null;
    };
    field.onchange = () => {
        const value = field.value.trim(),
            wrong = refusal(it.row, value);
        judge(wrong);
        if (wrong) return;
        it.typing = false;
        it.set(value);
        it.slide(value);
        run(false);
    };
    field.oninput = () => {
        it.typing = true;
    };
    field.onblur = () => {
        it.typing = false;
    };
    on_escape(it, field);
    it.put = (v) => {
        if (document.activeElement !== field || !it.typing) field.value = v;
        judge("");
    };
    return field;
};
const add_box = (it) => {
    const box = make("input");
    box.type = "checkbox";
    box.onchange = () => it.set(String(box.checked));
    it.put = (v) => {
        box.checked = v === "true";
    };
    return box;
};
const add_choice = (it) => {
    const select = make("select");
    select.append(...it.row.options.map((o) => new Option(o, o)));
    select.onchange = () => it.set(select.value);
    it.put = (v) => {
        if (![...select.options].some((o) => o.value === v)) select.append(new Option(v, v));
        select.value = v;
    };
    return select;
};
const add_control = (it, help) => {
    const make_control = { word: add_choice, switch: add_box }[it.row.kind];
    if (!make_control) return add_field(it, help);
    const control = make_control(it);
    control.disabled = is_fixed(it.row);
    control.addEventListener("change", () => run(false));
    on_escape(it, control);
    return control;
};
