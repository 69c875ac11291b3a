// Whether a done is shown: on cards, and in the opened task.
import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { becomes, story } from "./helper.mjs";
import { card, detail, dialog, lane, laneOf } from "./look.mjs";

const board = async (project) => {
  const script = async (name, text) => {
    await writeFile(join(project.dir, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(project.dir, name), 0o755);
  };
  await script("bad.sh", "echo '<b>flicker</b> at 60 Hz'; exit 1");
  await script("good.sh", "echo fine");
  await project.pawl("add", "Fix the flicker", "--check", "unit: ./bad.sh", "--accept", "no flicker at 60 Hz");
  await project.pawl("add", "Say that it is done", "--check", "good: ./good.sh");
  await project.pawl("add", "Draw the graph", "--check", "unit: ./bad.sh", "--check", "good: ./good.sh");
  await project.person("trust", "checks", "--yes");
  for (const id of ["1", "3"]) await project.pawl("check", id).catch((err) => assert.equal(err.code, 8, err.stderr));
  await project.editFile(2, (text) => text.replace('"status": "pending"', '"status": "completed"'));
  await project.editFile(3, (text) => text.replace('"status": "pending"', '"status": "completed"'));
  await project.pawl("claim", "1");
};

story("a false done stands out, and a failing task shows what its check printed", { board }, async ({ open }) => {
  const page = await open("#/lanes");
  await card(page, 2).getByText("done, not shown").waitFor();
  await card(page, 3).getByText("done, but unit failed").waitFor();
  await lane(page, "completed").getByText("✘ 2 not shown").waitFor();
  await card(page, 1).getByText("unit failed").waitFor();
  await card(page, 1).getByText("<b>flicker</b> at 60 Hz").waitFor();
  assert.equal(await card(page, 1).locator("b").count(), 0, "what a check prints is text");
  assert.match(await card(page, 3).getAttribute("aria-label"), /done, but unit failed/);
  assert.match(await card(page, 1).locator(".mark").getAttribute("aria-label"), /unit failed/);
});

story("the opened task has its checks and what they printed, and a criterion is ticked by a click", { board }, async ({ project, open }) => {
  const page = await open("#/lanes?task=1");
  const checks = detail(page).getByRole("region", { name: "Checks", exact: true });
  await checks.getByText("unit: ./bad.sh").waitFor();
  await checks.getByText(/failed.*exit code 1/).waitFor();
  await checks.getByRole("region", { name: "What unit printed" }).getByText("<b>flicker</b> at 60 Hz").waitFor();
  const box = detail(page).getByRole("checkbox", { name: "no flicker at 60 Hz" });
  await box.click();
  await detail(page).getByText("1 of 1 ticked").waitFor();
  assert.equal((await project.file(1)).accept[0].by, "grace");
  await box.click();
  await detail(page).getByText("0 of 1 ticked").waitFor();
});

story("the page runs no check: it says what does", { board, allowed: [409] }, async ({ open }) => {
  const page = await open("#/lanes?task=1");
  await detail(page).getByRole("button", { name: "Complete", exact: true }).click();
  await detail(page).getByText("#1 is not shown to be done: unit failed with exit code 1").or(detail(page).getByText("is not shown to be done: unit failed with exit code 1")).first().waitFor();
  await detail(page).getByText("tick its criteria in its details first").waitFor();
  await detail(page).getByRole("checkbox", { name: "no flicker at 60 Hz" }).click();
  await detail(page).getByText("1 of 1 ticked").waitFor();
  await detail(page).getByRole("button", { name: "Complete", exact: true }).click();
  await detail(page).getByText("pawl done 1").waitFor();
  assert.equal(await laneOf(page, 1), "in_progress");
});

story("checks and criteria are added and removed on the page, and wait for trust", { board, allowed: [400] }, async ({ project, open }) => {
  const page = await open("#/lanes?task=1");
  await detail(page).getByRole("button", { name: "Checks", exact: true }).click();
  const d = dialog(page);
  await d.getByLabel("Add a check").fill("go vet ./... | tee out");
  await page.keyboard.press("Enter");
  await d.getByText("needs a shell for its |").waitFor();
  await d.getByLabel("Add a check").fill("vet: go vet ./...");
  await d.getByLabel("Add a criterion").fill("it scrolls");
  await d.getByRole("button", { name: "Add", exact: true }).click();
  await d.getByText("waits for trust: pawl trust checks").waitFor();
  await d.getByRole("button", { name: "Remove the criterion it scrolls" }).click();
  await d.getByText("it scrolls", { exact: true }).waitFor({ state: "detached" });
  await d.getByRole("button", { name: "Remove the check unit" }).click();
  await becomes(async () => (await project.file(1)).checks.map((c) => c.name).join(), "vet", "checks of #1");
  assert.deepEqual((await project.file(1)).accept.map((c) => c.text ?? c), ["no flicker at 60 Hz"]);
});
