// The six agents' programs that the stories start, and the folders of their own
// in which they do it. Nothing outside a temporary folder is written.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

// A client is how a program is started: with files of its own in the home, an
// environment, and the arguments for a prompt, in the session before or in a new
// one.
export const clients = {
  claude: {
    title: "Claude Code", tool: (name) => `mcp__pawl__${name}`, settings: ".claude/settings.json",
    files: { ".claude/settings.json": '{\n  "includeCoAuthoredBy": false\n}\n' },
    env: (url) => ({
      ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: "none", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1", ENABLE_TOOL_SEARCH: "false",
    }),
    args: (prompt, again) => ["-p", prompt, "--output-format", "stream-json", "--verbose", "--include-hook-events", ...(again ? ["--continue"] : [])],
  },
  codex: {
    title: "Codex", tool: (name) => `mcp__pawl__${name}`, settings: ".codex/hooks.json",
    files: { ".codex/config.toml": "# mine\nmodel_reasoning_effort = \"low\"\n" },
    env: () => ({}),
    // With it in place of those files the program is as one whose user has an account.
    account: (url) => ({
      ".codex/config.toml": `model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`,
    }),
    args: (prompt, again, url) => [
      "exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-c", 'model="mock"', "-c", 'model_provider="mock"',
      "-c", `model_providers.mock={name="mock",base_url="${url}/v1",wire_api="responses"}`, ...(again ? ["resume", "--last"] : []), prompt,
    ],
  },
  gemini: {
    title: "Gemini CLI", tool: (name) => `mcp_pawl_${name}`, settings: ".gemini/settings.json",
    files: { ".gemini/settings.json": '{\n  "security": { "auth": { "selectedType": "gemini-api-key" } }, // mine\n  "general": { "enableAutoUpdate": false }\n}\n' },
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
    forgets: true, // 0.61 overwrites a session that it loads within the minute in which it began
    args: (prompt, again) => ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", ...(again ? ["--resume", "latest"] : []), "-p", prompt],
  },
  qwen: {
    title: "Qwen Code", tool: (name) => `mcp__pawl__${name}`, settings: ".qwen/settings.json",
    files: { ".qwen/settings.json": '{\n  "general": { "enableAutoUpdate": false } // mine\n}\n' },
    env: (url) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: url + "/v1", OPENAI_MODEL: "mock" }),
    args: (prompt, again) => ["--auth-type", "openai", "--approval-mode", "yolo", ...(again ? ["--continue"] : []), "-p", prompt],
  },
  copilot: {
    title: "Copilot CLI", tool: (name) => `pawl-${name}`, settings: ".copilot/hooks/pawl.json",
    files: {},
    env: (url, home) => ({
      COPILOT_PROVIDER_BASE_URL: url + "/v1", COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_API_KEY: "none", COPILOT_MODEL: "mock",
      COPILOT_OFFLINE: "true", COPILOT_ALLOW_ALL: "true", COPILOT_HOME: path.join(home, ".copilot"),
    }),
    args: (prompt, again) => ["-p", prompt, "--allow-all-tools", "--no-color", ...(again ? ["--continue"] : [])],
  },
  opencode: {
    title: "opencode", tool: (name) => `pawl_${name}`, settings: ".config/opencode/opencode.json",
    // It waits for a network until the package for plugins is there.
    files: Object.fromEntries([".config/opencode", "../project/.opencode"].flatMap((dir) => [
      [`${dir}/package.json`, '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}'],
      [`${dir}/node_modules/@opencode-ai/plugin/package.json`, '{"name":"@opencode-ai/plugin","version":"1.18.33"}'],
    ])),
    env: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { mock: { npm: "@ai-sdk/openai-compatible", options: { baseURL: url + "/v1", apiKey: "none" }, models: { mock: { tool_call: true } } } },
        model: "mock/mock", small_model: "mock/mock",
      }),
      OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1",
    }),
    args: (prompt, again) => ["run", ...(again ? ["--continue"] : []), prompt],
    ends: true, // at the first stop
    subagent: (prompt) => ["task", { description: "compare", prompt, subagent_type: "general" }],
  },
};

// A place is a home and a project of their own.
export function place(client, pawl) {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "agents-")));
  for (const name of ["home", "project", "state", "bin"]) fs.mkdirSync(path.join(dir, name));
  execFileSync("git", ["init", "-q", path.join(dir, "project")]);
  const home = path.join(dir, "home");
  for (const [name, text] of Object.entries(client.files)) {
    fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    fs.writeFileSync(path.join(home, name), text);
  }
  fs.mkdirSync(path.dirname(path.join(home, client.settings)), { recursive: true });
  const env = {
    PATH: path.join(dir, "bin") + path.delimiter + process.env.PATH, HOME: home, TERM: "dumb", NO_COLOR: "1",
    XDG_STATE_HOME: path.join(dir, "state"), XDG_CONFIG_HOME: path.join(home, ".config"), XDG_DATA_HOME: path.join(dir, "data"),
    XDG_CACHE_HOME: path.join(os.tmpdir(), "agents-cache"), // which some unpack themselves into
  };
  const at = { dir, env, home, project: path.join(dir, "project"), runs: 0 };
  at.put = () => fs.symlinkSync(path.resolve(pawl), path.join(dir, "bin", "pawl"));
  at.take = () => fs.rmSync(path.join(dir, "bin", "pawl"));
  at.put();
  at.pawl = (...args) => execFileSync(path.resolve(pawl), args, { cwd: at.project, env: { ...env, PAWL_SESSION: "person" }, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  return at;
}
