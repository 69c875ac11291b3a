// Plays a team: Claude Code on one machine and Codex on another work off the ten
// tasks of one board at an address, with scripted models. One of them is killed with
// a task in its hands, and the server is killed twice. Each machine is a namespace
// with a user, a host name, processes and a home of its own.
//
//	npm install --prefix DIR @anthropic-ai/claude-code @openai/codex
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/team.mjs --pawl DIR/pawl [--bin DIR/node_modules/.bin] [--pair DIR/pair] [--keep]
//
// Without --bin fakeagent.mjs plays both agents, so that nothing has to be installed.
// With --pair (go build -o DIR/pair ./internal/dev/pgtest/pair) two servers work on a
// PostgreSQL primary with a synchronous standby. Then the primary is killed, and one of
// the servers.
//
// It needs Linux with namespaces for users, tmux, openssl, and chromium for the page, but no account and no
// network beyond loopback. It prints a line for each check, and ends with 1 when one
// of them failed. With --keep the folders stay.
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { serve } from "./model.mjs";
import { clients } from "./programs.mjs";
import { screen } from "./screen.mjs";
import { database, folder } from "./servers.mjs";

const { values: flags } = parseArgs({ options: { bin: { type: "string" }, pawl: { type: "string" }, pair: { type: "string" }, counts: { type: "string" }, keep: { type: "boolean", default: false } } });
if (!flags.pawl) {
  console.error("--pawl is missing: see the head of this file");
  process.exit(2);
}
const pawl = path.resolve(flags.pawl);
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "team-")));
const exec = promisify(execFile);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);

let passed = 0, failed = 0;
function check(what, ok, otherwise) {
  if (ok) passed++; else failed++;
  say(`${ok ? "ok    " : "FAILED"} ${what}${ok || otherwise === undefined ? "" : `: ${typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise)}`}`);
}

const base = { PATH: process.env.PATH, TERM: "dumb", NO_COLOR: "1", LANG: "C.UTF-8", TZ: "UTC" };

