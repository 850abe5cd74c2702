"use strict";
/* Small things that all other parts use: elements, and numbers in words. */
const by = (id) => document.getElementById(id);
const make = (tag, text = "", style = "") => {
  const part = document.createElement(tag);
  if (text !== "") part.textContent = text;
  if (style) part.className = style;
  return part;
};
const clamp = (v, low, high) => v < low ? low : v > high ? high : v;

/* A number in few digits, never in a form that is longer than it needs. */
const brief = (value, digits = 4) => {
  const v = Number(value), size = Math.abs(v);
  if (!Number.isFinite(v)) return String(value);
  if (v === 0) return "0";
  if (size >= 1e6 || size < 1e-4) return v.toExponential(2).replace(/\.?0+e\+?/, "e");
  return String(Number(v.toPrecision(digits)));
};
const time_words = (s) => s === undefined || s === null ? "" : s < .001 ? "<1 ms" : s < 1 ? `${Math.round(s * 1000)} ms` : `${s.toFixed(2)} s`;
const count_words = (n, one, more) => n === 1 ? `1 ${one}` : `${n} ${more}`;
/* Heard by screen readers. */
const say = (words) => { by("said").textContent = words; };
const press = (button, on) => button.setAttribute("aria-pressed", String(on));
