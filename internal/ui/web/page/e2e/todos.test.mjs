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
  await row(page, "go test …").waitFor();
});

// A native list of Claude Code, without any board.
const created = async (project, id, subject) => {
  const told = { session_id: "live-2", cwd: project.dir, tool_name: "TaskCreate", tool_input: { subject, description: "" }, tool_use_id: `c${id}` };
  const answer = { tool_response: { task: { id: String(id), subject } } };
  for (const more of [{ hook_event_name: "PreToolUse" }, { hook_event_name: "PostToolUse", ...answer }]) await project.feed(JSON.stringify({ ...told, ...more }), "hook", "--agent", "claude");
};
const updated = async (project, id, status) => {
  const told = { session_id: "live-2", cwd: project.dir, tool_name: "TaskUpdate", tool_input: { taskId: String(id), status }, tool_use_id: `u${id}${status}` };
  for (const more of [{ hook_event_name: "PreToolUse" }, { hook_event_name: "PostToolUse", tool_response: { success: true } }]) await project.feed(JSON.stringify({ ...told, ...more }), "hook", "--agent", "claude");
};

story("what a session plans is shown where there is no board yet", { board: "none", allowed: [404] }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await page.getByText("There is no board here yet").waitFor();
  await created(project, 1, "Find the bug");
  await created(project, 2, "Mend it");
  const lists = page.getByRole("region", { name: "Todos of sessions" });
  await lists.getByText("Find the bug").waitFor();
  await lists.getByText("Mend it").waitFor();
  await lists.getByText("0 of 2 completed").waitFor();
  await page.getByText("There is no board here yet").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Todos" }).click();
  await row(page, "Mend it").waitFor();

  // What was finished last stays in sight.
  for (const id of [1, 2]) for (const status of ["in_progress", "completed"]) await updated(project, id, status);
  await page.getByRole("region", { name: "Finished last" }).getByText("Mend it").waitFor();
  await page.getByRole("link", { name: "Lanes" }).click();
  await lists.getByText("What was finished last").waitFor();
  await lists.getByText("Find the bug").waitFor();
});

story("and beside the tasks where there is one", async ({ project, open }) => {
  const page = await open("#/lanes");
  const lists = page.getByRole("region", { name: "Todos of sessions" });
  await created(project, 1, "Find the bug");
  await created(project, 2, "Mend it");
  await updated(project, 1, "in_progress");
  await lists.getByText("Find the bug").waitFor();
  await lists.getByText("0/2").waitFor();
  await updated(project, 1, "completed");
  await lists.getByText("Mend it").waitFor();
  await updated(project, 2, "completed");
  await lists.getByText("2/2 finished").waitFor();
  await lists.getByRole("link").click();
  await page.getByRole("region", { name: "Finished last" }).waitFor();
});