// A machine is a namespace with a home and a clone.
function machine(host, user) {
  const at = path.join(dir, host), home = path.join(at, "home"), project = path.join(at, "shop"), bin = path.join(at, "bin");
  for (const made of [home, project, bin]) fs.mkdirSync(made, { recursive: true });
  execFileSync("git", ["init", "-q", project]);
  fs.symlinkSync(pawl, path.join(bin, "pawl"));
  const env = { ...base, PATH: bin + path.delimiter + base.PATH, HOME: home, USER: user, XDG_CONFIG_HOME: path.join(home, ".config"), XDG_STATE_HOME: path.join(home, ".local/state") };
  const inside = (...command) => ["--user", "--map-root-user", "--mount", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", `hostname ${host}; exec "$@"`, "sh", ...command];
  const run = async (args, input = "") => {
    const running = exec("unshare", inside("pawl", ...args), { cwd: project, env: { ...env, PAWL_SESSION: "person" } });
    running.child.stdin.end(input);
    return (await running).stdout;
  };
  return { host, home, project, env, inside, run };
}

// answered is what a tool answered last.
function answered(ask) {
  const results = (ask.messages ?? ask.input).flatMap((m) => m.type === "function_call_output" ? [m.output] : (Array.isArray(m.content) ? m.content : []).filter((c) => c.type === "tool_result").map((c) => c.content));
  return results.length ? JSON.stringify(results.at(-1)) : "";
}

// page is what a browser shows of the board on a machine, through the link that pawl
// serve prints there.
const chromium = (process.env.CHROMIUM ?? "chromium-headless-shell,chromium,chromium-browser,google-chrome").split(",").find((name) => {
  try { execFileSync(name, ["--version"], { stdio: "ignore" }); return true; } catch { return false; }
});
async function page(at) {
  const { link } = JSON.parse(await at.run(["serve", "--json"]));
  const args = (last) => ["--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", `--user-data-dir=${path.join(at.home, "browser")}`, "--window-size=1400,900", "--virtual-time-budget=4000", ...last];
  return (await exec(chromium, args(["--dump-dom", link]), { env: at.env, maxBuffer: 1 << 24 })).stdout;
}

// worker is a model that claims a task, works on it, completes it, and goes on until
// nothing is left. What it does next depends on the last answer of a tool. waits are how
// long it waited for each answer, in seconds; told are the answers that were none.
function worker(client, { seconds, over, onClaim = () => {} }) {
  let doing, tries = 0, asked = 0;
  const done = [], waits = [], told = [];
  const next = async (ask) => {
    const last = answered(ask);
    if (/does not answer|cannot do it now|cannot work now/.test(last)) told.push(last);
    const claimed = /(?:Claimed|claimed) #(\d+)/.exec(last);
    if (doing === undefined && claimed && !/nothing/i.test(last)) {
      doing = Number(claimed[1]);
      onClaim(doing);
      await pause(seconds * 1000);
      return [[client.tool("task_update"), { id: doing, status: "completed" }]];
    }
    if (doing !== undefined) {
      if (/does not answer|cannot do it now|cannot work now/.test(last)) { await pause(1000); return [[client.tool("task_update"), { id: doing, status: "completed" }]]; }
      done.push(doing);
      doing = undefined;
    }
    if (tries++ > 150 || await over()) return "All is done.";
    if (tries > 1 && !claimed) await pause(1000); // others are at work, or the server is away
    return [[client.tool("task_claim"), {}]];
  };
  const model = serve(async (ask) => {
    if (asked) waits.push((Date.now() - asked) / 1000);
    const step = await next(ask);
    asked = Date.now();
    return step;
  });
  return { model, done, waits, told };
}

// listen runs `pawl log --follow` on a machine, and collects the revisions that it tells of.
function listen(at) {
  const child = spawn("unshare", at.inside("pawl", "log", "--follow", "--after", "0", "--all", "--json"), { cwd: at.project, env: at.env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const seen = [];
  let complaints = "";
  child.stderr.on("data", (part) => (complaints += part));
  readline.createInterface({ input: child.stdout }).on("line", (line) => seen.push(JSON.parse(line).revision));
  const listener = { seen, complaints: () => complaints, close: () => { try { process.kill(-child.pid, "SIGKILL"); } catch {} } };
  opened.push(listener);
  return listener;
}

async function agent(name, at, worker) {
  const client = clients[name], model = await worker.model;
  for (const [file, text] of Object.entries(client.files)) {
    fs.mkdirSync(path.dirname(path.join(at.home, file)), { recursive: true });
    fs.writeFileSync(path.join(at.home, file), text);
  }
  fs.mkdirSync(path.dirname(path.join(at.home, client.settings)), { recursive: true });
  await at.run(["setup", name, "--user", "--yes"]);
  const program = flags.bin ? path.resolve(flags.bin, name) : fileURLToPath(new URL("fakeagent.mjs", import.meta.url));
  const child = spawn("unshare", at.inside(program, ...client.args("Work off the board.", false, model.url)), {
    cwd: at.project, env: { ...at.env, ...client.env(model.url, at.home), XDG_CACHE_HOME: path.join(os.tmpdir(), "agents-cache") }, stdio: ["ignore", "pipe", "pipe"], detached: true,
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (out += part));
  const ended = new Promise((over) => child.on("exit", (code, signal) => over(code ?? signal)));
  const running = {
    ended, kill: () => process.kill(-child.pid, "SIGKILL"),
    close: () => { fs.writeFileSync(path.join(dir, `${name}.out`), out); fs.writeFileSync(path.join(dir, `${name}.asked.json`), JSON.stringify(model.asked, null, 1)); model.close(); },
  };
  opened.push(running);
  return running;
}

// inOrder reports whether no revision is missing, and none there twice.
const inOrder = (revisions) => revisions.length > 0 && revisions.every((r, i) => r === revisions[0] + i);

const subjects = ["Schema", "Import", "Search", "Prices", "Basket", "Checkout", "Mail", "Admin", "Docs", "Release"];
const opened = [];
const lease = "15s"; // what the dead agent has is looked at before it ends
let server;
try {
  const make = { dir, pawl, env: base, say, pair: flags.pair && path.resolve(flags.pair) };
  server = await (flags.pair ? database(make) : folder(make));
  const ada = machine("desk", "ada"), bob = machine("laptop", "bob");
  await ada.run(["join", server.address, "--cert", "sha256:" + server.print], (await server.token("ada")) + "\n");
  await ada.run(["config", "set", "--user", "lease", lease]);
  await ada.run(["plan", "-"], subjects.map((s, i) => `- [ ] ${s}${i === 9 ? ` (after: ${subjects.slice(0, 9).join(", ")})` : ""}`).join("\n") + "\n");
  const joining = Date.now();
  const secret = await server.token("bob");
  await bob.run(["join", server.address, "--cert", "sha256:" + server.print], secret + "\n");
  const seen = await bob.run(["list"]);
  check("the second machine shares the board after two commands", seen.includes("Schema") && seen.includes("Release"), seen);
  check(`within a minute (${((Date.now() - joining) / 1000).toFixed(1)} s)`, Date.now() - joining < 60_000);
  await bob.run(["config", "set", "--user", "lease", lease]);

  const board = screen({ dir: bob.project, env: { ...bob.env, TERM: "xterm-256color" }, width: 150 });
  opened.push(board);
  board.type("unshare " + bob.inside("pawl", "board").map((w) => `'${w.replaceAll("'", "'\\''")}'`).join(" "));
  board.press("Enter");
  await board.sees("Schema");
  const listeners = [listen(ada), listen(bob)];

  let codex, killed;
  const list = async () => JSON.parse(await ada.run(["list", "--all", "--json"])).tasks;
  const over = async () => { try { return (await list()).every((t) => t.status === "completed"); } catch { return false; } };
  const other = flags.bin ? "codex" : "claude"; // fakeagent.mjs stands in for Claude Code only
  const two = worker(clients[other], { seconds: 2, over, onClaim: (id) => { if (two.done.length === 1 && !killed) { killed = id; setTimeout(() => { say(`bob's agent dies with #${id}`); codex.kill(); }, 500); } } });
  const one = worker(clients.claude, { seconds: 2, over });
  codex = await agent(other, bob, two);
  const claude = await agent("claude", ada, one);
  for (const end = Date.now() + 30_000; one.waits.length < 2 && Date.now() < end; ) await pause(100); // they are at work
  await server.troubles[0]();
  for (const end = Date.now() + 60_000; !killed && Date.now() < end; ) await pause(200);
  await pause(1500);
  const shows = async (what, look) => { // between two tasks ada has none
    let shown = await look();
    const both = () => /\bada\b/.test(shown) && /\bbob\b/.test(shown);
    for (const end = Date.now() + 60_000; !both() && Date.now() < end; shown = await look()) await pause(200);
    check(what, both(), "\n" + shown);
  };
  await shows("agents shows both", () => ada.run(["agents"]));
  await shows("on the other machine, too", () => bob.run(["agents"]));
  await shows("the terminal board shows who works", () => board.shown());
  if (chromium) {
    for (const at of [ada, bob]) {
      const html = await page(at);
      check(`the page on the ${at.host} shows both`, /\bada\b/.test(html) && /\bbob\b/.test(html) && /In progress/.test(html), html.replace(/<[^>]*>/g, " ").slice(0, 500));
    }
  } else say("SKIPPED the page: no chromium here");
  await server.troubles[1]();
  const code = await Promise.race([claude.ended, pause(240_000).then(() => "late")]);
  check("ada's agent ends when all is done", code === 0, code);
  const tasks = await list();
  check("ten tasks are completed", tasks.length === 10 && tasks.every((t) => t.status === "completed"), tasks.map((t) => `${t.id} ${t.status}`));
  const history = JSON.parse(await ada.run(["log", "--all", "--json", "--limit", "1000"])).changes;
  const revisions = history.map((set) => set.revision).reverse(), [first, last] = [revisions[0], revisions.at(-1)];
  check(`the history is whole (${revisions.length} changes)`, inOrder(revisions), revisions);
  const completed = history.filter((set) => set.verb === "complete");
  check("each task was completed once", completed.length === 10, completed.length);
  check("both worked", [...new Set(tasks.map((t) => t.owner))].sort().join() === "ada,bob" || completed.some((s) => s.by?.name === "bob"), tasks.map((t) => t.owner));
  check("the task of the agent that died was taken over", one.done.includes(killed), { killed, ada: one.done, bob: two.done });
  for (const end = Date.now() + 20_000; Date.now() < end && listeners.some((l) => l.seen.at(-1) !== last); ) await pause(100);
  listeners.forEach((l, i) => check(`who looked on at the ${["desk", "laptop"][i]} saw each change once`, inOrder(l.seen) && l.seen[0] === first && l.seen.at(-1) === last, { seen: l.seen, complaints: l.complaints() }));
  await board.sees(/10 done|Done 10|10\s+done/i, 20).catch((e) => check("the terminal board ends with ten done", false, e.message));
  const doctor = await server.doctor();
  check("doctor finds no problem", /no problems?/i.test(doctor), doctor);
  const longest = Math.max(...one.waits, ...two.waits);
  check(`no agent waited long for an answer (${longest.toFixed(1)} s), or was told to try again`, longest < 30 && one.told.length + two.told.length === 0, [one.told, two.told]);
} catch (e) {
  check("nothing else goes wrong", false, e.stderr || e.stack);
} finally {
  for (const one of opened) one.close();
  await server?.end();
  if (flags.counts) fs.appendFileSync(flags.counts, `${passed} ${failed}\n`);
  if (flags.keep || failed) say(`the folders are in ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
