// SPDX-License-Identifier: MIT
// Drives `thalweg mcp` as assistants do, with the public SDK of the protocol.
// usage: node drive.mjs COMMAND FOLDER
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, folder] = process.argv.slice(2);
const hills = `thalweg: 1
size: 256
seed: 3
nodes:
  noise: {type: noise.perlin, frequency: 3, octaves: 7}
  worn:  {type: erosion.stream_power, in: noise, K: 4, uplift_rate: 0, steps: 5}
  score: {type: measure.score, in: worn}
outputs: {height: worn, score: score}
`;

writeFileSync(join(folder, "hills.yaml"), hills);
const before = readdirSync(folder);
const client = new Client({ name: "check", version: "1" });
const transport = new StdioClientTransport({ command, args: ["mcp", folder], stderr: "inherit" });
await client.connect(transport);

const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const text = (result) => result.content.map((part) => part.text ?? "").join("\n");

assert.equal(client.getServerVersion().name, "thalweg");
assert.match(client.getInstructions(), /thalweg:\/\/guide/);
await client.ping();

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name), ["nodes", "check", "run", "diff", "compare", "realism"]);

const { resources } = await client.listResources();
assert.ok(resources.length > 100);
const { resourceTemplates } = await client.listResourceTemplates();
assert.equal(resourceTemplates.length, 2);
const read = async (uri) => (await client.readResource({ uri })).contents[0].text;
assert.match(await read("thalweg://guide"), /^# For language models/);
assert.equal(JSON.parse(await read("thalweg://schema")).$schema, "http://json-schema.org/draft-07/schema#");
assert.match(await read("thalweg://nodes/erosion.droplets"), /\| `density` \|/);
assert.match(await read("thalweg://library/snow"), /^thalweg: 1/);
await assert.rejects(read("thalweg://nodes/nothing"), { code: -32002 });

assert.match(text(await call("nodes", { query: "river" })), /water\.rivers: /);
const wrong = await call("check", { recipe: hills.replace("noise.perlin", "noise.perlim") });
assert.equal(wrong.isError, true);
assert.equal(wrong.structuredContent.errors[0].line, 5);
assert.match(wrong.structuredContent.errors[0].hint, /noise\.perlin/);
const right = await call("check", { recipe: "hills.yaml" });
assert.equal(right.structuredContent.ok, true);

let told = 0;
const run = await call("run", { recipe: "hills.yaml", picture_size: 128 }, { onprogress: () => told++ });
assert.ok(!run.isError);
const [height, score] = run.structuredContent.outputs;
assert.match(height.sha256, /^[0-9a-f]{64}$/);
assert.ok(score.entries.game >= 0);
const picture = run.content.find((part) => part.type === "image");
const png = Buffer.from(picture.data, "base64");
assert.equal(png.subarray(1, 4).toString(), "PNG");
assert.equal(png.readUInt32BE(16), 128);

const diff = await call("diff", { before: "hills.yaml", after: hills.replace("K: 4", "K: 9") });
assert.equal(diff.structuredContent.recipes[0].first.path, "worn");
const experiment = `thalweg-experiment: 1
recipe: hills.yaml
size: 64
seeds: {from: 1, count: 4}
variants: {soft: {}, thermal: {nodes: {worn: {type: erosion.thermal, in: noise}}}}
measure: [score.game]
baseline: soft
`;
assert.equal((await call("compare", { experiment })).structuredContent.total, 4);
assert.equal((await call("realism", { recipe: "hills.yaml" })).structuredContent.numbers.length, 9);

const outside = await call("run", { recipe: "../../etc/passwd.yaml" });
assert.equal(outside.isError, true);
await assert.rejects(call("shell", {}), { code: -32602 });

const slow = hills.replace("steps: 5", "steps: 100000");
const stop = new AbortController();
const aborted = call("run", { recipe: slow }, { signal: stop.signal, onprogress: () => stop.abort() });
await assert.rejects(aborted);
assert.ok(!(await call("check", { recipe: hills })).isError);

await client.close();
assert.deepEqual(readdirSync(folder), before);
assert.equal(readFileSync(join(folder, "hills.yaml"), "utf8"), hills);
console.log("thalweg mcp: driven by the SDK, %d tools, %d resources, %d tidings", tools.length, resources.length, told);
