// Plays the life of Pawl in six real agents' programs, with a scripted model on
// loopback: set up, used, resumed, started anew, without the program, with it
// again, and uninstalled. It needs no account and no network, and writes nothing
// outside a temporary folder.
//
//	npm install --prefix DIR @anthropic-ai/claude-code @openai/codex @google/gemini-cli @qwen-code/qwen-code @github/copilot opencode-ai
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/clients.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl [--keep] [--model NAME] [--search] [CLIENT…]
//
// With --model each program is given that model instead of its own choice; with --search
// Claude Code keeps tools behind a search, as it does with an account.
//
// It prints a line for each check and a table at the end, and ends with 1 when
// one of them failed. With --keep the folders stay: what the model was asked and
// what the program printed is in NAME.asked.json and NAME.out.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { clients, place } from "./programs.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, pawl: { type: "string" }, keep: { type: "boolean", default: false }, model: { type: "string" }, search: { type: "boolean", default: false } },
});
if (!flags.bin || !flags.pawl) {
  console.error("--bin and --pawl are missing: see the head of this file");
  process.exit(2);
}
const maxSeconds = 180; // of one run of a program

// run plays one prompt.
async function run(name, client, at, { prompt, steps, again }) {
  const model = await serve(steps);
  const args = client.args(prompt, again, model.url);
  const child = spawn(path.resolve(flags.bin, name), flags.model ? [...args, "--model", flags.model] : args, {
    cwd: at.project, env: { ...at.env, ...client.env(model.url, at.home), ...(flags.search && { ENABLE_TOOL_SEARCH: "true" }) }, stdio: ["ignore", "pipe", "pipe"], detached: true,
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
  const stop = () => { try { process.kill(-child.pid, "SIGKILL"); } catch {} }; // with what it started
  const timer = setTimeout(stop, maxSeconds * 1000);
  const code = await new Promise((ended) => child.on("exit", (code, signal) => ended(code ?? signal)));
  clearTimeout(timer);
  stop();
  model.close();
  const file = path.join(at.dir, `${name}.${++at.runs}`);
  fs.writeFileSync(file + ".asked.json", JSON.stringify(model.asked, null, 1));
  fs.writeFileSync(file + ".out", out);
  return { code, out, left: model.left(), asks: model.asked.map((ask) => JSON.stringify(ask.messages ?? ask.input ?? ask.contents)) };
}

// tree is all that is in a folder, but what the programs unpack and log there.
function tree(dir) {
  const all = {};
  for (const e of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const name = path.join(e.parentPath ?? e.path, e.name);
    if (e.isFile() && !name.includes("node_modules")) all[path.relative(dir, name)] = fs.readFileSync(name, "latin1");
  }
  return all;
}

const differences = (a, b) => [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);

// complaints are the lines in which a program speaks of Pawl, or of a command
// that is not there. That a server did not start may be said.
const complaints = (out) => out.split("\n").filter((line) => /pawl/i.test(line) && !/mcp/i.test(line) || /command not found|: not found|hook.*(fail|error)/i.test(line));

// subagent plays one that finishes its todo when it is asked to go on, and one
// that never does.
async function subagent(name, client, at, check) {
  const plan = (status) => [[client.tool("todo_write"), { todos: [{ content: "Compare the parsers", status }] }]];
  const call = [client.subagent("Compare the two parsers.")];
  const done = await run(name, client, at, {
    prompt: "Have the parsers compared.",
    steps: [call, plan("in_progress"), "FIRST words.", plan("completed"), "ANSWER in full.", "ANSWER handed on."],
  });
  check("subagent", "its stop is followed by a note", done.asks[3]?.includes("Continue working on this task: Compare the parsers") || done.asks[3]?.slice(-600) || "no request");
  check("subagent", "its last answer is handed over, in place of the first", done.asks[5]?.includes("ANSWER in full.") && !done.asks[5].includes("FIRST words.") || done.asks[5]?.slice(-600) || "no request");
  check("subagent", "and the agent goes on with it", done.code === 0 && done.asks.length === 6 && done.out.includes("ANSWER handed on.") || `${done.asks.length} requests: ${done.out.slice(-300)}`);
  const left = await run(name, client, at, {
    prompt: "Have the parsers compared.",
    steps: [call, plan("in_progress"), "ONE.", "TWO.", "THREE.", "ANSWER without."],
  });
  check("subagent", "one that does nothing is asked twice", left.asks.length === 6 && left.asks[5].includes("THREE.") && left.out.includes("ANSWER without.") || `${left.asks.length} requests: ${left.asks[5]?.slice(-600)}`);
}

const todos = ["Read the parser", "Write the tests", "Fix what they find"].map((content, i) => ({ content, status: i ? "pending" : "in_progress" }));

async function life(name, client, at, check) {
  const before = tree(at.home);
  at.pawl("setup", name, "--user", "--yes");
  const set = tree(at.home);
  at.pawl("setup", name, "--user", "--yes");
  check("setup", "a second setup changes nothing", differences(set, tree(at.home)));
  at.pawl("setup", name, "--remove", "--user", "--yes");
  check("uninstall", "files are byte for byte as before", differences(before, tree(at.home)));
  at.pawl("setup", name, "--user", "--yes");

  const used = await run(name, client, at, {
    prompt: "Read the parser, then write tests for it, and finally fix what they find.",
    steps: [[[client.tool("todo_write"), { todos }]], "I have read it.", "ANSWER one.", "ANSWER two.", "ANSWER three."],
  });
  check("use", "it ends well", used.code === 0 || `exit ${used.code}`);
  check("use", "the tool answers the model", !!used.asks[1]?.includes("Todo List (3 tasks)") || used.asks[1]?.slice(-600) || "no second request");
  if (!client.ends) check("use", "a stop is followed by a note", used.asks[2]?.includes("Continue working on this task: Read the parser") || "no note");
  check("use", "nobody complains", used.out.split("\n").filter((line) => /conflict|hook.*(fail|error)|hook.*does not run/i.test(line) && !line.includes('"type":')));

  const again = await run(name, client, at, { prompt: "Where were we?", again: true, steps: ["ANSWER."] });
  check("resume", "the todos come back", again.asks[0]?.includes("pawl-recovery") && again.asks[0].includes("Write the tests") || "no recovery");
  if (name === "claude") { // the one that can be told in a script
    const story = fileURLToPath(new URL("claude.mjs", import.meta.url));
    const played = await new Promise((ended) => {
      let out = "";
      const child = spawn(process.execPath, [story, "--setup", "--claude", path.resolve(flags.bin, name), "--pawl", path.resolve(flags.pawl), "clear"]);
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
      child.on("exit", (code) => ended({ code, out }));
    });
    check("clear", "after /clear there is another session, which is told the list", played.code === 0 || played.out);
  }
  const fresh = await run(name, client, at, { prompt: "What is there?", steps: ["ANSWER."] });
  check("new", "a new session is not given another's todos", !fresh.asks[0]?.includes("Write the tests") || "they are there");

  if (client.subagent) await subagent(name, client, at, check);

  at.take();
  const gone = await run(name, client, at, { prompt: "What does main.go do?", steps: ["ANSWER alone."] });
  check("gone", "a prompt is answered", gone.code === 0 && gone.out.includes("ANSWER alone.") || `exit ${gone.code}: ${gone.out.slice(-500)}`);
  check("gone", "and nobody complains", complaints(gone.out));
  check("gone", "nor does the model hear of it", !/pawl[^"]{0,40}not found|pawl-recovery|From Pawl/.test(gone.asks.join()) || "it does");
  at.put();
  const back = await run(name, client, at, {
    prompt: "Write three todos.", steps: [[[client.tool("todo_write"), { todos }]], "ANSWER.", "ANSWER.", "ANSWER."],
  });
  check("back", "the tool answers the model again", back.asks[1]?.includes("Todo List (3 tasks)") || "no answer");

  const own = differences(set, tree(at.home)); // what the program changed itself
  at.pawl("setup", name, "--remove", "--user", "--yes");
  check("uninstall", "after use, files but the program's own are as before", differences(before, tree(at.home)).filter((file) => !own.includes(file)));
  const left = Object.entries(tree(at.home)).filter(([file, text]) => /pawl hook|pawl statusline/.test(text) && /settings|hooks|config/.test(file) && !/session|history|log/.test(file));
  check("uninstall", "and no line of Pawl's is left", left.map(([file]) => file));
  const log = path.join(at.dir, "state", "pawl", "hook.log");
  check("log", "hook.log is empty", fs.existsSync(log) ? fs.readFileSync(log, "utf8").trim().split("\n") : []);
}

const columns = ["setup", "use", "subagent", "resume", "clear", "new", "gone", "back", "uninstall", "log"];
const results = {};
for (const [name, client] of Object.entries(clients)) {
  if (positionals.length && !positionals.includes(name)) continue;
  const at = place(client, flags.pawl);
  results[name] = {};
  console.log(client.title + (flags.keep ? `  (${at.dir})` : ""));
  // What is not as it should be is given in place of true or of an empty list.
  const check = (column, what, found) => {
    const holds = found === true || Array.isArray(found) && found.length === 0;
    results[name][column] = (results[name][column] ?? true) && holds;
    console.log(`  ${holds ? "ok  " : "FAIL"}  ${column}: ${what}${holds ? "" : `\n        ${[found].flat().map((line) => String(line).slice(0, 400)).slice(0, 5).join("\n        ")}`}`);
  };
  try {
    await life(name, client, at, check);
  } catch (error) {
    check("setup", "all could be played", error.stderr || error.stack);
  }
  if (!flags.keep) fs.rmSync(at.dir, { recursive: true, force: true });
}
console.log("\n" + ["".padEnd(12), ...columns.map((c) => c.padEnd(10))].join(""));
let failed = false;
for (const [name, result] of Object.entries(results)) {
  console.log([clients[name].title.padEnd(12), ...columns.map((c) => ({ true: "ok", false: "FAIL" }[result[c]] ?? "-").padEnd(10))].join(""));
  failed ||= Object.values(result).includes(false);
}
process.exit(failed ? 1 : 0);
