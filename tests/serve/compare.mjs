/* Before and now, faults, a server that starts again, and two variants beside each other. */
import fs from "node:fs";
import { HILLS, check, close_browser, drawn, expect, finish, folder, look, open_page, serve, settled, shoot, until } from "./browser.mjs";

const place = folder("compare"), file = `${place}/hills.yaml`;
fs.writeFileSync(file, HILLS);
let server = await serve(place, ["hills.yaml"]);
const page = await open_page(server.url), left = (box) => ({ ...box, y: box.y + 60, height: box.height - 120, width: Math.floor(box.width / 2) - 40 });
await settled(page);
await drawn(page);

await check("left of the wipe is the picture from before", async () => {
  const before = await look(page, left), digest = await page.evaluate(() => viewer.slots[0].key);
  await page.fill("[data-path='params.talus'] .value", "3");
  await page.keyboard.press("Enter");
  await page.waitForFunction((was) => viewer.canvas.dataset.digest !== was, digest);
  await settled(page);
  await drawn(page);
  expect((await look(page, left)).sum !== before.sum, "nothing changed");
  await page.click("#wipe");
  await page.waitForFunction((was) => viewer.slots[1].key === was, digest);
  await drawn(page);
  await until("the picture from before in the left half", async () => (await look(page, left)).sum === before.sum);
  await page.focus("#wiper");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  expect(await page.getAttribute("#wiper", "aria-valuenow") === "60", "the wipe is no slider");
});
await check("numbers have their change", async () => {
  await page.click("#tab-numbers");
  expect(/[▲▼]/.test(await page.textContent("#numbers")), await page.textContent("#numbers"));
  await shoot(page, "compare");
});
await check("a fault is told with its line and caret, the last good picture stays", async () => {
  const digest = await page.evaluate(() => viewer.slots[0].key);
  fs.writeFileSync(file, HILLS.replace("noise.perlin", "noise.perln"));
  await page.waitForFunction(() => document.body.classList.contains("faulty"));
  const words = await page.textContent("#faults");
  expect(/hills\.yaml:\d+:\d+: error/.test(words) && words.includes("^") && words.includes("noise.perlin"), words);
  expect(await page.evaluate(() => viewer.slots[0].key) === digest && (await look(page)).colours > 1000, "the picture is gone");
  expect(await page.locator("#params .row").count() === 1 && await page.evaluate(() => known.nodes.length) === 6, "the controls are gone");
  await shoot(page, "fault");
  fs.writeFileSync(file, HILLS);
  await page.waitForFunction(() => !document.body.classList.contains("faulty"));
  await settled(page);
  expect(!/error/.test(await page.textContent("#faults")), "the fault is still told");
});
await check("warnings are one line, which opens; faults are open", async () => {
  fs.writeFileSync(file, HILLS.replace("  plane:", "  spare: {type: noise.perlin}\n  other: {type: noise.perlin}\n  plane:"));
  await page.waitForFunction(() => /warnings/.test(by("fault-count").textContent));
  await settled(page);
  const height = await page.evaluate(() => by("faults").clientHeight), words = await page.textContent("#fault-count");
  expect(height < 40 && await page.isHidden("#fault-lines"), `${words}: ${height} high`);
  await page.click("#fault-count");
  expect(await page.isVisible("#fault-lines"), "it does not open");
  expect((await page.textContent("#fault-lines")).includes("spare"), await page.textContent("#fault-lines"));
  fs.writeFileSync(file, HILLS.replace("noise.perlin", "noise.perln"));
  await page.waitForFunction(() => document.body.classList.contains("faulty"));
  expect(await page.isVisible("#fault-lines"), "the fault is folded");
  fs.writeFileSync(file, HILLS);
  await page.waitForFunction(() => !document.body.classList.contains("faulty"));
  await settled(page);
  return words;
});
await check("a server that starts again is found, the page goes on", async () => {
  await page.fill("[data-path='params.talus'] .value", "4");
  await page.keyboard.press("Enter");
  await settled(page);
  await server.end();
  await page.waitForFunction(() => document.body.classList.contains("gone"));
  expect(/gone/.test(await page.textContent("#state")), await page.textContent("#state"));
  /* Until its state has come the page takes no server for found; one that has read nothing yet takes nothing away. */
  const empty = { nodes: [], params: [], views: [], records: [], running: true };
  let tell = null, ask = null;
  const told = new Promise((done) => { tell = done; }), asked = new Promise((done) => { ask = done; });
  await page.route("**/state.json", async (route) => {
    ask();
    await told;
    await route.fulfill({ json: { ...await (await route.fetch()).json(), ...empty } });
  });
  await page.evaluate(() => { window.field = document.querySelector("[data-path='params.talus'] .value"); window.field.focus(); });
  server = await serve(place, ["hills.yaml", "--port", String(server.port)]);
  await asked;
  expect(await page.evaluate(() => document.body.classList.contains("gone")), "found before its state is known");
  tell();
  await page.waitForFunction(() => !document.body.classList.contains("gone"));
  expect(await page.evaluate(() => window.field.isConnected && document.activeElement === window.field && Boolean(viewer.slots[0].data)), "a control or the picture went");
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(() => read_state());
  await settled(page);
  /* What was not written is not lost: the new server has it from the page. */
  await page.waitForFunction(async () => known.values["params.talus"] === "4" && (await read_json("/state.json")).pending["params.talus"] === "4");
  const digest = await page.evaluate(() => viewer.slots[0].key);
  await page.fill("[data-path='params.talus'] .value", "2");
  await page.keyboard.press("Enter");
  await page.waitForFunction((was) => viewer.canvas.dataset.digest !== was, digest);
});
await check("the console says nothing", async () => expect(!page.faults.length, page.faults.join("\n")));
await server.end();

const both = await serve(place, ["hills.yaml", "--against", "talus=3"]), pair = await open_page(both.url);
await settled(pair);
await check("A and B: the wipe between them, and their numbers", async () => {
  await pair.waitForFunction(() => viewer.slots[1].key && viewer.slots[1].key !== viewer.slots[0].key && !by("wiper").hidden);
  await pair.click("#tab-numbers");
  const words = await pair.textContent("#numbers");
  expect(words.includes("B − A") && /[▲▼]/.test(words), words);
  await drawn(pair);
  await shoot(pair, "variants");
});
await check("A and B: each has its own values", async () => {
  await pair.click("#sides button >> nth=0");
  const path = await pair.getAttribute("#params .row", "data-path");
  expect(path === "a.params.talus", path);
  const digests = await pair.evaluate(() => viewer.slots.map((s) => s.key));
  await pair.fill("#params .value", "1.5");
  await pair.keyboard.press("Enter");
  await pair.waitForFunction((was) => viewer.slots[1].key !== was, digests[1]);
  expect(await pair.evaluate(() => viewer.slots[0].key) === digests[0], "B changed, too");
  expect(!pair.faults.length, pair.faults.join("\n"));
});
await both.end();
await close_browser();
finish();
