/* The canvas and what is under the pointer, with WebGL 2 and from above without. */
import fs from "node:fs";
import { HILLS, check, close_browser, drawn, expect, finish, folder, look, open_page, serve, settled, shoot, thalweg } from "./browser.mjs";

const place = folder("look");
fs.writeFileSync(`${place}/hills.yaml`, HILLS);
const server = await serve(place, ["hills.yaml"]);
thalweg(["run", "hills.yaml", "-o", "all", "--cache-dir", "cache"], place);

for (const [name, flat] of [["orbit", ""], ["flat", "&flat"]]) {
  const page = await open_page(server.url + flat);
  await settled(page);
  await drawn(page);

  await check(`${name}: the ground is drawn, in more than 1000 colours`, async () => {
    const seen = await look(page);
    expect(seen.colours > 1000, `${seen.colours} colours`);
    expect(await page.evaluate(() => Boolean(viewer.flat)) === Boolean(flat), "the other viewer");
    return `${seen.colours} colours`;
  });
  await check(`${name}: the key is not in the address any more`, async () => expect(!page.url().includes("k="), page.url()));
  await check(`${name}: ArrowLeft changes what is seen, Home brings it back`, async () => {
    const before = await look(page);
    await page.focus("#view");
    await page.keyboard.press("Home");
    await drawn(page);
    const home = await look(page);
    await page.keyboard.press("ArrowLeft");
    await drawn(page);
    const turned = await look(page);
    expect(turned.sum !== home.sum, "nothing moved");
    await page.keyboard.press("Home");
    await drawn(page);
    expect((await look(page)).sum === home.sum, "Home is elsewhere now");
    expect(before.colours > 0, "nothing was seen");
    expect((await page.textContent("#said")).includes("height"), "the centre is not read out");
  });
  await check(`${name}: nothing is drawn while nothing changes`, async () => {
    const count = () => page.evaluate(() => viewer.frames), first = await count();
    await page.evaluate(() => new Promise((done) => { let n = 30; const tick = () => { n-- ? requestAnimationFrame(tick) : done(); }; tick(); }));
    expect(await count() === first, `${await count() - first} frames`);
  });
  await check(`${name}: under the centre is the array's height`, async () => {
    const found = await page.evaluate(() => {
      const p = viewer.pick(viewer.canvas.clientWidth / 2, viewer.canvas.clientHeight / 2), s = viewer.slots[0];
      return { ...p, w: s.w, h: s.h, data: [...s.data], range: s.high - s.low };
    });
    const x = found.x * found.w - .5, y = found.y * found.h - .5, i = Math.floor(x), j = Math.floor(y), at = (a, b) => found.data[b * found.w + a];
    const height = (at(i, j) * (1 - x + i) + at(i + 1, j) * (x - i)) * (1 - y + j) + (at(i, j + 1) * (1 - x + i) + at(i + 1, j + 1) * (x - i)) * (y - j);
    expect(Math.abs(found.height - height) <= found.range / 65535, `${found.height} for ${height}`);
  });
  await check(`${name}: the slope of a tilted plane is within 0.2 degrees`, async () => {
    await page.selectOption("#ground", "plane.out");
    await page.waitForFunction(() => viewer.canvas.dataset.ground === "plane.out");
    const box = await page.locator("#view").boundingBox();
    for (const [u, v] of [[.5, .5], [.42, .55], [.56, .47]]) {
      const p = await page.evaluate(([a, b]) => viewer.pick(viewer.canvas.clientWidth * a, viewer.canvas.clientHeight * b), [u, v]);
      /* y is a share of the north-south side, as long as the other */
      const truth = Math.atan(Math.hypot(.5, .2) * 400 / 2048) * 180 / Math.PI;
      expect(Math.abs(p.slope - truth) < .2, `${p.slope} for ${truth}`);
      expect(Math.abs(p.height - (.1 + .5 * p.x + .2 * p.y)) < 1e-4, `height ${p.height} at ${p.x}, ${p.y}`);
    }
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => /slope .*°/.test(by("readout").textContent));
    expect(/x 0\.\d+ = \d+ m.*y .*height .* m.*slope/s.test(await page.textContent("#readout")), await page.textContent("#readout"));
  });
  await check(`${name}: every look and every layer is another picture`, async () => {
    const sums = new Set();
    await page.selectOption("#ground", "eroded.out");
    await page.waitForFunction(() => viewer.canvas.dataset.ground === "eroded.out");
    for (const value of ["relief", "clay", "colours", "grey", "slope"]) {
      await page.selectOption("#look", value);
      await drawn(page);
      sums.add((await look(page)).sum);
    }
    for (const value of ["steep.out", "forms.out", "noise.out"]) {
      await page.selectOption("#layer", value);
      await page.waitForFunction((key) => viewer.slots[0].layer_key === of_now(key).digest, value);
      await drawn(page);
      sums.add((await look(page)).sum);
    }
    await page.check("#contours");
    await drawn(page);
    sums.add((await look(page)).sum);
    await page.uncheck("#water");
    await drawn(page);
    sums.add((await look(page)).sum);
    expect(sums.size === 10, `${sums.size} of 10`);
  });
  await check(`${name}: a node that is chosen is shown, its parameters appear`, async () => {
    await page.click(".node[data-node=noise]");
    await page.waitForFunction(() => viewer.canvas.dataset.ground === "noise.out");
    await page.waitForSelector("[data-path='nodes.noise.frequency'] input[type=range]");
    await page.click(".node[data-node=steep]");
    await page.waitForFunction(() => scene.layer === "steep.out" && viewer.canvas.dataset.ground === "noise.out");
  });
  await check(`${name}: the graph, the numbers, the pictures and the library are there`, async () => {
    await page.click("#tab-graph");
    expect(await page.locator("#graph .block").count() === 6, "blocks");
    await page.click("#tab-numbers");
    expect((await page.textContent("#numbers")).includes("erosion"), "numbers");
    await page.click("#tab-pictures");
    await page.click(".picture");
    await page.waitForFunction(() => by("full").open && by("pan").querySelector("img").naturalWidth === 320);
    const box = await page.locator("#pan img").boundingBox();
    expect(box.width > 1200, `the picture is ${box.width} wide`);
    await page.setViewportSize({ width: 1440, height: 500 });
    const parts = await page.evaluate(() => [by("pan"), by("pan").firstChild].map((part) => part.getBoundingClientRect().bottom));
    expect(parts[1] <= parts[0] + 1, `the picture ends at ${parts[1]}, its sheet at ${parts[0]}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.click("#full-close");
    await page.click("#tab-library");
    await page.waitForSelector(".recipe pre");
    expect(await page.locator(".recipe").count() > 5, "recipes of the library");
  });
  await check(`${name}: the console says nothing, nothing is fetched from elsewhere`, async () => expect(!page.faults.length, page.faults.join("\n")));
  await shoot(page, `look-${name}`);
  await page.context().close();
}
await server.end();

/* A node whose type is a recipe, and the nodes inside it. */
fs.writeFileSync(`${place}/inner.yaml`, `thalweg: 1
params: {coarse: {default: 3, min: 1, max: 9}}
nodes:
  wide: {type: noise.perlin, frequency: "\${coarse}"}
  soft: {type: shape.blur, in: wide, radius: 0.01}
outputs: {height: soft}
`);
fs.writeFileSync(`${place}/outer.yaml`, `thalweg: 1
size: 64
borders: closed
nodes:
  base: {type: inner.yaml, coarse: 4}
  worn: {type: erosion.thermal, in: base, talus: 4, iterations: 5}
outputs: {height: worn}
`);
const nested = await serve(place, ["outer.yaml"]), inside = await open_page(nested.url);
await settled(inside);
await check("a node inside a recipe tells where it is set, and leads there", async () => {
  await inside.click(".node[data-node='base/soft']");
  await inside.waitForFunction(() => viewer.canvas.dataset.ground === "base/soft.out");
  const words = await inside.textContent("#node-about");
  expect(/shape\.blur, .*inner\.yaml:5: it is set in that file, or by base/.test(words), words);
  await inside.click("#node-about button");
  await inside.fill("[data-path='nodes.base.coarse'] .value", "6");
  await inside.keyboard.press("Enter");
  await settled(inside);
  expect(!inside.faults.length, inside.faults.join("\n"));
  return words;
});
await nested.end();
await close_browser();
finish();
