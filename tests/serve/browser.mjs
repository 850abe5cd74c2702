/* What the tests of the page share: a server of a recipe, a Chromium, checks that print what they found.
 * From the environment: THALWEG_COMMAND, the program; MODULES, a folder with playwright-core and axe-core;
 * PICTURES, a folder for screenshots that people look at; SCRATCH, a folder for files. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const { THALWEG_COMMAND: command, MODULES: modules, PICTURES: pictures, SCRATCH: scratch, CHROMIUM: chromium_path = "/usr/bin/chromium" } = process.env;
const { chromium } = await import(`${modules}/playwright-core/index.mjs`);
export const axe = () => fs.readFileSync(`${modules}/axe-core/axe.min.js`, "utf8");
export const WAIT = 120000; /* for anything to come, in milliseconds */

let failed = 0;
export const check = async (what, test) => {
  const begun = performance.now();
  try {
    const words = await test();
    console.log(`ok      ${what}${words ? `: ${words}` : ""} (${Math.round(performance.now() - begun)} ms)`);
  } catch (fault) {
    failed++;
    console.log(`FAILED  ${what}: ${fault.message.split("\n").slice(0, 6).join("\n        ")}`);
  }
};
export const expect = (holds, words) => { if (!holds) throw new Error(words); };
export const finish = () => { process.exitCode = failed ? 1 : 0; };

export const folder = (name) => {
  const made = path.join(scratch, name);
  fs.mkdirSync(made, { recursive: true });
  return made;
};
/* Runs the program to its end and returns what it printed. */
export const thalweg = (args, cwd) => {
  const done = spawnSync(command, args, { cwd, encoding: "utf8" });
  expect(done.status === 0, `thalweg ${args.join(" ")}: ${done.status}\n${done.stderr}`);
  return done.stdout;
};
/* A server in a folder of its own; `url` has the key. */
export const serve = (cwd, args) => new Promise((ready, fault) => {
  const child = spawn(command, ["serve", ...args, "--cache-dir", "cache"], { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const look = (text) => {
    said += text;
    const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\S*/);
    if (found) ready({ url: found[0], port: Number(new URL(found[0]).port), child, end: () => new Promise((done) => { child.once("exit", done); if (child.exitCode !== null) done(); child.kill("SIGINT"); }) });
  };
  child.stdout.on("data", look);
  child.stderr.on("data", look);
  child.once("exit", (code) => fault(new Error(`serve ended with ${code}: ${said}`)));
});

let browser = null;
export const open_browser = async () => browser ||= await chromium.launch({ executablePath: chromium_path, args: ["--no-sandbox", "--enable-unsafe-swiftshader", "--use-gl=angle", "--use-angle=swiftshader", "--disable-background-networking"] });
export const close_browser = async () => { await browser?.close(); };
/* While one writes the page: its script and style come from a folder, engine/serve/page, instead of the program. */
const take_page_from = async (page, source) => {
  const read = (name) => fs.readFileSync(path.join(source, name), "utf8");
  await page.route("**/page.js", (route) => route.fulfill({ contentType: "text/javascript", body: read("order.txt").trim().split("\n").map(read).join("") }));
  await page.route("**/page.css", (route) => route.fulfill({ contentType: "text/css", body: read("page.css") }));
};
/* For what is not looked at by people: Chromium draws without a graphics card, pixel by pixel. */
export const SMALL = { viewport: { width: 1000, height: 640 } };
/* A page of its own; what the console says and what is fetched from elsewhere is kept in `faults`. */
export const open_page = async (url, options = {}) => {
  const context = await (await open_browser()).newContext({ viewport: { width: 1440, height: 900 }, ...options }), page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  page.faults = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type()) && !/GPU stall|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(message.text())) page.faults.push(message.text()); });
  page.on("pageerror", (fault) => page.faults.push(fault.stack));
  page.on("request", (request) => { if (!request.url().startsWith(new URL(url).origin) && !/^(blob|data):/.test(request.url())) page.faults.push(`fetched ${request.url()}`); });
  if (process.env.PAGE) await take_page_from(page, process.env.PAGE);
  await page.goto(url);
  return page;
};
/* Waits no longer than that, and says for what. */
export const in_time = (what, promise, seconds = WAIT / 1000) => {
  let timer;
  const end = new Promise((_, fault) => { timer = setTimeout(() => fault(new Error(`waited ${seconds} s for ${what}`)), seconds * 1000); });
  return Promise.race([promise, end]).finally(() => clearTimeout(timer));
};
/* Tries again and again, as the screen is late on a busy machine. */
export const until = (what, test) => {
  let waits = true;
  const tries = async () => { while (waits && !await test()); };
  return in_time(what, tries()).finally(() => { waits = false; });
};
/* Waits until a run in full is shown. */
export const settled = (page) => in_time("a run in full to be shown", page.waitForFunction(() => known.state && !runs.under && !document.body.classList.contains("running") && !document.body.classList.contains("gone") && (!of_now(scene.ground) || viewer.canvas.dataset.digest === of_now(scene.ground).digest)));
/* Waits until what was asked for is drawn, in full, and on the screen. */
export const drawn = (page) => in_time("frames to come to rest", page.evaluate(() => new Promise((done) => {
  let quiet = 0;
  const look = () => { quiet = viewer.waiting || performance.now() - viewer.moving < 400 ? 0 : quiet + 1; if (quiet > 3) { viewer.gl?.finish(); done(); } else requestAnimationFrame(look); };
  look();
})));
export const shoot = (page, name) => page.screenshot({ path: path.join(pictures, `${name}.png`) });
/* The canvas as it is seen: how many colours, and a sum that changes with any pixel. A picture of the screen
 * may be a frame late, so two in a row have to be the same; a canvas without WebGL is read itself, as on a busy
 * machine even two can be late. */
