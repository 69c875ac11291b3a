// Plays pawl run with real agents' programs and a scripted model: two tasks with checks
// in a git repository, worked off at once. A check fails, and is repaired in the same
// conversation; then the work is merged, and the board is completed.
//
//	npm install --prefix DIR @anthropic-ai/claude-code @openai/codex
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/run.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl [--keep] [CLIENT…]
//
// It needs git, but no account and no network beyond loopback, and writes nothing outside
// a temporary folder. It prints a line for each check, and ends with 1 when one of them
// failed. With --keep the folders stay.
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
const maxSeconds = 180; // of one run
const began = Date.now();
let passed = 0, failed = 0;
function check(what, ok, otherwise = "") {
  if (ok) passed++; else failed++;
  console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${ok ? "ok    " : "FAILED"} ${what}${ok ? "" : `: ${typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise)}`}`);
}

// What a model does in each program, with that program's own tools: write a file, put
// other words into it, and commit.
const shell = (command) => (ask) => {
  const tool = (ask.tools ?? []).map((t) => t.name).find((name) => ["exec_command", "shell_command", "shell"].includes(name));
  return [[tool, tool === "exec_command" ? { cmd: command } : { command: tool === "shell" ? ["sh", "-c", command] : command }]];
};
const hands = {
  claude: {
    write: (file, text) => () => [["Write", { file_path: file, content: text }]],
    alter: (file, old, text) => [() => [["Read", { file_path: file }]], () => [["Edit", { file_path: file, old_string: old, new_string: text }]]],
    commit: (message) => [() => [["Bash", { command: `git add -A && git commit -m "${message}"`, description: message }]]],
  },
  codex: { // its sandbox keeps it from the repository: what it leaves is committed for it
    write: (file, text) => shell(`printf '%s' '${text}' > '${file}'`),
    alter: (file, old, text) => [shell(`sed -i 's/${old}/${text}/' '${file}'`)],
    commit: () => [],
  },
  // They may run nothing that they would ask for: what they leave is committed for them.
  gemini: {
    write: (file, text) => () => [["write_file", { file_path: file, content: text }]],
    alter: (file, old, text) => [() => [["run_shell_command", { command: "git push" }]], () => [["write_file", { file_path: file, content: text + "\n" }]]],
    commit: () => [],
  },
  qwen: {
    write: (file, text) => () => [["mcp__pawl__todo_write", { todos: [{ content: "Write " + path.basename(file), status: "in_progress" }] }], ["write_file", { file_path: file, content: text }]],
    alter: (file, old, text) => [() => [["run_shell_command", { command: "git push", is_background: false }]], () => [["read_file", { file_path: file }]], () => [["write_file", { file_path: file, content: text + "\n" }]]],
    commit: () => [],
  },
};

// script is a model that knows of its task what the prompt says.
function script(hand) {
  const at = {}, seen = { resumed: false, told: false };
  return { seen, steps(ask) {
    const said = JSON.stringify(ask.messages ?? ask.input ?? ask.contents);
    const [, task] = said.match(/You work on task #(\d+)/) ?? [], [, tree] = said.match(/made for this attempt: (.+?)\. Change files only there/) ?? [];
    const resumed = said.includes(`Go on with task #${task}`), again = resumed || said.includes("hello -- greeting.txt failed");
    if (!tree) return "I know nothing of a task.";
    if (again) {
      seen.resumed ||= resumed;
      seen.told ||= said.includes("git grep -q hello -- greeting.txt failed with exit code 1");
    }
    const greeting = path.join(tree, "greeting.txt"), farewell = path.join(tree, "farewell.txt");
    const all = {
      "1": [hand.write(greeting, "good morning\n"), ...hand.commit("Greet"), () => "I have written a greeting."],
      "1 again": [...hand.alter(greeting, "good morning", "hello"), ...hand.commit("Say hello"), () => "It says hello now."],
      "2": [hand.write(farewell, "goodbye\n"), () => "I have said goodbye."],
    }[task + (again ? " again" : "")] ?? [];
    const key = task + again;
    at[key] = (at[key] ?? -1) + 1;
    return all[at[key]]?.(ask) ?? "There is nothing more to do.";
  } };
}

