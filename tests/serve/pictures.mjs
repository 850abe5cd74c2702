/* The pictures of docs/serve.md. Not a test: run it as `tests/serve/in_browser.sh COMMAND docs/pictures/serve pictures`
 * where the page has changed, then reduce them to 256 colours. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { close_browser, drawn, folder, open_page, serve, settled, shoot } from "./browser.mjs";

const place = folder("pictures"), file = `${place}/island.yaml`;
const ISLAND = fs.readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), "../../graphs/tutorial/10-island.yaml"), "utf8");
fs.writeFileSync(file, ISLAND);
const server = await serve(place, ["island.yaml"]), page = await open_page(server.url, { colorScheme: "dark" });
const shown = async () => {
  await settled(page);
  await drawn(page);
};
await shown();
const phone = await open_page(server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "light" });
await settled(phone);
await drawn(phone);
await shoot(phone, "narrow");
await phone.context().close();

await page.click(".node[data-node=rivers]");
await page.fill("[data-path='nodes.rivers.K'] .value", "14");
await page.keyboard.press("Enter");
await page.selectOption("#ground", "land.out");
await shown();
await page.click("#wipe");
await page.waitForFunction(() => viewer.slots[1].key);
await page.click("#tab-numbers");
await drawn(page);
await shoot(page, "wipe");

await page.click("#wipe");
await page.click("#tab-nodes");
await page.click(".node[data-node=rock]");
await page.selectOption("#layer", "");
await page.selectOption("#look", "slope");
await page.click("#tab-graph");
await shown();
await page.evaluate(() => { document.querySelector("#graph .chosen").scrollIntoView({ block: "center" }); });
await drawn(page);
await shoot(page, "graph");

await page.click("#tab-nodes");
fs.writeFileSync(file, ISLAND.replace("erosion.stream_power", "erosion.stream_powr"));
await page.waitForFunction(() => document.body.classList.contains("faulty"));
await drawn(page);
await shoot(page, "fault");
await server.end();
await close_browser();