export const look = async (page, clip) => {
  const own = clip ? null : await page.evaluate(() => viewer.flat ? viewer.canvas.toDataURL().split(",")[1] : null);
  if (own) return page.evaluate(sum_up, own);
  const box = await page.locator("#view").boundingBox(), area = clip ? clip(box) : box;
  let seen = null;
  for (let i = 0; i < 9; i++) {
    const before = seen;
    seen = await page.evaluate(sum_up, (await page.screenshot({ clip: area })).toString("base64"));
    if (before && before.sum === seen.sum) break;
  }
  return seen;
};
const sum_up = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)), bitmap = await createImageBitmap(new Blob([bytes])), canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const words = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
  let sum = 7;
  for (const word of words) sum = Math.imul(sum, 31) + word | 0;
  return { colours: new Set(words).size, sum };
};
/* Values of a .npy file of floats. */
export const read_npy = (file) => {
  const bytes = fs.readFileSync(file), head = bytes.readUInt16LE(8);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset + 10 + head));
};

export const HILLS = `thalweg: 1
about: Hills, to look at.
size: 128
seed: 3
borders: closed
params:
  talus: {default: 9, min: 1, max: 64, about: steepest slope that stands}
world: {side_m: 2048, height_m: 400, sea_level: 0.35}
nodes:
  noise:  {type: noise.perlin, frequency: 3, octaves: 6} # hills
  eroded: {type: erosion.thermal, in: noise, talus: "\${talus}", iterations: 20}
  steep:  {type: mask.slope, in: eroded, low: 1.2, softness: 0.5}
  forms:  {type: measure.landforms, in: eroded}
  score:  {type: measure.score, in: eroded}
  plane:  {type: combine.formula, formula: "0.1 + 0.5 * x + 0.2 * y"}
outputs: {height: eroded, steep: steep, score: score}
export:
  view.png: {from: eroded, as: perspective, size: [320, 180]}
`;