for (const [name, client] of Object.entries(clients)) {
  if (!hands[name] || positionals.length && !positionals.includes(name)) continue;
  const started = Date.now();
  const at = place(client, flags.pawl), played = script(hands[name]);
  const model = await serve(played.steps);
  for (const [file, text] of Object.entries(client.account?.(model.url) ?? {})) fs.writeFileSync(path.join(at.home, file), text);
  const git = (...args) => execFileSync("git", ["-C", at.project, ...args], { env: at.env, encoding: "utf8" }).trim();
  fs.writeFileSync(path.join(at.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
  fs.writeFileSync(path.join(at.project, "README.md"), "# Words\n");
  git("symbolic-ref", "HEAD", "refs/heads/main");
  git("add", "-A");
  git("commit", "-qm", "Begin");
  at.pawl("init", "--private");
  // A person agrees at a terminal: only there.
  const person = (...args) => {
    const line = [path.resolve(flags.pawl), ...args].map((word) => `'${word}'`).join(" ");
    return execFileSync("script", ["-qec", line, "/dev/null"], { cwd: at.project, env: at.env, encoding: "utf8" });
  };
  person("add", "Greet", "--check", "git grep -q hello -- greeting.txt");
  person("add", "Say goodbye", "--check", "git grep -q goodbye -- farewell.txt");
  person("config", "set", "run.review", "none", "--user");

  const child = spawn(path.resolve(flags.pawl), ["run", "--yes", "--agent", name], {
    cwd: at.project, stdio: ["ignore", "pipe", "pipe"],
    env: { ...at.env, PATH: path.resolve(flags.bin) + path.delimiter + at.env.PATH, ...client.env(model.url, at.home) },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
  const timer = setTimeout(() => child.kill("SIGKILL"), maxSeconds * 1000);
  const code = await new Promise((ended) => child.on("exit", (code, signal) => ended(code ?? signal)));
  clearTimeout(timer);
  model.close();

  const title = client.title;
  const attempts = (id) => JSON.parse(at.pawl("run", "log", id, "--json")).attempts;
  const [greet, goodbye] = [attempts("1"), attempts("2")];
  check(`${title}: the run ends well`, code === 0, `${code}: ${out}`);
  check(`${title}: the first greeting fails its check`, greet[0]?.reason === "check-failed", greet[0]);
  check(`${title}: the second one goes on with its conversation`, greet.length === 2 && (played.seen.resumed || client.forgets), greet);
  check(`${title}: and is told what failed`, played.seen.told);
  check(`${title}: the other task needs one attempt`, goodbye.length === 1 && goodbye[0].phase === "completed", goodbye);
  const read = (file) => { try { return fs.readFileSync(path.join(at.project, file), "utf8"); } catch (e) { return e.message; } };
  check(`${title}: both are merged, with their files in the main checkout`, read("greeting.txt") === "hello\n" && read("farewell.txt") === "goodbye\n", [read("greeting.txt"), read("farewell.txt")]);
  check(`${title}: which has no changes`, git("status", "--porcelain") === "", git("status", "--porcelain"));
  const tasks = JSON.parse(at.pawl("list", "--all", "--json")).tasks;
  check(`${title}: the board is completed`, tasks.length === 2 && tasks.every((t) => t.status === "completed"), tasks);
  const { status } = JSON.parse(at.pawl("run", "status", "--json"));
  check(`${title}: the run has counted its tokens`, status.tokens > 0, status);
  const trees = git("worktree", "list", "--porcelain").split("\n").filter((line) => line.startsWith("worktree ") && !line.endsWith("/integrate/tree"));
  check(`${title}: no work tree of an attempt is left`, trees.length === 1, trees);
  console.log(`        ${title} took ${((Date.now() - started) / 1000).toFixed(1)} s: ${git("log", "--reverse", "--format=%s").split("\n").join(", ")}`);
  if (failed) console.log(out);
  if (flags.keep) console.log(`        kept: ${at.dir}`);
  else fs.rmSync(at.dir, { recursive: true, force: true });
}
if (flags.counts) fs.appendFileSync(flags.counts, `${passed} ${failed}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
