/* What the page costs, beside the budgets of its design: medians, for docs/serve.md. Not a test: it prints. The
 * recipe has 15 nodes at 512 squared and a perspective export; no value is set twice, so that nothing is kept.
 * usage: budgets.mjs [ROUNDS]; as others: THALWEG_COMMAND, MODULES, PICTURES, SCRATCH. */
import fs from "node:fs";
import os from "node:os";
import { close_browser, drawn, folder, in_time, open_page, serve, settled } from "./browser.mjs";

const place = folder("budgets"), ROUNDS = Number(process.argv[2] || 7), RECIPE = `thalweg: 1
size: 512
seed: 7
borders: closed
world: {side_m: 8192, height_m: 1600, sea_level: 0}
nodes:
  noise:    {type: noise.perlin, frequency: 3, octaves: 9}
  fine:     {type: noise.perlin, frequency: 12, octaves: 5}
  outline:  {type: mask.shape, kind: circle, radius: 0.3, falloff: 0.3}
  bays:     {type: shape.perturb, in: outline, magnitude: 0.08}
  ground:   {type: combine.formula, a: noise, b: bays, formula: "max(0.44 * b + 0.7 * (a - 0.5) - 0.24, 0.2 * a - 0.17)"}
  patchy:   {type: mask.from, in: noise, range: [0.25, 0.65]}
  uplift:   {type: combine.formula, a: bays, b: patchy, formula: "0.14 + 0.86 * a * (0.2 + 0.8 * b)"}
  ocean:    {type: water.sea, in: ground, level: 0}
  rivers:   {type: erosion.stream_power, in: ground, uplift: uplift, uplift_rate: 1.2, outlets: ocean, K: 7, talus: 6, diffusion: 0.00003, steps: 24}
  rough:    {type: combine.formula, a: rivers, b: fine, formula: "a + 0.01 * (b - 0.5)"}
  scree:    {type: erosion.thermal, in: rough, talus: 9, iterations: 12}
  land:     {type: shape.blur, in: scree, radius: 0.001}
  steep:    {type: mask.slope, in: land, low: 3}
  high:     {type: mask.height, in: land, low: 0.2}
  bare:     {type: combine.maximum, a: steep, b: high}
outputs: {height: land, bare: bare}
export:
  view.png: {from: land, as: perspective, size: [1920, 1080]}
`;
fs.writeFileSync(`${place}/island.yaml`, RECIPE);

/* ---- marks of a change ---- */

/* Events as they come, and what happens to the ground's grid: its view is told, it is in the texture, it is drawn.
 * The two last wait for the graphics processor. */
const follow_events = () => {
  window.told = [];
  const listen_plainly = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, act) {
    return listen_plainly.call(this, name, (e) => { told.push({ name, at: performance.now(), bytes: e.data.length + name.length + 16, ...(e.data ? JSON.parse(e.data) : {}), name_of: name }); act(e); });
  };
};
const follow_viewer = () => {
  const { upload, draw, illuminate } = viewer;
  window.marks = {};
  const then = (f, act) => function (...a) { const begun = performance.now(); f?.apply(this, a); act(this, performance.now() - begun, a); };
  viewer.upload = then(upload, (v, ms, [slot]) => { if (slot !== v.slots[0]) return; v.wait?.(); Object.assign(marks, { uploaded: performance.now(), upload: ms, digest: slot.key, drawn: 0 }); });
  viewer.illuminate = then(illuminate, (v, ms) => { if (!marks.drawn) marks.light = ms; });
  viewer.draw = then(draw, (v) => { if (marks.drawn || v.slots[0].key !== marks.digest) return; v.wait?.(); marks.drawn = performance.now(); });
  /* Looks again and again, but not for ever. */
  window.until = (what, test) => new Promise((done, fault) => {
    const begun = performance.now(), look = () => test() ? done() : performance.now() - begun > 60000 ? fault(new Error(`waited 60 s for ${what}`)) : setTimeout(look, 2);
    look();
  });
};
/* From a value's event in the page: milliseconds to each mark, and what the server told. */
const change = (page, path, value, slides) => page.evaluate(async ([p, v, slides]) => {
  const key = "land.out", was = of_now(key).digest, begun = performance.now();
  told.length = 0;
  marks.digest = "";
  set_value(row_at(p), v);
  run(slides && p);
  const is_view = (e) => e.name_of === "view" && e.key === key && e.digest !== was;
  await until(`the view of ${key} with ${p} ${v}`, () => told.some(is_view));
  const view = told.find(is_view), before = told.slice(0, told.indexOf(view)).filter((e) => e.name_of === "node");
  await until(`the grid of ${p} ${v} to be drawn`, () => marks.digest === view.digest && marks.drawn);
  const own = { ...marks };
  await until(`the run of ${p} ${v} to end`, () => told.some((e) => e.name_of === "end" && e.revision === told.findLast((b) => b.name_of === "begin").revision) && !runs.under);
  return {
    draft: view.draft, size: view.size, server: view.at - begun, uploaded: own.uploaded - begun, drawn: own.drawn - begun, upload: own.upload, light: own.light,
    nodes: before.filter((e) => e.outcome === "computed").reduce((sum, e) => sum + e.seconds * 1000, 0), exports: before.filter((e) => e.name.startsWith("(")).length,
    events: told.reduce((sum, e) => sum + e.bytes, 0), ended: told.findLast((e) => e.name_of === "end").at - begun,
  };
}, [path, value, slides]);

