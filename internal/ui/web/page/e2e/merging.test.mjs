// Between git's merge and Pawl's, a number stands for two tasks: the page shows both,
// and of a task that a merge moved which number it had.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { story } from "./helper.mjs";
import { card } from "./look.mjs";

const other = "#17 of the other branch: Retry hooks";

story("another branch's task of the same number is shown beside it", async ({ project, open }) => {
  const beside = { id: 17, subject: "Retry hooks", status: "in_progress", owner: "bob", createdAt: "2026-03-01T10:00:00Z" };
  await project.editFile(17, (text) => text.replace(/\n}\n$/, `,\n  "merging": [${JSON.stringify(beside)}]\n}\n`));
  const page = await open("#/lanes");
  await card(page, 17).getByText(other).waitFor();

  await page.goto(page.url().replace(/#.*/, "#/lanes?task=17"));
  const facts = page.locator(".facts-list");
  await facts.getByText(`${other} (in progress, bob)`).waitFor();
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT });
});

story("a number leads to the task that had it once", async ({ project, open }) => {
  await writeFile(
    join(project.dir, ".tasks", "task_99.json"),
    JSON.stringify({ id: 99, subject: "Retry <b>hooks</b>", was: [17], createdAt: "2026-03-01T10:00:00Z" }),
  );
  const page = await open("#/lanes?task=17");
  const facts = page.locator(".facts-list");
  await facts.getByText("was #17 until it was merged").waitFor();
  if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT.replace(".png", "-once.png") });
  await facts.getByRole("link", { name: "#99 Retry <b>hooks</b>" }).click();
  await facts.getByText(/^#17 until it was merged$/).waitFor();
  assert.match(page.url(), /task=99/);
});
