/* Sliders, drafts, and what comes first. */
import fs from "node:fs";
import { HILLS, SMALL, check, close_browser, drawn, expect, finish, folder, open_page, read_npy, serve, settled, shoot, thalweg } from "./browser.mjs";

const place = folder("steer"), RIVERS = `thalweg: 1
size: 512
seed: 7
borders: closed
params:
  cut: {default: 7, min: 0.5, max: 40, about: how deep rivers cut}
world: {side_m: 8192, height_m: 1600}
nodes:
  noise:  {type: noise.perlin, frequency: 3, octaves: 8}
  rivers: {type: erosion.stream_power, in: noise, uplift_rate: 1, K: "\${cut}", talus: 6, diffusion: 0.00003, steps: 12}
  last:   {type: shape.blur, in: rivers, radius: 0.004}
  score:  {type: measure.score, in: rivers}
outputs: {height: rivers, score: score}
export:
  view.png: {from: last, as: perspective, size: [1920, 1080]}
`;
fs.writeFileSync(`${place}/rivers.yaml`, RIVERS);
const server = await serve(place, ["rivers.yaml"]), page = await open_page(server.url, SMALL), slider = "[data-path='params.cut'] input[type=range]";
await page.addInitScript(() => { window.seen = []; });
await settled(page);
/* What the canvas shows, in order, and what the server says, in order. */
await page.evaluate(() => {
  window.canvas_shown = [];
  window.told = [];
  new MutationObserver(() => canvas_shown.push(`${viewer.canvas.dataset.draft} ${viewer.canvas.dataset.digest}`)).observe(viewer.canvas, { attributeFilter: ["data-digest"] });
  const source = new EventSource("/events");
  for (const name of ["begin", "node", "view", "end"]) source.addEventListener(name, (e) => told.push({ name, ...JSON.parse(e.data) }));
  return new Promise((done) => { source.onopen = done; });
});
const frame = () => page.evaluate(() => new Promise(requestAnimationFrame));

