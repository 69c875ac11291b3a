// Plays sessions of the real Claude Code with Pawl's plugin and a scripted
// model, without a network or an account, and checks what the model was shown.
//
//	npm install --prefix DIR @anthropic-ai/claude-code
//	go build -o DIR/pawl ./cmd/pawl
//	node integrations/e2e/claude.mjs --claude DIR/node_modules/.bin/claude --pawl DIR/pawl [--setup] [--keep] [STORY…]
//
// With --setup it is Pawl as `pawl setup claude` installs it, and not the plugin.
// It prints a line for each check, and ends with 1 when one of them failed.
// With --keep the folders stay: what was asked is in asked.json, what Claude
// Code wrote in stream.jsonl.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serve } from "./model.mjs";
import { stories } from "./stories.mjs";

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { claude: { type: "string", default: "claude" }, pawl: { type: "string" }, setup: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
const prefix = flags.setup ? "mcp__pawl__" : "mcp__plugin_pawl_pawl__";
const plugin = fileURLToPath(new URL("../plugin", import.meta.url));
const maxSeconds = 120; // of one run of Claude Code

// A place is the folders of one story: a home, a project, and Pawl's state.
function place() {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "pawl-e2e-")));
  for (const name of ["home", "project", "state", "bin"]) fs.mkdirSync(path.join(dir, name));
  execFileSync("git", ["init", "-q", path.join(dir, "project")]);
  if (flags.pawl) fs.symlinkSync(path.resolve(flags.pawl), path.join(dir, "bin", "pawl"));
  const env = {
    PATH: path.join(dir, "bin") + path.delimiter + process.env.PATH, HOME: path.join(dir, "home"),
    XDG_STATE_HOME: path.join(dir, "state"), XDG_CONFIG_HOME: path.join(dir, "home", ".config"),
  };
  return { dir, env, project: path.join(dir, "project") };
}

// run plays prompts, one after the other, to one process of Claude Code.
// It returns what the model was asked, what the person was shown, and the
// session.
async function run(at, { prompts, steps, args = [] }) {
  const model = await serve(steps);
  const child = spawn(flags.claude, [
    "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--include-hook-events",
    ...(flags.setup ? [] : ["--plugin-dir", plugin, "--allowedTools", "mcp__plugin_pawl_pawl"]),
    "--allowedTools", "TaskCreate,TaskUpdate,Bash(true)", ...args,
  ], {
    cwd: at.project, stdio: ["pipe", "pipe", "inherit"],
    env: {
      ...at.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_AUTH_TOKEN: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", ENABLE_TOOL_SEARCH: "false",
    },
  });
  const events = [], results = [];
  let said = 0, rest = "";
  const say = () => {
    if (said === prompts.length) return child.stdin.end();
    child.stdin.write(JSON.stringify({ type: "user", message: { role: "user", content: prompts[said++] } }) + "\n");
  };
  child.stdout.on("data", (part) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const event = JSON.parse(line);
      events.push(event);
      if (event.type === "result") {
        results.push(event.result ?? "");
        say();
      }
    }
  });
  say();
  const timer = setTimeout(() => child.kill(), maxSeconds * 1000);
  const code = await new Promise((ended) => child.on("exit", ended));
  clearTimeout(timer);
  model.close();
  fs.writeFileSync(path.join(at.dir, "asked.json"), JSON.stringify(model.asked, null, 1));
  fs.appendFileSync(path.join(at.dir, "stream.jsonl"), events.map((e) => JSON.stringify(e) + "\n").join(""));
  return {
    code, results, left: model.left(), session: events.find((e) => e.session_id)?.session_id,
    sessions: [...new Set(events.map((e) => e.session_id).filter(Boolean))],
    // news is what each request had that the one before did not have.
    news: model.asked.map((ask, i) => news(ask, model.asked[i - 1])),
    shown: events.filter((e) => e.subtype === "hook_response").flatMap((e) => {
      try { return JSON.parse(e.stdout).systemMessage ?? []; } catch { return []; }
    }),
  };
}

function news(ask, before) {
  const old = new Set((before?.messages ?? []).flatMap(texts));
  return ask.messages.flatMap(texts).filter((text) => !old.has(text)).join("\n");
}

function texts({ content }) {
  if (typeof content === "string") return [content];
  return content.flatMap((block) => block.text ?? (block.type === "tool_result" ? texts(block) : []));
}

let failed = 0;
for (const [name, play] of Object.entries(stories)) {
  if (positionals.length && !positionals.includes(name)) continue;
  const at = place();
  console.log(name + (flags.keep ? `  (${at.dir})` : ""));
  const check = (what, holds, found) => {
    console.log(`  ${holds ? "ok  " : "FAIL"}  ${what}${holds ? "" : `\n        ${found}`}`);
    if (!holds) failed++;
  };
  const pawl = (...args) => execFileSync("pawl", args, { cwd: at.project, env: { ...at.env, PAWL_SESSION: "person" }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (flags.setup) pawl("setup", "claude", "--user", "--yes");
  await play({
    tool: (name) => prefix + name,
    run: (what) => run(at, what), pawl, check,
    has: (what, text, ...parts) => check(what, parts.every((p) => text?.includes(p)), `${JSON.stringify(parts)} in ${JSON.stringify(text)}`),
    lacks: (what, text, part) => check(what, !text?.includes(part), `${JSON.stringify(part)} in ${JSON.stringify(text)}`),
  });
  if (!flags.keep) fs.rmSync(at.dir, { recursive: true });
}
process.exit(failed ? 1 : 0);
