"use strict";
/* Small things that all other parts use: elements, and numbers in words. */
const { abs, ceil, cos, exp, floor, hypot, log10, max, min, round, sin, sqrt } = Math;
const by = (id) => document.getElementById(id);
const body = document.body;
const make = (tag, text = "", style = "") => {
    const part = document.createElement(tag);
    if (text !== "") part.textContent = text;
    if (style) part.className = style;
    return part;
};
const make_button = (text, style, on_click) => {
    const part = make("button", text, style);
    part.onclick = on_click;
    return part;
};
/* Replaces the parts of a place unless they are there already, so that nothing leaves a hand that holds it.
 * */
const put_parts = (place, parts) => {
    if (place.children.length !== parts.length || parts.some((p, i) => place.children[i] !== p))
        place.replaceChildren(...parts);
};
const clamp = (v, low, high) => (v < low ? low : v > high ? high : v);

/* A number in few digits, never in a form that is longer than it needs. */
const brief = (value, digits = 4) => {
    const v = Number(value),
        size = abs(v);
    if (!Number.isFinite(v)) return String(value);
    if (v === 0) return "0";
    if (size >= 1e6 || size < 1e-4) return v.toExponential(2).replace(/\.?0+e\+?/, "e");
    return String(Number(v.toPrecision(digits)));
};
const time_words = (s) => {
    if (s === undefined || s === null) return "";
    if (s < 0.001) return "<1 ms";
    return s < 1 ? `${round(s * 1000)} ms` : `${s.toFixed(2)} s`;
};
const count_words = (n, one, more) => (n === 1 ? `1 ${one}` : `${n} ${more}`);
/* Heard by screen readers. */
const say = (words) => {
    by("said").textContent = words;
};
const press = (button, on) => {
    button.ariaPressed = on;
};