await check("a drag of 60 steps shows drafts, holds its slider and ends with the bytes of a run", async () => {
  const handle = await page.$(slider), box = await handle.boundingBox(), y = box.y + box.height / 2;
  await page.mouse.move(box.x + 60, y);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) {
    await page.mouse.move(box.x + 60 + i * 2, y);
    await frame();
    /* A hand takes its time: every tenth step waits for the draft of some value. */
    if (i % 15 === 14) await page.waitForFunction((n) => canvas_shown.filter((s) => s.startsWith("true")).length >= n, Math.ceil(i / 15));
  }
  expect(await page.evaluate((part) => part.isConnected && document.activeElement === part, handle), "the slider was made anew");
  const drafts = await page.evaluate(() => new Set(canvas_shown.filter((s) => s.startsWith("true"))).size);
  expect(drafts >= 3, `${drafts} drafts`);
  await page.mouse.up();
  await page.waitForFunction(() => !runs.under && viewer.canvas.dataset.draft === "false" && viewer.canvas.dataset.digest === of_now(scene.ground).digest);
  const value = await page.inputValue("[data-path='params.cut'] .value");
  expect(value !== "7", "the value is as it was");
  fs.writeFileSync(`${place}/plain.yaml`, RIVERS.replace(/export:[^]*/, "export:\n  h.npy: height\n"));
  thalweg(["run", "plain.yaml", "-s", `cut=${value}`, "-o", "out", "--cache-dir", "cache2", "-q"], place);
  const wanted = read_npy(`${place}/out/h.npy`), got = await page.evaluate(() => ({ data: [...viewer.slots[0].data], step: (viewer.slots[0].high - viewer.slots[0].low) / 65535 }));
  const worst = wanted.reduce((most, v, i) => Math.max(most, Math.abs(v - got.data[i])), 0);
  expect(wanted.length === got.data.length && worst <= got.step, `differs by ${worst}, a step is ${got.step}`);
  return `${drafts} drafts; cut ${value}`;
});
await check("the ground comes before the perspective that is drawn of it", async () => {
  await page.evaluate(() => { told.length = 0; });
  await page.fill("[data-path='params.cut'] .value", "11");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => told.some((e) => e.name === "end" && !e.draft && e.code === 0));
  const order = await page.evaluate(() => told.map((e) => `${e.name} ${e.key || e.name}`.replace(/^node node$/, "node") + (e.name === "node" ? "" : "")));
  const ground = order.indexOf("view rivers.out"), picture = order.findIndex((e) => /view view\.png/.test(e)), node = await page.evaluate(() => told.findIndex((e) => e.name === "node" && /view|perspective/.test(e.name_of || "")));
  expect(ground >= 0 && picture > ground && node <= 0, order.join(", "));
});
await check("a slide from the first node is of drafts, also after a run of which all was kept", async () => {
  const cut = "[data-path='params.cut'] .value", box = await page.locator(slider).boundingBox();
  for (const value of ["12", "11"]) {
    await page.fill(cut, value);
    await page.keyboard.press("Enter");
    await settled(page);
  }
  await page.evaluate(() => { told.length = 0; });
  await page.mouse.move(box.x + 90, box.y + box.height / 2);
  await page.mouse.down();
  await page.waitForFunction(() => told.some((e) => e.name === "begin"));
  expect(await page.evaluate(() => told.find((e) => e.name === "begin").draft), "the first run is in full");
  await page.mouse.up();
  await settled(page);
});
await check("a slide of a last node is in full and waits for no export; a result is drawn once", async () => {
  await page.click(".node[data-node=last]");
  await settled(page);
  await drawn(page);
  await page.evaluate(() => { told.length = canvas_shown.length = 0; });
  const box = await page.locator("[data-path='nodes.last.radius'] input[type=range]").boundingBox();
  await page.mouse.move(box.x + 40, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i < 6; i++) {
    await page.waitForFunction((n) => new Set(canvas_shown).size >= n, i);
    if (i < 5) await page.mouse.move(box.x + 40 + 12 * i, box.y + box.height / 2);
  }
  const pictures = await page.evaluate(() => told.filter((e) => e.name === "view" && e.key === "view.png").length), drafts = await page.evaluate(() => canvas_shown.filter((s) => s.startsWith("true")).length);
  await page.mouse.up();
  expect(pictures < 3 && !drafts, `${pictures} pictures of 5 values were waited for, ${drafts} drafts`);
  await settled(page);
  await drawn(page);
  const before = await page.evaluate(() => viewer.frames);
  await page.fill("[data-path='nodes.last.radius'] .value", "0.0123");
  await page.keyboard.press("Enter");
  await settled(page);
  await drawn(page);
  const frames = await page.evaluate((n) => viewer.frames - n, before);
  expect(frames === 1, `${frames} frames`);
});
await check("a typed value may use all of the hard range, and not more", async () => {
  await page.click(".node[data-node=rivers]");
  const field = "[data-path='nodes.rivers.steps'] .value";
  await page.fill(field, "0.5");
  await page.keyboard.press("Tab");
  expect(await page.getAttribute(field, "aria-invalid") === "true", "0.5 steps are taken");
  await page.fill(field, "3");
  await page.keyboard.press("Tab");
  await settled(page);
  expect(await page.getAttribute(field, "aria-invalid") === null, "3 steps are refused");
  await page.focus(field);
  await page.keyboard.press("Escape");
  await settled(page);
  expect(await page.inputValue(field) === "12", "Esc does not bring the file's value back");
});
await check("a parameter that an expression sets is shown, not steered", async () => expect(await page.isDisabled("[data-path='nodes.rivers.K'] .value"), "it can be typed"));
await check("Discard: all values as in the file", async () => {
  await page.click("#discard");
  await settled(page);
  expect(await page.isHidden("#changes") && await page.inputValue("[data-path='params.cut'] .value") === "7", "not the file's");
});
await check("the console says nothing", async () => expect(!page.faults.length, page.faults.join("\n")));
await shoot(page, "steer");
await server.end();
await close_browser();
finish();
