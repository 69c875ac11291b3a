// A run of agents: seen above the lanes, on cards and in the opened task, and steered.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { becomes, story } from "./helper.mjs";
import { card, detail, dialog, laneOf, notices } from "./look.mjs";

const execute = promisify(execFile);

// The agent: #2 goes on for as long as it is let, the others write a file and commit it.
const agent = `#!/bin/sh
cat >/dev/null
echo "looking at #$PAWL_TASK <b>closely</b>"
[ "$PAWL_TASK" != 2 ] || exec sleep 120
echo "<b>made</b>" >"op$PAWL_TASK.txt"
git add -A && git commit -qm "make op$PAWL_TASK"
`;

const board = async (project) => {
  const git = (...args) => execute("git", args, { cwd: project.dir, env: project.env });
  const script = async (path, text) => {
    await writeFile(path, text);
    await chmod(path, 0o755);
    return path;
  };
  const program = await script(join(project.home, "agent"), agent);
  await script(join(project.dir, "bad.sh"), "#!/bin/sh\necho '<b>broken</b> at line 3'; exit 1\n");
  await git("config", "--global", "user.name", "Grace");
  await git("config", "--global", "user.email", "grace@example.org");
  await git("add", "-A");
  await git("commit", "-qm", "start");
  await project.pawl("add", "Make the first", "--check", "test -f op1.txt");
  await project.pawl("add", "Take for ever");
  await project.pawl("add", "Fail", "--check", "bad: ./bad.sh");
  await project.person("trust", "checks", "--yes");
  const set = (name, value) => project.person("config", "set", name, value, "--user");
  await set("run.agents", JSON.stringify({ mine: { command: [program], prompt: "stdin" } }));
  await set("run.agent", "mine");
  await set("run.attempts", "1");
  await set("run.slots", "3");
};

story("a run is seen, and a person approves, sends back and stops by clicks", { always: true, board }, async ({ project, open }) => {
  const page = await open("#/lanes");
  const strip = page.getByRole("region", { name: "Run of agents" });
  assert.equal(await strip.count(), 0, "where no run ever was, nothing of one is shown");
  const run = spawn(project.pawlFile, ["run", "--yes"], { cwd: project.dir, env: project.env, stdio: "ignore" });
  const ended = new Promise((resolve) => run.on("exit", resolve));
  try {
    await strip.getByText("Run of mine into").waitFor();
    await strip.getByText(/attempt 1 of 1, waiting for approval.*1 file \+1 -0/).waitFor();
    await strip.getByText(/attempt 1 of 1, working/).waitFor();
    await card(page, 2).getByText(/attempt 1 of 1, working/).waitFor();
    await card(page, 3).getByText(/attempt 1 of 1, on hold/).waitFor();
    assert.match(await card(page, 2).getAttribute("aria-label"), /attempt 1 of 1, working/);

    await card(page, 3).click();
    const attempts = detail(page).getByRole("region", { name: "Attempts of pawl run" });
    await attempts.getByRole("region", { name: "The end of what failed in attempt 1" }).getByText("<b>broken</b> at line 3").waitFor();
    await attempts.getByRole("button", { name: "Another attempt at #3" }).waitFor();

    await card(page, 1).click();
    await attempts.getByText("pawl/1-make-the-first").first().waitFor();
    await attempts.getByRole("button", { name: "Show the diff" }).click();
    await attempts.getByRole("region", { name: "Diff of the last attempt" }).getByText("+<b>made</b>").waitFor();
    assert.equal(await page.locator(".attempts b, .run b").count(), 0, "what agents and checks print is text");

    await attempts.getByRole("button", { name: "Send back #1" }).click();
    await dialog(page).getByLabel("Remark").fill("shorter");
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await strip.getByRole("button", { name: "Approve #1" }).click();
    await dialog(page).getByText(/1 file \+1 -0/).waitFor();
    await dialog(page).getByRole("button", { name: "Approve", exact: true }).click();
    await notices(page).getByText("Approved attempt 1 at #1").waitFor();
    await becomes(() => laneOf(page, 1), "completed", "lane of #1");

    await strip.getByRole("button", { name: "Stop the agent of #2" }).click();
    await dialog(page).getByRole("button", { name: "Stop", exact: true }).click();
    await becomes(() => laneOf(page, 2), "blocked", "lane of #2");
    await card(page, 2).getByText(/attempt 1 of 1, on hold/).waitFor();
    await ended;
    await strip.waitFor({ state: "detached" }); // nothing of it waits for a person who could do it there
  } finally {
    run.kill("SIGKILL");
  }
});
