/* A report, and a page to choose on: what a dot opens, what a reload keeps, how they are read, wide and narrow. */
import fs from "node:fs";
import { axe, check, close_browser, expect, finish, folder, open_page, shoot, thalweg } from "./browser.mjs";

const place = folder("report");
fs.writeFileSync(`${place}/terrain.yaml`, `thalweg: 1
size: 64
params: {talus: 16}
nodes:
  noise:  {type: noise.midpoint, smoothed: true}
  eroded: {type: erosion.olsen, in: noise, talus: "\${talus}", iterations: 20}
  score:  {type: measure.score, in: eroded}
outputs: {height: eroded, score: score}
`);
fs.writeFileSync(`${place}/talus.yaml`, `thalweg-experiment: 1
about: How steep may slopes be?
recipe: terrain.yaml
sizes: [48, 64]
seeds: {from: 1, count: 9}
variants: {talus-16: {}, talus-8: {params: {talus: 8}}}
measure: [score.game, score.erosion, score.unit]
baseline: talus-16
goal: {score.game: up}
tune: {params: {talus: [2, 40]}, goal: {score.erosion: maximise}, budget: 54}
front: {score.erosion: up, score.unit: up}
`);
thalweg(["compare", "talus.yaml", "-q", "--html", "report.html"], place);
thalweg(["judge", "talus.yaml", "-q", "--html", "judge.html", "--pairs", "6"], place);
const land = fs.readFileSync(`${place}/terrain.yaml`, "utf8");
fs.writeFileSync(`${place}/gate.yaml`, land);
thalweg(["lock", "gate.yaml", "-q"], place);
fs.writeFileSync(`${place}/gate.yaml`, land.replace("talus: 16", "talus: 8"));
thalweg(["verify", "gate.yaml", "-q", "--update", "--yes", "-o", "gate"], place);

const faults_of = async (page) => {
  await page.evaluate(axe());
  const found = await page.evaluate(() => axe.run());
  expect(!found.violations.length, found.violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`).join("\n"));
  const said = page.faults.filter((words) => !words.startsWith("fetched file://"));
  expect(!said.length, said.join("\n"));
};
const unfold = (page) => page.evaluate(() => { for (const part of document.querySelectorAll("details")) part.open = true; });

for (const [width, colorScheme] of [[1400, "light"], [1400, "dark"], [390, "light"], [390, "dark"]]) {
  const name = `${width} px, ${colorScheme}`, options = { viewport: { width, height: 900 }, colorScheme };
  const page = await open_page(`file://${place}/report.html`, options);
  await check(`the report fits ${name}`, async () => {
    await shoot(page, `report-${width}-${colorScheme}`);
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    await unfold(page);
    const over = await page.evaluate(() => [...document.querySelectorAll("svg[viewBox]:not(.wide)")].filter((svg) => svg.getBoundingClientRect().right > innerWidth + 1).length);
    expect(over === 0, `${over} charts run out of the screen`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
    const cut = width > 1000 ? await page.evaluate(() => [...document.querySelectorAll(".scroll")].filter((table) => table.scrollWidth > table.clientWidth + 1).length) : 0;
    expect(cut === 0, `${cut} tables are cut`);
    return `${tall} px tall when folded`;
  });
  if ((width > 390) === (colorScheme === "dark")) continue; /* each width and each scheme once: axe takes its time */
  await check(`the report is read, ${name}`, () => faults_of(page));
  await check(`a dot opens its map, ${name}`, async () => {
    const dot = page.locator("#measure-3 svg [data-run='3'] [data-seed='7']").first();
    await dot.dispatchEvent("click");
    const command = await page.textContent("#map code"), pictures = await page.locator("#map img").count();
    expect(/terrain\.yaml --seed 7 --size 64x64 -s talus=8$/.test(command), command);
    expect(pictures > 0, "the map has no picture");
    await shoot(page, `map-${width}-${colorScheme}`);
    await faults_of(page);
    await page.keyboard.press("Escape");
    await page.locator("#fronts svg [data-run^='t']").first().dispatchEvent("click");
    expect(/-s talus=/.test(await page.textContent("#map code")), await page.textContent("#map code"));
  });
  const gate = await open_page(`file://${place}/gate/index.html`, options);
  await check(`what differs fits ${name}`, async () => {
    await shoot(gate, `gate-${width}-${colorScheme}`);
    const wide = await gate.evaluate(() => document.documentElement.scrollWidth);
    expect(wide <= width, `${wide} wide`);
  });
  const judge = await open_page(`file://${place}/judge.html`, options);
  await check(`a reload keeps the answers, ${name}`, async () => {
    for (const key of ["ArrowLeft", "ArrowRight"]) await judge.keyboard.press(key);
    await judge.reload();
    expect(await judge.textContent("#count") === "pair 3 of 6", await judge.textContent("#count"));
    await shoot(judge, `judge-${width}-${colorScheme}`);
    await faults_of(judge);
    judge.on("dialog", (asked) => asked.accept());
    await judge.click("#again");
    await judge.reload();
    expect(await judge.textContent("#count") === "pair 1 of 6", await judge.textContent("#count"));
  });
}
await close_browser();
finish();
