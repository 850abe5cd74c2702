// SPDX-License-Identifier: MIT
// What an editor says of a recipe: hovers, completions, faults, snippets.
// usage: node ask.mjs SERVER FOLDER    (FOLDER has thalweg.schema.json and thalweg.code-snippets)
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [program, folder] = process.argv.slice(2);
const server = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
const diagnostics = new Map();
let next = 1;
let input = Buffer.alloc(0);

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  const id = next++;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function take(message) {
  if (message.method === "textDocument/publishDiagnostics") {
    diagnostics.get(message.params.uri)?.(message.params.diagnostics);
  } else if (message.method && message.id !== undefined) {
    const none = message.method === "workspace/configuration" ? message.params.items.map(() => null) : null;
    send({ id: message.id, result: none });
  } else if (waiting.has(message.id)) {
    waiting.get(message.id)(message.result);
  }
}

server.stdout.on("data", (data) => {
  input = Buffer.concat([input, data]);
  for (;;) {
    const head = input.indexOf("\r\n\r\n");
    const length = head < 0 ? 0 : Number(/Content-Length: (\d+)/i.exec(input.subarray(0, head).toString())[1]);
    if (head < 0 || input.length < head + 4 + length) return;
    const body = input.subarray(head + 4, head + 4 + length).toString();
    input = input.subarray(head + 4 + length);
    take(JSON.parse(body));
  }
});

// Opens a recipe; resolves with what the server finds in it.
function open(name, lines) {
  const uri = pathToFileURL(join(folder, name)).href;
  const text = `# yaml-language-server: $schema=./thalweg.schema.json\n${lines}`;
  const found = new Promise((resolve) => diagnostics.set(uri, resolve));
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
  const position = (word, from = 0) => {
    const before = text.slice(0, text.indexOf(word, from));
    return { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 };
  };
  const at = (word, offset) => ({ textDocument: { uri }, position: { ...position(word), character: position(word).character + offset } });
  return { found, at };
}

const hover = async (place) => JSON.stringify((await ask("textDocument/hover", place)).contents);

await ask("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(folder).href,
  capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } }, publishDiagnostics: {} } },
  initializationOptions: {},
});
send({ method: "initialized", params: {} });
const settings = { yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false } } };
send({ method: "workspace/didChangeConfiguration", params: { settings } });

const good = open("good.yaml", `thalweg: 1
params:
  talus: {default: 4, usual: [1, 30]}
nodes:
  noise: {type: noise.perlin}
  worn:  {type: erosion.thermal, in: noise, talus: "\${talus}", iterations: 20}
  snow:  {type: thalweg/snow, land: worn, line: 0.6}
outputs: {height: snow}
`);
assert.deepEqual(await good.found, []);
assert.match(await hover(good.at("talus: \"", 1)), /steepest slope that stays at rest; unit: rise per map side; usual: 1 to 30; default: 4/);
assert.match(await hover(good.at("iterations", 1)), /usual: 5 to 250/);
assert.match(await hover(good.at("line: 0.6", 1)), /height of the snow line on level ground; unit: height; usual: 0 to 1; default: 0\.5/);

const bad = open("bad.yaml", `thalweg: 1
nodes:
  noise: {type: noise.perlin, octaves: many}
  worn:  {type: erosion.thermal, in: noise, tallus: 4}
`);
const lines = (await bad.found).map((fault) => fault.range.start.line);
assert.ok(lines.includes(3) || lines.includes(4), `faults in lines ${lines}`);

const half = open("half.yaml", `thalweg: 1
nodes:
  worn:
    type: erosion.thermal
    in: noise
    
`);
await half.found;
const offered = await ask("textDocument/completion", half.at("    \n", 4));
const labels = (offered.items ?? offered).map((item) => item.label);
assert.ok(labels.includes("talus") && labels.includes("hardness"), labels.join(" "));

const snippets = JSON.parse(readFileSync(join(folder, "thalweg.code-snippets")));
for (const [name, { prefix, scope, body, description }] of Object.entries(snippets)) {
  assert.ok(prefix && scope === "yaml" && description, name);
  assert.ok(name === "recipe" || /^\$\{1:[a-z0-9_]+\}: \{type: .*\}\$0$/.test(body), body);
}

await ask("shutdown", null);
send({ method: "exit" });
console.log("editor: hovers, completion and faults by the schema; %d snippets", Object.keys(snippets).length);
