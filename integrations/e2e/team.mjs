// Plays a team: Claude Code on one machine and Codex on another work off the ten
// tasks of one board at an address, with scripted models. One of them is killed with
// a task in its hands, and the server is killed twice. Each machine is a namespace
// with a user, a host name, processes and a home of its own.
//
//	npm install --prefix DIR @anthropic-ai/claude-code @openai/codex
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/team.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl [--keep]
//
// It needs Linux with namespaces for users, tmux, openssl, and chromium for the page, but no account and no
// network beyond loopback. It prints a line for each check, and ends with 1 when one
// of them failed. With --keep the folders stay.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { clients } from "./programs.mjs";
import { screen } from "./screen.mjs";

const { values: flags } = parseArgs({ options: { bin: { type: "string" }, pawl: { type: "string" }, keep: { type: "boolean", default: false } } });
if (!flags.bin || !flags.pawl) {
  console.error("--bin and --pawl are missing: see the head of this file");
  process.exit(2);
}
const pawl = path.resolve(flags.pawl);
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "team-")));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const began = Date.now();
const say = (text) => console.log(`${((Date.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);

let failed = 0;
function check(what, ok, otherwise) {
  if (!ok) failed++;
  say(`${ok ? "ok    " : "FAILED"} ${what}${ok || otherwise === undefined ? "" : `: ${typeof otherwise === "string" ? otherwise : JSON.stringify(otherwise)}`}`);
}

// A server of boards over TLS, which can be killed and started again at its port.
const boards = path.join(dir, "server", "boards");
fs.mkdirSync(boards, { recursive: true });
const base = { PATH: process.env.PATH, TERM: "dumb", NO_COLOR: "1", LANG: "C.UTF-8", TZ: "UTC" };
const atServer = { cwd: boards, env: { ...base, HOME: path.join(dir, "server") }, encoding: "utf8" };
const [cert, key] = ["cert.pem", "key.pem"].map((name) => path.join(dir, "server", name));
execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
  "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
const print = execFileSync("openssl", ["x509", "-in", cert, "-noout", "-fingerprint", "-sha256"], { encoding: "utf8" }).split("=")[1].trim().replaceAll(":", "").toLowerCase();
const port = await new Promise((found) => {
  const probe = net.createServer().listen(0, "127.0.0.1", () => { const { port } = probe.address(); probe.close(() => found(port)); });
});
const address = `https://localhost:${port}/boards/shop`;
let server;
function start() {
  server = spawn(pawl, ["serve", "--boards", boards, "--addr", `127.0.0.1:${port}`, "--tls-cert", cert, "--tls-key", key], { ...atServer, stdio: ["ignore", "pipe", "pipe"] });
  const log = fs.createWriteStream(path.join(dir, "server.log"), { flags: "a" });
  server.stdout.pipe(log);
  server.stderr.pipe(log);
  return new Promise((up) => server.stdout.once("data", up));
}
const token = (name) => execFileSync(pawl, ["serve", "token", "create", name, "--boards", boards, "--board", "shop"], { ...atServer, stdio: ["ignore", "pipe", "ignore"] }).trim();

// A machine is a namespace with a home and a clone.
function machine(host, user) {
  const at = path.join(dir, host), home = path.join(at, "home"), project = path.join(at, "shop"), bin = path.join(at, "bin");
  for (const made of [home, project, bin]) fs.mkdirSync(made, { recursive: true });
  execFileSync("git", ["init", "-q", project]);
  fs.symlinkSync(pawl, path.join(bin, "pawl"));
  const env = { ...base, PATH: bin + path.delimiter + base.PATH, HOME: home, USER: user, XDG_CONFIG_HOME: path.join(home, ".config"), XDG_STATE_HOME: path.join(home, ".local/state") };
  const inside = (...command) => ["--user", "--map-root-user", "--mount", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", `hostname ${host}; exec "$@"`, "sh", ...command];
  const run = (args, input) => execFileSync("unshare", inside("pawl", ...args), { cwd: project, env: { ...env, PAWL_SESSION: "person" }, encoding: "utf8", input, stdio: ["pipe", "pipe", "pipe"] });
  return { host, home, project, env, inside, run };
}

// answered is what a tool answered last.
function answered(ask) {
  const results = (ask.messages ?? ask.input).flatMap((m) => m.type === "function_call_output" ? [m.output] : (Array.isArray(m.content) ? m.content : []).filter((c) => c.type === "tool_result").map((c) => c.content));
  return results.length ? JSON.stringify(results.at(-1)) : "";
}

// page is what a browser shows of the board on a machine, through the link that pawl
// serve prints there.
const chromium = (process.env.CHROMIUM ?? "chromium,chromium-browser,google-chrome").split(",").find((name) => {
  try { execFileSync(name, ["--version"], { stdio: "ignore" }); return true; } catch { return false; }
});
function page(at) {
  const { link } = JSON.parse(at.run(["serve", "--json"]));
  const args = (last) => ["--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", `--user-data-dir=${path.join(at.home, "browser")}`, "--window-size=1400,900", "--virtual-time-budget=4000", ...last];
  return execFileSync(chromium, args(["--dump-dom", link]), { encoding: "utf8", env: at.env, stdio: ["ignore", "pipe", "ignore"] });
}

// worker is a model that claims a task, works on it, completes it, and goes on until
// nothing is left. What it does next depends on the last answer of a tool.
function worker(client, { seconds, over, onClaim = () => {} }) {
  let doing, tries = 0, done = [];
  const model = serve(async (ask) => {
    const last = answered(ask);
    const claimed = /(?:Claimed|claimed) #(\d+)/.exec(last);
    if (doing === undefined && claimed && !/nothing/i.test(last)) {
      doing = Number(claimed[1]);
      onClaim(doing);
      await pause(seconds * 1000);
      return [[client.tool("task_update"), { id: doing, status: "completed" }]];
    }
    if (doing !== undefined) {
      if (/does not answer|cannot do it now/.test(last)) { await pause(1000); return [[client.tool("task_update"), { id: doing, status: "completed" }]]; }
      done.push(doing);
      doing = undefined;
    }
    if (tries++ > 150 || over()) return "All is done.";
    if (tries > 1 && !claimed) await pause(1000); // others are at work, or the server is away
    return [[client.tool("task_claim"), {}]];
  });
  return { model, done };
}

async function agent(name, at, worker) {
  const client = clients[name], model = await worker.model;
  for (const [file, text] of Object.entries(client.files)) {
    fs.mkdirSync(path.dirname(path.join(at.home, file)), { recursive: true });
    fs.writeFileSync(path.join(at.home, file), text);
  }
  fs.mkdirSync(path.dirname(path.join(at.home, client.settings)), { recursive: true });
  at.run(["setup", name, "--user", "--yes"]);
  const child = spawn("unshare", at.inside(path.resolve(flags.bin, name), ...client.args("Work off the board.", false, model.url)), {
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

const subjects = ["Schema", "Import", "Search", "Prices", "Basket", "Checkout", "Mail", "Admin", "Docs", "Release"];
const opened = [];
try {
  await start();
  const ada = machine("desk", "ada"), bob = machine("laptop", "bob");
  ada.run(["join", address, "--cert", "sha256:" + print], token("ada") + "\n");
  ada.run(["config", "set", "--user", "lease", "15s"]);
  ada.run(["plan", "-"], subjects.map((s, i) => `- [ ] ${s}${i === 9 ? ` (after: ${subjects.slice(0, 9).join(", ")})` : ""}`).join("\n") + "\n");
  const joining = Date.now();
  const secret = token("bob");
  bob.run(["join", address, "--cert", "sha256:" + print], secret + "\n");
  const seen = bob.run(["list"]);
  check("the second machine shares the board after two commands", seen.includes("Schema") && seen.includes("Release"), seen);
  check(`within a minute (${((Date.now() - joining) / 1000).toFixed(1)} s)`, Date.now() - joining < 60_000);
  bob.run(["config", "set", "--user", "lease", "15s"]);

  const board = screen({ dir: bob.project, env: { ...bob.env, TERM: "xterm-256color" }, width: 150 });
  opened.push(board);
  board.type("unshare " + bob.inside("pawl", "board").map((w) => `'${w.replaceAll("'", "'\\''")}'`).join(" "));
  board.press("Enter");
  await board.sees("Schema");

  let codex, killed, held;
  const list = () => JSON.parse(ada.run(["list", "--all", "--json"])).tasks;
  const over = () => { try { return list().every((t) => t.status === "completed"); } catch { return false; } };
  const two = worker(clients.codex, { seconds: 2, over, onClaim: (id) => { if (two.done.length === 1 && !killed) { killed = id; setTimeout(() => { say(`bob's agent dies with #${id}`); codex.kill(); }, 500); } } });
  const one = worker(clients.claude, { seconds: 2, over });
  codex = await agent("codex", bob, two);
  const claude = await agent("claude", ada, one);
  const kill = async (n) => { server.kill("SIGKILL"); say(`the server is killed (${n})`); await pause(2500); await start(); say("the server is back"); };
  await pause(5000);
  await kill(1);
  for (const end = Date.now() + 60_000; !killed && Date.now() < end; ) await pause(200);
  await pause(1500);
  held = ada.run(["agents"]);
  check("agents shows both, on the other machine too", /ada|claude/.test(held) && /bob on laptop/.test(held), held);
  const there = bob.run(["agents"]);
  check("and there", /ada/.test(there) && /bob/.test(there), there);
  const shown = board.shown();
  check("the terminal board shows who works", /ada/.test(shown) && /bob/.test(shown), "\n" + shown);
  if (chromium) {
    for (const at of [ada, bob]) {
      const html = page(at);
      check(`the page on the ${at.host} shows both`, /\bada\b/.test(html) && /\bbob\b/.test(html) && /In progress/.test(html), html.replace(/<[^>]*>/g, " ").slice(0, 500));
    }
  } else say("SKIPPED the page: no chromium here");
  await kill(2);
  const code = await Promise.race([claude.ended, pause(240_000).then(() => "late")]);
  check("Claude Code ends when all is done", code === 0, code);
  const tasks = list();
  check("ten tasks are completed", tasks.length === 10 && tasks.every((t) => t.status === "completed"), tasks.map((t) => `${t.id} ${t.status}`));
  const completed = JSON.parse(ada.run(["log", "--json", "--limit", "1000"])).changes.filter((s) => s.verb === "complete" || s.changes?.some((c) => c.after?.status === "completed" && c.before));
  check("each of them once", completed.length === 10, completed.length);
  check("both worked", [...new Set(tasks.map((t) => t.owner))].sort().join() === "ada,bob" || completed.some((s) => s.by?.name === "bob"), tasks.map((t) => t.owner));
  check("the task of the agent that died was taken over", one.done.includes(killed), { killed, ada: one.done, bob: two.done });
  await board.sees(/10 done|Done 10|10\s+done/i, 20).catch((e) => check("the terminal board ends with ten done", false, e.message));
} catch (e) {
  check("nothing else goes wrong", false, e.stderr || e.stack);
} finally {
  for (const one of opened) one.close();
  server?.kill("SIGTERM");
  if (flags.keep || failed) say(`the folders are in ${dir}`);
  else fs.rmSync(dir, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