/* ---- the table ---- */

const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];
const ms = (v) => `${Math.round(v)} ms`;
const line = (what, columns, budget, holds) => console.log(`${what.padEnd(46)}${columns.map((c) => c.padStart(11)).join("")}${budget.padStart(24)}   ${holds ? "holds" : "OVER"}`);
/* The first change is not counted: the browser compiles what it runs for the first time. */
const measure = async (page, path, values, slides) => {
  const all = [];
  for (let i = 0; i <= ROUNDS; i++) all.push(await in_time(`${path} ${values(i)}`, change(page, path, values(i), slides), 200));
  const found = Object.fromEntries(["server", "uploaded", "drawn", "upload", "light", "nodes", "events", "ended"].map((k) => [k, median(all.slice(1).map((a) => a[k]))]));
  return { ...found, over: median(all.slice(1).map((a) => a.drawn - a.nodes)), early: all.filter((a) => a.exports).length, drafts: all.filter((a) => a.draft).length, size: all.at(-1).size };
};
const report = (what, t, most, budget = ms(most), over = t.drawn) => {
  line(what, [t.server, t.uploaded, t.drawn].map(ms), budget, over <= most);
  console.log(`  of it: nodes ${ms(t.nodes)}, textures ${t.upload.toFixed(1)} ms, light ${t.light.toFixed(1)} ms (in the frame); the run ended after ${ms(t.ended)}`);
};
const count_idle_frames = (page) => page.evaluate(async () => { const n = viewer.frames; await new Promise((done) => { let i = 60; const tick = () => i-- ? requestAnimationFrame(tick) : done(); tick(); }); return viewer.frames - n; });
const sizes_of = (page) => page.evaluate(async () => {
  const of = async (path) => (await (await fetch(path)).arrayBuffer()).byteLength;
  return { page: await of("/") + await of("/page.js") + await of("/page.css"), grid: await of(`/v/${of_now("land.out").digest}`), state: await of("/state.json") };
});
const times_of = (page) => page.evaluate(() => {
  const s = viewer.slots[0], time = (f) => { const list = []; for (let i = 0; i < 9; i++) { const t = performance.now(); f(); list.push(performance.now() - t); } return list.sort((a, b) => a - b)[4].toFixed(1); };
  const still = () => { viewer.moving = 0; viewer.draw(); viewer.wait?.(); }, turning = () => { viewer.moving = performance.now(); viewer.cost = 60; viewer.draw(); };
  return { light: time(() => light_of(s.data, s.w, s.h, .2)), upload: time(() => viewer.upload(s)), still: time(still), turning: time(turning), pick: time(() => viewer.pick(400, 400)) };
});

const measure_all = async (page) => {
  const renderer = await page.evaluate(() => viewer.renderer), software = await page.evaluate(() => Boolean(viewer.software));
  console.log(`${os.cpus().length} processors, load ${os.loadavg()[0].toFixed(1)}, ${renderer}; medians of ${ROUNDS}`);
  if (software) console.log("Frames are drawn by software here: what comes after `in texture` but for the light is not the page's own time.");
  console.log(`${"from a value to".padEnd(46)}${["its view", "in texture", "drawn"].map((c) => c.padStart(11)).join("")}${"budget".padStart(24)}`);
  report("last node of the ground (land.radius)", await measure(page, "nodes.land.radius", (i) => String(0.0011 + i * 0.0001), false), 60);
  report("the same while it slides", await measure(page, "nodes.land.radius", (i) => String(0.0031 + i * 0.0001), true), 60);
  const draft = await measure(page, "nodes.noise.frequency", (i) => String(3.01 + i * 0.01), true);
  report(`draft from the first node (${draft.size.join(" x ")})`, draft, 120);
  if (draft.drafts <= ROUNDS) console.log(`  only ${draft.drafts} of ${ROUNDS + 1} were drafts: in full the nodes take less than the page's limit`);
  const full = await measure(page, "nodes.noise.frequency", (i) => String(2.99 - i * 0.01), false);
  report("the first node's ground in full", full, 40, `nodes + 40 = ${ms(full.nodes + 40)}`, full.over);
  line("exports computed before the ground", ["", "", String(full.early)], "0", full.early === 0);
  const sizes = await sizes_of(page);
  line("bytes of a grid of 512 x 512", ["", "", String(sizes.grid)], "524288", sizes.grid <= 524288);
  line("bytes of a change's events", ["", "", String(Math.round(full.events))], "12000", full.events <= 12000);
  line("bytes of the page", ["", "", String(sizes.page)], "80000", sizes.page <= 80000);
  await drawn(page);
  const frames = await in_time("60 frames of a page at rest", count_idle_frames(page), 60);
  line("frames while idle", ["", "", String(frames)], "0", frames === 0);
  const times = await in_time("the parts of a frame", times_of(page));
  console.log(`ms: light ${times.light}, textures ${times.upload}, a frame at rest ${times.still}, while turning ${times.turning}, under the pointer ${times.pick}; state.json ${sizes.state} bytes`);
};

const server = await in_time("the server's address", serve(place, ["island.yaml"]), 30);
try {
  const page = await open_page(server.url);
  await page.addInitScript(follow_events);
  await page.reload();
  await settled(page);
  await page.evaluate(follow_viewer);
  await page.click(".node[data-node=land]");
  await settled(page);
  await drawn(page);
  await measure_all(page);
} finally {
  await in_time("the server to end", server.end(), 30);
  await close_browser();
}
