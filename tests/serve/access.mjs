/* For everyone: axe, 390 pixels, touch, keyboard, reduced motion; and no one else: other origins, no key. */
import fs from "node:fs";
import http from "node:http";
import { HILLS, axe, check, close_browser, drawn, expect, finish, folder, look, open_page, serve, settled, shoot } from "./browser.mjs";

const place = folder("access");
fs.writeFileSync(`${place}/hills.yaml`, HILLS);
const server = await serve(place, ["hills.yaml"]), origin = `http://127.0.0.1:${server.port}`;

for (const colorScheme of ["light", "dark"]) {
  const page = await open_page(server.url, { colorScheme, bypassCSP: true });
  await settled(page);
  await page.click(".node[data-node=eroded]");
  await page.click("#wipe");
  await page.evaluate(axe());
  for (const tab of ["nodes", "graph", "numbers", "pictures", "library"])
    await check(`axe finds nothing: ${colorScheme}, ${tab}`, async () => {
      await page.click(`#tab-${tab}`);
      await page.waitForFunction((name) => by(name).children.length, tab);
      const { violations, passes } = await page.evaluate(() => window.axe.run());
      expect(!violations.length, violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}: ${v.nodes[0].failureSummary}`).join("\n"));
      return `${passes.length} rules hold`;
    });
  await check(`axe finds nothing: ${colorScheme}, a fault and a picture in full`, async () => {
    fs.writeFileSync(`${place}/hills.yaml`, HILLS.replace("noise.perlin", "noise.perln"));
    await page.waitForFunction(() => document.body.classList.contains("faulty"));
    const faults = await page.evaluate(() => window.axe.run());
    fs.writeFileSync(`${place}/hills.yaml`, HILLS);
    await page.waitForFunction(() => !document.body.classList.contains("faulty"));
    await settled(page);
    await page.click("#tab-pictures");
    await page.click(".picture");
    await page.waitForFunction(() => by("full").open);
    const full = await page.evaluate(() => window.axe.run());
    const all = [...faults.violations, ...full.violations];
    expect(!all.length, all.map((v) => `${v.id}: ${v.nodes[0].target.join(" ")}: ${v.nodes[0].failureSummary}`).join("\n"));
  });
  await page.context().close();
}

const phone = await open_page(server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
await settled(phone);
await check("390 pixels: nothing to scroll sideways, the canvas first", async () => {
  const sizes = await phone.evaluate(() => ({ page: document.documentElement.scrollWidth, canvas: by("view").getBoundingClientRect().top, params: by("params").getBoundingClientRect().top, tabs: by("tab-nodes").getBoundingClientRect().top, height: by("view").clientHeight }));
  expect(sizes.page <= 390, `${sizes.page} wide`);
  expect(sizes.canvas < sizes.params && sizes.params < sizes.tabs, "another order");
  expect(Math.abs(sizes.height - 844 * .46) < 4, `canvas ${sizes.height} high`);
  await shoot(phone, "narrow");
});
/* Words that go on in the next line, as in "hollo w". */
const broken_words = () => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walk.nextNode()) {
    const text = walk.currentNode, part = text.parentElement;
    if (!part.checkVisibility() || part.closest("script, select, pre, #node-about, .unseen")) continue;
    for (const word of text.data.matchAll(/\S+/g)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
};
await check("390 pixels: no word is broken, and every tab can be tapped below the canvas", async () => {
  await phone.click(".node[data-node=eroded]");
  await phone.fill("[data-path='nodes.eroded.iterations'] .value", "21");
  await phone.keyboard.press("Enter");
  await settled(phone);
  for (const tab of ["nodes", "graph", "numbers", "pictures", "library"]) {
    await phone.tap(`#tab-${tab}`);
    await phone.waitForFunction((name) => by(name).children.length, tab);
    const words = await phone.evaluate(broken_words), wide = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(!words.length, `${tab}: ${words.join(", ")}`);
    expect(wide <= 390, `${tab}: ${wide} wide`);
    await shoot(phone, `narrow-${tab}`);
  }
  await phone.click("#discard");
  await settled(phone);
  await phone.evaluate(() => scrollTo(0, 0));
});
await check("one finger turns, two pinch", async () => {
  const session = await phone.context().newCDPSession(phone), box = await phone.locator("#view").boundingBox(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const touch = (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([px, py], id) => ({ x: px, y: py, id })) });
  const camera = () => phone.evaluate(() => ({ yaw: viewer.camera.yaw, far: viewer.camera.far }));
  const first = await camera();
  await touch("touchStart", [[x, y]]);
  for (let i = 1; i <= 10; i++) await touch("touchMove", [[x + 6 * i, y]]);
  await touch("touchEnd", []);
  await phone.waitForFunction((yaw) => viewer.camera.yaw !== yaw, first.yaw);
  const turned = await camera();
  await touch("touchStart", [[x - 30, y], [x + 30, y]]);
  for (let i = 1; i <= 10; i++) await touch("touchMove", [[x - 30 - 6 * i, y], [x + 30 + 6 * i, y]]);
  await touch("touchEnd", []);
  await phone.waitForFunction((far) => viewer.camera.far < far * .8, turned.far);
});
await check("reduced motion: nothing glides", async () => expect(await phone.evaluate(() => getComputedStyle(by("progress")).transitionDuration) === "0s", "there are transitions"));
await phone.context().close();

