// The first day: somebody with Claude Code and a tarball installs Pawl, sets it
// up, says one sentence to Claude Code, and sees with `pawl` what it plans. All of
// it on terminals, with the real programs and a scripted model; no documentation
// is read but what stands on the screen.
//
//	node integrations/e2e/newcomer.mjs --bin DIR/node_modules/.bin --pawl DIR/pawl
//	node integrations/e2e/newcomer.mjs --bin DIR/node_modules/.bin --tarball pawl-1.0.0.tgz --tarball pawl-dev-linux-x64-1.0.0.tgz
//
// It prints each step with the time that it took and what the person did, and
// ends with 1 when something is not as it should be. It needs tmux.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { screen } from "./screen.mjs";

const { values: flags } = parseArgs({
  options: { bin: { type: "string" }, pawl: { type: "string" }, tarball: { type: "string", multiple: true }, setup: { type: "string", default: "pawl setup" }, show: { type: "boolean", default: false } },
});
if (!flags.bin || !flags.pawl === !flags.tarball) {
  console.error("--bin, and one of --pawl and --tarball: see the head of this file");
  process.exit(2);
}
const mostSeconds = 5 * 60, mostSteps = 8;

const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "newcomer-")));
const home = path.join(dir, "home"), project = path.join(home, "shop"), bin = path.join(dir, "bin");
for (const name of [path.join(home, ".claude"), project, bin]) fs.mkdirSync(name, { recursive: true });
execFileSync("git", ["init", "-q", project]);
fs.writeFileSync(path.join(project, "README.md"), "# Shop\n");
execFileSync("git", ["-C", project, "add", "."]);
execFileSync("git", ["-C", project, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", "Begin"]);
// Somebody who works with Claude Code already.
fs.writeFileSync(path.join(home, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true, theme: "dark", numStartups: 5 }));

const plan = ["Read the parser", "Write the emitter", "Run the tests"];
const list = (...statuses) => [["mcp__pawl__todo_write", { todos: plan.map((content, i) => ({ content, status: statuses[i] })) }]];
const model = await serve([
  list("in_progress", "pending", "pending"), list("completed", "in_progress", "pending"),
  [["Bash", { command: "sleep 600", description: "Write the emitter" }]], // it is at work when the person looks
]);
fs.symlinkSync(fs.realpathSync(path.join(flags.bin, "claude")), path.join(bin, "claude")); // and no other agent
const env = {
  HOME: home, PATH: [bin, process.env.PATH].join(path.delimiter), USER: "ada",
  ANTHROPIC_BASE_URL: model.url, ANTHROPIC_AUTH_TOKEN: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1",
};

let failed = 0, steps = 0, last = Date.now();
const began = last;
const step = (what) => {
  console.log(`  ${++steps}. ${what}  (${((Date.now() - last) / 1000).toFixed(1)} s)`);
  last = Date.now();
};
const check = (what, holds, found) => {
  console.log(`  ${holds ? "ok  " : "FAIL"}  ${what}${holds ? "" : `\n${found}`}`);
  if (!holds) failed++;
};
const shown = (text) => flags.show && console.log(text.replace(/^/gm, "      | "));

const terminal = screen({ dir: project, env }), other = screen({ dir: project, env });
try {
  await terminal.sees("$");
  if (flags.tarball) {
    const prefix = path.join(dir, "npm");
    terminal.type(`npm install --silent --offline -g --prefix ${prefix} ${flags.tarball.map((t) => path.resolve(t)).join(" ")} && export PATH=${prefix}/bin:$PATH && echo installed=$?`);
    terminal.press("Enter");
    await terminal.sees("installed=0");
    step("npm install -g");
    other.type(`export PATH=${prefix}/bin:$PATH`);
    other.press("Enter");
  } else {
    fs.symlinkSync(path.resolve(flags.pawl), path.join(bin, "pawl"));
    step("the program is on the PATH");
  }
  terminal.type("clear; pawl");
  terminal.press("Enter");
  const first = await terminal.sees(/pawl (setup|add)/);
  shown(first);
  check("pawl says what to do first", first.includes("pawl setup"), first);

  terminal.type("clear; " + flags.setup);
  terminal.press("Enter");
  const asked = await terminal.sees(/\[Y\/n|\[y\/N/);
  shown(asked);
  check("setup has found Claude Code, and asks on one screen", /Claude Code|claude/.test(asked) && asked.split("\n").length < 40, asked);
  terminal.type("y");
  terminal.press("Enter");
  const done = await terminal.sees(/^(Set up (?!.*\?)|Nothing)/m);
  shown(done);
  step("pawl setup, and Y");
  const status = () => execFileSync("git", ["-C", project, "status", "--short"], { encoding: "utf8" });
  check("git status is clean after setup", status() === "", status());

  terminal.type("clear; claude");
  terminal.press("Enter");
  // What Claude Code asks of its own is answered with yes.
  const ready = /\? for shortcuts|shift\+tab|auto mode|Try "/;
  for (let now = ""; ;) {
    now = await terminal.sees([/Enter to confirm/, ready]);
    if (!/Enter to confirm/.test(now)) break;
    shown(now);
    const lines = now.split("\n");
    const chosen = lines.findIndex((l) => /❯/.test(l)), yes = lines.findIndex((l) => /^\W*(\d\. )?(Yes|Use this)/.test(l));
    if (yes < 0) throw new Error("a question without yes:\n" + now);
    for (let i = chosen; i !== yes; i += Math.sign(yes - chosen)) terminal.press(yes > chosen ? "Down" : "Up");
    const title = lines.find((l) => /\w/.test(l)).trim();
    try { // it draws before it listens, and may draw anew
      await terminal.sees({ test: (later) => later.split("\n").findIndex((l) => /❯/.test(l)) === yes }, 3);
      terminal.press("Enter");
      await terminal.sees({ test: (later) => !later.includes(title) || !/Enter to confirm/.test(later) }, 5);
    } catch {
      continue;
    }
    step(`claude asks, and Yes: ${title}`);
  }
  terminal.type("First read the parser, then write the emitter, and at the end run the tests.");
  for (let again = 10; again > 0; again--) { // an Enter that comes too soon is a new line, or nothing
    await new Promise((d) => setTimeout(d, 500));
    terminal.press("Enter");
    if (await terminal.sees(/sleep 600|esc to interrupt/, 5).catch(() => "")) break;
  }
  step("one prompt");
  let seen = "";
  for (const end = Date.now() + 30_000; Date.now() < end && !/1 of 3/.test(seen); await new Promise((d) => setTimeout(d, 500))) {
    other.type("clear; pawl");
    other.press("Enter");
    await new Promise((d) => setTimeout(d, 500));
    seen = other.shown();
  }
  step("pawl");
  shown(seen);
  for (const text of plan) check(`pawl shows "${text}"`, seen.includes(text), seen + "\n" + terminal.shown());
  check("and how far it is", /1 of 3/.test(seen), seen);
  check("git status is clean with an agent at work", status() === "", status());

  const seconds = (last - began) / 1000;
  check(`that was ${steps} steps in ${seconds.toFixed(0)} s, of at most ${mostSteps} in ${mostSeconds} s`, steps <= mostSteps && seconds < mostSeconds, `${steps} steps, ${seconds} s`);
} catch (error) {
  check("all could be played", false, error.message);
} finally {
  terminal.press("Escape");
  await new Promise((d) => setTimeout(d, 500));
  terminal.press("C-c", "C-c");
  await terminal.sees(/\$$/, 15).catch(() => {});
  terminal.close();
  other.close();
  model.close();
  for (let again = 20; again > 0; again--) {
    try {
      fs.rmSync(dir, { recursive: true, force: true });
      break;
    } catch { // Claude Code writes until it has ended
      await new Promise((d) => setTimeout(d, 500));
    }
  }
}
process.exit(failed ? 1 : 0);
