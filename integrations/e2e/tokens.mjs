// Measures what Pawl adds to the requests of real agents' programs, with a scripted model on
// loopback: each program plays the same prompts without Pawl and with it, with its default
// model, an old one, and with tools deferred behind a search where it can do that.
//
//	npm install --prefix DIR @anthropic-ai/claude-code @openai/codex @google/gemini-cli @qwen-code/qwen-code @github/copilot opencode-ai
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/tokens.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl [--keep] [CLIENT…]
//
// It prints a table in Markdown, which docs/benchmarks.md has, and ends with 1 when a limit
// is passed. A token is taken for four bytes of the request.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { clients, place } from "./programs.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, pawl: { type: "string" }, counts: { type: "string" }, keep: { type: "boolean", default: false } },
});
if (!flags.bin || !flags.pawl) {
  console.error("--bin and --pawl are missing: see the head of this file");
  process.exit(2);
}
const maxSeconds = 180; // of one run of a program
const model = (name) => ({ args: (args) => [...args, "--model", name] });
const codex = (name) => ({ args: (args) => args.map((arg) => arg.replace('model="mock"', `model="${name}"`)) });
// own: the vendor gives this model a list. first is the limit of tokens at the first request
// where tools wait behind a search, so that a model that plans without a list pays little.
const variants = {
  claude: {
    "default, tool search": { env: { ENABLE_TOOL_SEARCH: "true" }, first: 900 }, "default": {},
    "claude-haiku-4-5, tool search": { ...model("claude-haiku-4-5"), env: { ENABLE_TOOL_SEARCH: "true" }, own: true },
    "claude-haiku-4-5": { ...model("claude-haiku-4-5"), own: true },
  },
  codex: { "gpt-6-sol": { ...codex("gpt-6-sol"), first: 900 }, "gpt-5": codex("gpt-5") },
  gemini: {
    "gemini-3-pro-preview": { args: (args) => args.map((arg) => arg.replace("gemini-2.5-flash", "gemini-3-pro-preview")) },
    "gemini-2.5-flash": { env: { GEMINI_MODEL: "gemini-2.5-flash" }, own: true },
  },
  qwen: { "mock": {} }, copilot: { "mock": { own: true } }, opencode: { "mock": { own: true } },
};
const most = { call: 0, nudge: 120 };
const prompt = "First read the parser in parse.go, then write tests for it, after that fix what they find, and finally update README.md.";

// run plays one prompt, and returns the requests of the main loop.
async function run(name, client, at, variant, steps) {
  const scripted = await serve(steps);
  const env = { ...at.env, ...client.env(scripted.url, at.home), ...variant.env };
  const args = client.args(prompt, false, scripted.url);
  const child = spawn(path.resolve(flags.bin, name), variant.args?.(args) ?? args, { cwd: at.project, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
  const stop = () => { try { process.kill(-child.pid, "SIGKILL"); } catch {} }; // with what it started
  const timer = setTimeout(stop, maxSeconds * 1000);
  await new Promise((ended) => child.on("exit", ended));
  clearTimeout(timer);
  stop();
  scripted.close();
  fs.writeFileSync(path.join(at.dir, `${name}.${++at.runs}.asked.json`), JSON.stringify(scripted.asked, null, 1));
  if (scripted.asked.length === 0) throw new Error(`the model was not asked: ${out.slice(-400)}`);
  return scripted.asked;
}

const said = (ask) => ask.messages ?? ask.input ?? ask.contents;
// plain is a request without what differs from one run to the next.
const plain = (ask, at) => JSON.stringify(ask).replaceAll(at.dir, "/dir").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");
const tokens = (bytes) => Math.round(bytes / 4);

const shell = (ask) => {
  const names = JSON.stringify(ask.tools ?? []); // in the code mode of Codex none is called by its name
  for (const [tool, args] of [["Bash", { command: "true", description: "wait" }], ["exec_command", { cmd: "true" }], ["run_shell_command", { command: "true", is_background: false, description: "wait" }], ["bash", { command: "true", description: "wait" }]])
    if (names.includes(`"name":"${tool}"`)) return [[tool, args]];
  return "There is no shell.";
};

// script answers with a call of the shell, then with a text.
const script = () => { let n = 0; return (ask) => (n++ ? "ANSWER." : shell(ask)); };

const rows = [];
let passed = 0, failed = 0;
for (const [name, client] of Object.entries(clients)) {
  if (positionals.length && !positionals.includes(name)) continue;
  const version = execFileSync(path.resolve(flags.bin, name), ["--version"], { encoding: "utf8" }).match(/\d+\.\d+\.\d+/)?.[0];
  for (const [label, variant] of Object.entries(variants[name])) {
    try {
      const at = { bare: place(client, flags.pawl), pawl: place(client, flags.pawl) };
      at.pawl.pawl("setup", name, "--user", "--yes");
      const asked = {};
      for (const which of ["bare", "pawl"]) asked[which] = await run(name, client, at[which], variant, script());
      const first = plain(asked.pawl[0], at.pawl).length - plain(asked.bare[0], at.bare).length;
      // Where the script finds no shell there is no second request.
      const grown = (which) => plain(asked[which][1] ?? asked[which][0], at[which]).length - plain(asked[which][0], at[which]).length;
      const call = grown("pawl") - grown("bare");
      const list = ["Read the parser", "Write the tests", "Fix what they find"].map((content, i) => ({ content, status: i ? "pending" : "in_progress" }));
      const stopped = await run(name, client, at.pawl, variant, [[[client.tool("todo_write"), { todos: list }]], "I have read it.", "ANSWER.", "ANSWER."]);
      const note = JSON.stringify(said(stopped.at(2) ?? {}) ?? []).match(/Continue working on this task.*?continuation off(?: --user)?\)/s)?.[0] ?? "";
      const row = { first: tokens(first), call: tokens(call), nudge: tokens(note.length) };
      const shown = { ...row, call: asked.pawl[1] && asked.bare[1] ? row.call : "not played", nudge: row.nudge || "not played" };
      const over = Object.entries({ ...most, first: variant.first ?? Infinity }).filter(([what, limit]) => row[what] > limit).map(([what]) => what);
      if (over.length) failed++; else passed++;
      rows.push(`| ${client.title} ${version} | ${label} | ${variant.own ? "its own" : "none"} | ${shown.first} | ${shown.call} | ${shown.nudge} |`);
      console.error(`${rows.at(-1)}${over.length ? `  OVER: ${over}` : ""}${flags.keep ? `  ${at.pawl.dir} ${at.bare.dir}` : ""}`);
      if (!flags.keep) for (const which of Object.values(at)) fs.rmSync(which.dir, { recursive: true, force: true });
    } catch (error) {
      failed++;
      console.error(`${name}, ${label}: ${error.stack}`);
    }
  }
}
console.log(["| program | model | list of its own | first request | a call | a nudge |", "|---|---|---|---:|---:|---:|", ...rows].join("\n"));
if (flags.counts) fs.appendFileSync(flags.counts, `${passed} ${failed}\n`);
process.exit(failed ? 1 : 0);
