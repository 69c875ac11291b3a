// The todo lists of sessions, live.
import { becomes, story } from "./helper.mjs";

const row = (page, text) => page.locator(".row").filter({ hasText: text });

story("the todos of a session are shown, and follow it", async ({ project, open }) => {
  const page = await open("#/todos");
  await page.getByText("No agent has a todo list here yet").waitFor();
  const todo = (...args) => project.pawl("todo", ...args, "--session", "session-one", "--as", "claude");
  await todo("add", "Write the tests");
  await todo("add", "Run them");
  await todo("start", "1");
  await row(page, "Write the tests").getByText("in progress").waitFor({ state: "attached" });
  await row(page, "Run them").waitFor();
  await todo("done", "1");
  await row(page, "Write the tests").getByText("completed").waitFor({ state: "attached" });
  await todo("add", "Look at <b>the log</b>");
  await row(page, "Look at <b>the log</b>").waitFor();
  await becomes(() => page.locator(".row").count(), 3, "rows");
});

story("an agent's hook writes a list, and the page shows what it does", async ({ project, open }) => {
  const page = await open("#/todos");
  let calls = 0;
  const call = async (tool, input) => {
    const told = { session_id: "live-1", cwd: project.dir, tool_name: tool, tool_input: input, tool_use_id: `t${++calls}` };
    for (const more of [{ hook_event_name: "PreToolUse" }, { hook_event_name: "PostToolUse", tool_response: {} }]) await project.feed(JSON.stringify({ ...told, ...more }), "hook", "--agent", "claude");
  };
  await call("TodoWrite", { todos: [{ content: "Find the bug", status: "in_progress", activeForm: "Finding the bug" }, { content: "Mend it", status: "pending", activeForm: "Mending it" }] });
  await row(page, "Find the bug").waitFor();
  await call("Bash", { command: "go test ./..." });
  await row(page, "go test ./...").waitFor();
});
