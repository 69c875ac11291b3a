// Has `pawl doctor --live` look at the real agents' programs, with a model on
// loopback that does what it is asked, and with others that do not.
//
//	node integrations/e2e/live.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl [--keep] [CLIENT…]
//
// It prints a line for each check, and ends with 1 when one of them failed.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { clients, place } from "./programs.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, pawl: { type: "string" }, keep: { type: "boolean", default: false }, mind: { type: "string" } },
});
if (!flags.bin || !flags.pawl) {
  console.error("--bin and --pawl are missing: see the head of this file");
  process.exit(2);
}
const maxSeconds = 600;

// How each agent calls its own tools: to write a file, and to make a list.
const own = {
  claude: {
    write: (dir, name) => ["Write", { file_path: `${dir}/${name}.txt`, content: name + "\n" }],
    list: (steps) => steps.map((subject) => ["TaskCreate", { subject, description: subject }]),
  },
  codex: {
    write: (dir, name) => ["exec_command", { cmd: `echo ${name} > ${name}.txt`, workdir: dir }],
  },
  gemini: {
    write: (dir, name) => ["write_file", { file_path: `${dir}/${name}.txt`, content: name + "\n" }],
    list: (steps) => [["write_todos", { todos: steps.map((description) => ({ description, status: "pending" })) }]],
  },
  qwen: { write: (dir, name) => ["write_file", { file_path: `${dir}/${name}.txt`, content: name + "\n" }] },
  copilot: { write: (dir, name) => ["create", { path: `${dir}/${name}.txt`, file_text: name + "\n" }] },
  opencode: {
    write: (dir, name) => ["write", { filePath: `${dir}/${name}.txt`, content: name + "\n" }],
    list: (steps) => [["todowrite", { todos: steps.map((content) => ({ content, status: "pending", priority: "medium" })) }]],
  },
};

const birds = ["heron", "otter", "badger"];
const todos = (status) => ({ todos: birds.map((b) => ({ content: `Write ${b}.txt`, status })) });

// What the agent is asked in each run, by words that stand nowhere else.
const asks = {
  plan: "with exactly these three todos", resume: "Which three files are still to be written", work: "Begin now. Write the three files",
  new: "Which task of this project is ready", native: "your own built-in tool", stop: "It is part of the test that you end it again", halt: "Stop. Do nothing more for now.",
};

// A mind is what a model does in a run at its n-th request: a step, see model.mjs.
const good = {
  plan: ({ tool, n }) => n ? "The list is made. Shall I begin?" : [[tool("todo_write"), todos("pending")]],
  resume: () => "heron.txt, otter.txt and badger.txt.",
  work: ({ tool, own, dir, n }) => [birds.map((b) => own.write(dir, b)), [[tool("todo_write"), todos("completed")]]][n] ?? "DONE",
  new: () => "Count the kestrels",
  native: ({ own, n }) => n ? "Shall I begin?" : own.list(["Look at README.md", "Count its lines"]),
  stop: ({ tool, n }) => n ? "I end here." : [[tool("todo_write"), { todos: [{ content: "Wait for the owl", status: "in_progress" }] }]],
  halt: () => "I have stopped.",
};
const minds = {
  good,
  lazy: Object.fromEntries(Object.keys(asks).map((name) => [name, () => "No."])),
  mixed: {
    ...good,
    plan: ({ own, tool, n }) => n ? "Shall I begin?" : own.list?.(birds.map((b) => `Write ${b}.txt`)) ?? "Shall I begin?",
    native: ({ tool, n }) => n ? "Shall I begin?" : [[tool("todo_write"), { todos: [{ content: "Look at README.md", status: "pending" }, { content: "Count its lines", status: "pending" }] }]],
    work: ({ own, dir, n }) => n ? "DONE" : birds.map((b) => own.write(dir, b)),
    stop: ({ tool, n }) => [[[tool("todo_write"), { todos: [{ content: "Wait for the owl", status: "in_progress" }] }]], [[tool("todo_write"), { todos: [{ content: "Wait for the owl", status: "completed" }] }]]][n] ?? "I end here.",
  },
};

// thinking answers requests with a mind.
function thinking(name, mind) {
  let turn, n;
  return (ask) => {
    const text = JSON.stringify(ask.messages ?? ask.input ?? ask.contents);
    const now = Object.keys(asks).map((name) => [text.lastIndexOf(asks[name]), name]).sort(([a], [b]) => b - a)[0];
    if (now[0] < 0) return "I see.";
    if (turn !== now[1]) [turn, n] = [now[1], 0];
    else n++;
    const dir = JSON.stringify(ask).match(/(\/[^\s"\\<>`]*pawl-live-[^\/"\\]+\/pawl-toy-[a-z0-9]+)/)?.[1];
    return mind[turn]({ tool: clients[name].tool, own: own[name], dir, n });
  };
}

