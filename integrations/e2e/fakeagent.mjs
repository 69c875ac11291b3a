#!/usr/bin/env node
// Stands in for Claude Code where that is not installed: a loop of a model and tools,
// with the hooks and the server of tools that `pawl setup claude` has put into the home's
// settings. team.mjs starts it in place of the real programs.
//
//	fakeagent.mjs -p PROMPT …
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

const read = (file) => JSON.parse(fs.readFileSync(path.join(process.env.HOME, file), "utf8"));
const { hooks } = read(".claude/settings.json");
const { command, args } = read(".claude.json").mcpServers.pawl;
const prompt = process.argv[process.argv.indexOf("-p") + 1];
const about = { session_id: randomUUID(), cwd: process.cwd(), transcript_path: path.join(process.env.HOME, "transcript.jsonl"), permission_mode: "default" };

// hook fires an event, and returns what the hook said to the model.
function hook(event, more) {
  for (const one of (hooks[event] ?? []).flatMap((group) => group.hooks)) {
    const out = execFileSync("sh", ["-c", one.command], { input: JSON.stringify({ ...about, hook_event_name: event, ...more }), encoding: "utf8", timeout: one.timeout * 1000 });
    console.log(JSON.stringify({ event, out }));
  }
}

// The server of tools, and calls of it that wait for an answer.
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let calls = 0;
readline.createInterface({ input: server.stdout }).on("line", (line) => {
  const { id, result, error } = JSON.parse(line);
  waiting.get(id)?.(error ? { isError: true, content: [{ type: "text", text: error.message }] } : result);
  waiting.delete(id);
});
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
const call = (method, params) => new Promise((answer) => {
  waiting.set(++calls, answer);
  send({ id: calls, method, params });
});

hook("SessionStart", { source: "startup" });
await call("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "claude-code", version: "2.1.0" } });
send({ method: "notifications/initialized" });
const { tools } = await call("tools/list", {});
hook("UserPromptSubmit", { prompt });
const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }];
for (;;) {
  const asked = await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body: JSON.stringify({ model: "mock", messages, tools }) });
  const { content } = await asked.json();
  messages.push({ role: "assistant", content });
  const uses = content.filter((block) => block.type === "tool_use");
  if (!uses.length) break;
  const results = [];
  for (const { id, name, input } of uses) {
    const tool = { tool_name: name, tool_input: input, tool_use_id: id };
    hook("PreToolUse", tool);
    const result = await call("tools/call", { name: name.replace("mcp__pawl__", ""), arguments: input, _meta: { "claudecode/toolUseId": id } });
    hook("PostToolUse", { ...tool, tool_response: result.content });
    results.push({ type: "tool_result", tool_use_id: id, content: result.content, is_error: result.isError });
  }
  messages.push({ role: "user", content: results });
}
hook("Stop", { stop_hook_active: false });
hook("SessionEnd", { reason: "other" });
server.stdin.end();
