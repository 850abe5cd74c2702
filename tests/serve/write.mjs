/* Write to file: exactly the scalar's bytes, or nothing. */
import fs from "node:fs";
import { check, close_browser, expect, finish, folder, open_page, serve, settled } from "./browser.mjs";

const place = folder("write"), file = `${place}/forms.yaml`;
/* Comments, quotes, an anchor, block and flow, Windows' line ends. */
const FORMS = `thalweg: 1\r
# a comment: talus 9\r
size: 64\r
borders: closed\r
params: {talus: 9, "rate": '0.5'} # both\r
nodes:\r
  noise: &n {type: noise.perlin, frequency: 3, octaves: "6"}   # flow\r
  other: *n\r
  eroded:\r
    type: erosion.thermal # block\r
    in: noise\r
    iterations:   20    # passes\r
    talus: "\${talus}"\r
outputs: {height: eroded, other: other}\r
`;
const put = (text) => fs.writeFileSync(file, text);
put(FORMS);
const server = await serve(place, ["forms.yaml"]), page = await open_page(server.url);
await settled(page);
const type = async (path, value) => {
  await page.fill(`[data-path='${path}'] .value`, value);
  await page.keyboard.press("Enter");
  await settled(page);
};
const write = async () => {
  const answered = page.waitForResponse("**/write");
  await page.click("#write");
  await answered; /* the notice may be that of the write before */
  await page.waitForFunction(() => by("changes").hidden || !by("notice").hidden);
};
const wait_for_file = (text) => page.waitForFunction((wanted) => known.state && all_rows().some((r) => r.file === wanted), text);

await check("only the scalar's bytes change", async () => {
  await type("params.talus", "12");
  await page.click(".node[data-node=eroded]");
  await type("nodes.eroded.iterations", "31");
  await page.click(".node[data-node=noise]");
  await type("nodes.noise.frequency", "4");
  expect(fs.readFileSync(file, "utf8") === FORMS, "written before it was asked");
  await write();
  const wanted = FORMS.replace("talus: 9,", "talus: 12,").replace("iterations:   20 ", "iterations:   31 ").replace("frequency: 3", "frequency: 4"), got = fs.readFileSync(file, "utf8");
  expect(got === wanted, got);
  expect(await page.isHidden("#changes"), "values still differ");
});
await check("what is absent is added to the node's mapping", async () => {
  await settled(page);
  await page.click(".node[data-node=eroded]");
  const before = fs.readFileSync(file, "utf8");
  if (!await page.evaluate(() => more.open)) await page.click("#node-params summary");
  await type("nodes.eroded.rate", "0.25");
  await write();
  const got = fs.readFileSync(file, "utf8"), added = got.split("\n").filter((line) => !before.split("\n").includes(line));
  expect(added.length === 1 && /^\s+rate: 0\.25\s*$/.test(added[0]), added.join("|"));
  expect(before.split("\n").every((line) => got.split("\n").includes(line)), "another line changed");
});
await check("a conflict writes nothing and loses nothing", async () => {
  await settled(page);
  await page.route("**/write", (route) => { put(fs.readFileSync(file, "utf8").replace("talus: 12", "talus: 15")); route.continue(); });
  await type("params.talus", "20");
  await page.click("#write");
  await page.waitForFunction(() => !by("notice").hidden);
  expect(fs.readFileSync(file, "utf8").includes("talus: 15"), "the other's value is gone");
  expect((await page.textContent("#notice")).includes("15") && await page.inputValue("[data-path='params.talus'] .value") === "20", await page.textContent("#notice"));
  await page.unroute("**/write");
  await wait_for_file("15");
  await settled(page);
  await write();
  expect(fs.readFileSync(file, "utf8").includes("talus: 20"), "not written the second time");
});
await check("an edit of the file keeps what is pending", async () => {
  await settled(page);
  await type("params.talus", "25");
  put(fs.readFileSync(file, "utf8").replace("size: 64", "size: 72"));
  await page.waitForFunction(() => of_now(scene.ground).size[0] === 72);
  expect(await page.inputValue("[data-path='params.talus'] .value") === "25", "the pending value is lost");
  expect(await page.isVisible("#write"), "it cannot be written");
});
await check("the console says nothing", async () => expect(!page.faults.filter((f) => !/409/.test(f)).length, page.faults.join("\n")));
await server.end();

const closed = await serve(place, ["forms.yaml", "--read-only"]), still = await open_page(closed.url);
await settled(still);
await check("--read-only: no button writes, no control steers", async () => {
  expect(await still.isHidden("#write"), "there is a button");
  expect(await still.isDisabled("[data-path='params.talus'] .value"), "there is a field");
  const answer = await still.evaluate(() => post("/write", { values: {}, was: {} }).then((a) => a.status));
  expect(answer === 403, `POST /write: ${answer}`);
});
await closed.end();

fs.chmodSync(file, 0o444);
const others = await serve(place, ["forms.yaml"]), steered = await open_page(others.url);
await settled(steered);
await check("a file that nobody may write: it can be steered, no button writes", async () => {
  const text = fs.readFileSync(file, "utf8"), digest = await steered.evaluate(() => viewer.canvas.dataset.digest);
  await steered.fill("[data-path='params.talus'] .value", "3");
  await steered.keyboard.press("Enter");
  await steered.waitForFunction((was) => viewer.canvas.dataset.digest !== was, digest);
  await settled(steered);
  expect(await steered.isVisible("#changes") && await steered.isHidden("#write"), "there is a button");
  expect((await steered.textContent("#pending")).includes("cannot write"), await steered.textContent("#pending"));
  expect(fs.readFileSync(file, "utf8") === text, "it was written");
});
await others.end();
await close_browser();
finish();