const keys = await open_page(server.url);
await settled(keys);
await check("tabs by arrows, sliders by keys", async () => {
  await keys.focus("#tab-nodes");
  await keys.keyboard.press("ArrowRight");
  expect(await keys.getAttribute("#tab-graph", "aria-selected") === "true", "the second tab is not chosen");
  const digest = await keys.evaluate(() => viewer.canvas.dataset.digest);
  await keys.focus("[data-path='params.talus'] input[type=range]");
  await keys.keyboard.press("Home");
  await keys.waitForFunction((was) => viewer.canvas.dataset.digest !== was, digest);
});
await keys.context().close();

await check("a page of another origin can neither read, nor steer, nor write", async () => {
  const other = http.createServer((request, answer) => answer.end("<!doctype html><title>other</title>")).listen(0, "127.0.0.1");
  await new Promise((done) => other.once("listening", done));
  const page = await open_page(server.url), text = fs.readFileSync(`${place}/hills.yaml`, "utf8");
  await settled(page); /* the cookie is there */
  await page.goto(`http://127.0.0.1:${other.address().port}/`);
  const got = await page.evaluate(async (base) => {
    const attempt = async (path, options) => { try { const a = await fetch(base + path, { credentials: "include", ...options }); return `${a.status} ${a.type}`; } catch { return "refused"; } };
    const body = JSON.stringify({ values: { "params.talus": "40" }, was: {}, want: [], draft: false });
    return [await attempt("/state.json", {}), await attempt("/run", { method: "POST", body }), await attempt("/write", { method: "POST", body, mode: "no-cors" }), await attempt("/run", { method: "POST", body, headers: { "X-Thalweg-Token": "0".repeat(32), "Content-Type": "application/json" } })];
  }, origin);
  await page.context().close();
  other.close();
  expect(got[0] === "refused" && got[1] === "refused" && /refused|opaque/.test(got[2]) && got[3] === "refused", got.join(", "));
  const again = await open_page(server.url);
  await settled(again);
  const value = await again.inputValue("[data-path='params.talus'] .value");
  await again.context().close();
  expect(value !== "40" && fs.readFileSync(`${place}/hills.yaml`, "utf8") === text, "the value got through");
});
await check("without the key: 403", async () => {
  for (const path of ["/", "/state.json", "/events", "/page.js", "/?k=00000000000000000000000000000000"]) {
    const answer = await fetch(origin + path);
    await answer.body.cancel();
    expect(answer.status === 403, `${path}: ${answer.status}`);
  }
});
await server.end();
await close_browser();
finish();
