/* What the page costs, on a quiet machine: medians of docs/serve.md. Not a test: it prints. The recipe has 15 nodes
 * at 512 squared and a perspective export. As others: THALWEG_COMMAND, MODULES, PICTURES, SCRATCH. */
import fs from "node:fs";
import os from "node:os";
import { close_browser, drawn, folder, open_page, serve, settled } from "./browser.mjs";

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
const server = await serve(place, ["island.yaml"]), page = await open_page(server.url);
await settled(page);
await page.evaluate(() => {
  window.events = 0;
  window.ends = [];
  const source = new EventSource("/events");
  for (const name of ["begin", "plan", "node", "view", "record", "end"]) source.addEventListener(name, (e) => { window.events += e.data.length + name.length + 16; if (name === "end") ends.push(JSON.parse(e.data)); });
  return new Promise((done) => { source.onopen = done; });
});
const median = (list) => list.slice().sort((a, b) => a - b)[list.length >> 1];
/* From a value's event in the page to its picture on the canvas: milliseconds, and the run in full to its end. */
const change = (path, value, draft, key) => page.evaluate(async ([p, v, d, k]) => {
  const row = row_at(p), was = of_now(k).digest, begun = performance.now();
  window.events = 0;
  set_value(row, v);
  run(d);
  const drawn_at = await new Promise((done) => {
    const look = () => { const now = of_now(k); if (now.digest !== was && Boolean(now.draft) === d && (k !== scene.ground || viewer.slots[0].key === now.digest) && !viewer.waiting) { viewer.gl?.finish(); done(performance.now() - begun); } else requestAnimationFrame(look); };
    look();
  });
  if (d) run(false);
  await new Promise((done) => { const look = () => !runs.under && !document.body.classList.contains("running") ? done() : setTimeout(look, 5); look(); });
  return { drawn: drawn_at, ended: performance.now() - begun, events: window.events, seconds: ends.at(-1).seconds };
}, [path, value, draft, key]);
const report = async (words, path, values, draft, key) => {
  const all = [];
  for (let i = 0; i < ROUNDS; i++) all.push(await change(path, values[i % values.length], draft, key));
  console.log(`${words}: drawn after ${Math.round(median(all.map((a) => a.drawn)))} ms, run in full ended after ${Math.round(median(all.map((a) => a.ended)))} ms; events ${Math.round(median(all.map((a) => a.events)) / 100) / 10} kB`);
};
console.log(`${os.cpus().length} processors, load ${os.loadavg()[0].toFixed(1)}, ${await page.evaluate(() => viewer.renderer)}`);
await page.click(".node[data-node=land]");
await drawn(page);
await report("last node of the ground (land.radius)", "nodes.land.radius", ["0.002", "0.0015", "0.003"], false, "land.out");
await report("draft from the first node (noise.octaves)", "nodes.noise.octaves", ["8", "7", "6"], true, "land.out");
await report("the first node's ground in full (noise.octaves)", "nodes.noise.octaves", ["9", "8", "7"], false, "land.out");
const sizes = await page.evaluate(async () => {
  const of = async (path) => (await (await fetch(path)).arrayBuffer()).byteLength, v = of_now("land.out");
  return { page: await of("/"), script: await of("/page.js"), style: await of("/page.css"), grid: await of(`/v/${v.digest}`), state: await of("/state.json") };
});
console.log(`bytes: page ${sizes.page}, script ${sizes.script}, style ${sizes.style}, a grid ${sizes.grid}, state.json ${sizes.state}`);
const sent = await page.evaluate(() => performance.getEntriesByType("resource").filter((r) => /page\.(js|css)/.test(r.name)).map((r) => `${r.name.replace(/.*\//, "")} ${r.encodedBodySize}`).join(", "));
console.log(`as sent: ${sent}`);
const times = await page.evaluate(() => {
  const s = viewer.slots[0], time = (f) => { const list = []; for (let i = 0; i < 9; i++) { const t = performance.now(); f(); list.push(performance.now() - t); } return list.sort((a, b) => a - b)[4].toFixed(1); };
  const still = () => { viewer.moving = 0; viewer.draw(); viewer.gl.readPixels(0, 0, 1, 1, viewer.gl.RGBA, viewer.gl.UNSIGNED_BYTE, new Uint8Array(4)); }, turning = () => { viewer.moving = performance.now(); viewer.cost = 60; viewer.draw(); };
  return { light: time(() => light_of(s.data, s.w, s.h, .2)), upload: time(() => viewer.upload(s)), still: time(still), turning: time(turning), pick: time(() => viewer.pick(400, 400)) };
});
console.log(`ms: light ${times.light}, textures ${times.upload}, a frame at rest ${times.still}, while turning ${times.turning}, under the pointer ${times.pick}`);
const frames = await page.evaluate(async () => { const n = viewer.frames; await new Promise((done) => { let i = 60; const tick = () => i-- ? requestAnimationFrame(tick) : done(); tick(); }); return viewer.frames - n; });
console.log(`frames while idle: ${frames}`);
await server.end();
await close_browser();