// look runs pawl doctor --live and returns the report.
async function look(name, mind, own) {
  const client = clients[name];
  const at = place(client, flags.pawl);
  const model = await serve(thinking(name, minds[mind]));
  for (const [file, text] of Object.entries(client.account?.(model.url) ?? {})) {
    fs.mkdirSync(path.dirname(path.join(at.home, file)), { recursive: true });
    fs.writeFileSync(path.join(at.home, file), text);
  }
  if (own) at.pawl("setup", name, "--user", "--yes");
  const before = own && fs.readFileSync(path.join(at.home, client.settings), "utf8");
  const report = path.join(at.dir, "report.json");
  const child = spawn(path.resolve(flags.pawl), ["doctor", "--live", name, "--yes", "--report", report], {
    cwd: at.project, stdio: ["ignore", "pipe", "pipe"], detached: true,
    env: { ...at.env, ...client.env(model.url, at.home), PATH: path.resolve(flags.bin) + path.delimiter + at.env.PATH, TMPDIR: at.dir },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
  const timer = setTimeout(() => process.kill(-child.pid, "SIGTERM"), maxSeconds * 1000);
  const code = await new Promise((ended) => child.on("exit", ended));
  clearTimeout(timer);
  model.close();
  fs.writeFileSync(path.join(at.dir, "asked.json"), JSON.stringify(model.asked, null, 1));
  const text = fs.existsSync(report) ? fs.readFileSync(report, "utf8") : "{}";
  return { at, code, out, text, kept: !own || before === fs.readFileSync(path.join(at.home, client.settings), "utf8"), report: JSON.parse(text), mark: (check) => JSON.parse(text).checks?.find((c) => c.name === check) ?? {} };
}

let failed = 0;
function check(what, holds, found) {
  console.log(`  ${holds ? "ok  " : "FAIL"}  ${what}${holds ? "" : `\n        ${found}`}`);
  if (!holds) failed++;
}

// What a good model shows of each program, where it is not all.
const unseen = {
  codex: ["compaction", "apart"], gemini: ["compaction", "apart"], qwen: ["compaction", "apart"], copilot: ["apart"], opencode: ["compaction", "bounded"],
};

for (const name of Object.keys(clients)) {
  if (positionals.length && !positionals.includes(name)) continue;
  for (const mind of flags.mind ? [flags.mind] : Object.keys(minds)) {
    const { at, code, out, text, report, mark } = await look(name, mind);
    console.log(`${clients[name].title}, a model that is ${mind}${flags.keep ? `  (${at.dir})` : ""}`);
    if (flags.keep) console.log(out);
    const all = report.checks ?? [];
    const marks = all.map((c) => `${c.mark} ${c.name}: ${c.saw}`).join("\n        ");
    check("nothing is held against Pawl", code === 0 && all.length > 0 && all.every((c) => c.mark !== "no"), `exit ${code}\n        ${marks || out}`);
    check("hooks fire and tools are offered", mark("hooks").mark === "yes" && mark("tools").mark === "yes", marks);
    if (mind === "good") {
      const missing = all.filter((c) => (c.mark === "yes") === (unseen[name] ?? []).includes(c.name)).map((c) => c.name);
      check(`${all.length - (unseen[name]?.length ?? 0)} checks are seen`, missing.length === 0, `${missing}\n        ${marks}`);
    } else {
      check("what the model did not do could not be seen", ["list", "ticked", "bounded"].every((c) => mark(c).mark === "unseen" || mind === "mixed" && mark(c).mark === "yes"), marks);
    }
    check("the report names no folder of the user", !text.includes(at.home) && !text.includes(at.dir), text);
    check("nothing of the toy is left", !fs.readdirSync(at.dir).some((n) => n.startsWith("pawl-live-")), fs.readdirSync(at.dir));
    if (!flags.keep) fs.rmSync(at.dir, { recursive: true, force: true });
  }
}
// Who has Pawl in all projects has that looked at, and it stays as it is. In Codex
// nobody has trusted the hooks here: that is what it says.
for (const name of ["claude", "codex"].filter((name) => !positionals.length || positionals.includes(name))) {
  const { at, code, out, report, kept, mark } = await look(name, "good", true);
  console.log(`${clients[name].title}, set up for all projects`);
  const found = `exit ${code}\n${out}`;
  check("it is that which is looked at", report.setup === "yours, for all projects" && mark("tools").mark === "yes" && mark("ticked").mark === "yes", found);
  if (name === "codex") check("hooks that nobody trusts are missed, with the way to them", code === 1 && mark("hooks").mark === "no" && mark("hooks").saw.includes("/hooks"), found);
  else check("and it works", code === 0 && mark("hooks").mark === "yes", found);
  check("and it stays as it is", kept && !fs.existsSync(path.join(at.dir, "state", "pawl", "todos")), fs.readdirSync(path.join(at.dir, "state")));
  fs.rmSync(at.dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
