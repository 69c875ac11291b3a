// Tasks that are added and edited, in Markdown.
import assert from "node:assert/strict";
import { becomes, story } from "./helper.mjs";
import { card, detail, dialog, laneOf, notices } from "./look.mjs";

const markdown = `## Plan

- [x] look at #17
- [ ] **write** it, as [said](https://example.com/plan)

\`\`\`go
func main() {}
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

<b>not bold</b>`;

story("a task is added with Markdown, which is shown as elements", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const d = dialog(page);
  await d.getByLabel("Subject").fill("Write the docs");
  await d.getByLabel("Description").fill(markdown);
  await d.getByRole("button", { name: "Preview" }).click();
  await d.locator(".preview").getByRole("heading", { name: "Plan" }).waitFor();
  await d.getByLabel("Blocked by").fill("17");
  await d.getByRole("option", { name: "#17" }).first().waitFor();
  await page.keyboard.press("Enter");
  await d.getByLabel("Labels").fill("docs, help");
  await d.getByRole("button", { name: "Add", exact: true }).click();
  await d.waitFor({ state: "detached" });
  await becomes(() => laneOf(page, 40), "blocked", "#40");
  const t = await project.file(40);
  assert.deepEqual([t.subject, t.description, t.blockedBy, t.labels], ["Write the docs", markdown, [17], ["docs", "help"]]);

  await page.locator("[data-settling]").first().waitFor({ state: "detached" }); // what has just come takes no press
  await card(page, 40).locator(".subject").click();
  const body = detail(page);
  await body.getByRole("heading", { name: "Plan" }).waitFor();
  assert.equal(await body.locator("table td").count(), 2);
  assert.equal(await body.locator("pre code").innerText(), "func main() {}");
  assert.equal(await body.locator(".md b, .md strong").innerText(), "write");
  await body.getByText("<b>not bold</b>").waitFor();
  const link = body.getByRole("link", { name: "said" });
  assert.deepEqual([await link.getAttribute("href"), (await link.getAttribute("rel")).includes("noopener")], ["https://example.com/plan", true]);
  await body.getByRole("link", { name: "#17" }).first().click();
  await page.waitForFunction(() => location.hash.includes("task=17"));
});

story("an edit sends what was changed, and keeps what it does not know", async ({ project, open }) => {
  const was = await project.file(17);
  const page = await open("#/lanes");
  await card(page, 17).click();
  await detail(page).getByRole("button", { name: "Edit", exact: true }).click();
  await dialog(page).getByLabel("Subject").fill("Load all repositories");
  await page.keyboard.press("Enter");
  await card(page, 17).getByText("Load all repositories").waitFor();
  const is = await project.file(17);
  assert.deepEqual({ ...is, updatedAt: 0 }, { ...was, subject: "Load all repositories", updatedAt: 0 });
  await notices(page).getByRole("button", { name: "Undo" }).click();
  await card(page, 17).getByText(was.subject).waitFor();
});

story("an edit does not silently overwrite what somebody else changed meanwhile", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 17).click();
  await detail(page).getByRole("button", { name: "Edit", exact: true }).click();
  const d = dialog(page);
  await d.getByLabel("Subject").fill("Mine");
  await project.pawl("update", "17", "--subject", "Theirs", "--as", "ada");
  await d.getByText("ada changed the subject meanwhile").waitFor();
  await d.getByRole("blockquote").getByText("Theirs").waitFor();
  await d.getByLabel("Subject").press("Enter");
  await d.getByLabel("Subject").press("Control+Enter");
  assert.equal((await project.file(17)).subject, "Theirs", "Enter insists");
  await d.getByRole("button", { name: "Take theirs" }).click();
  await d.getByRole("button", { name: "Save" }).click();
  await d.waitFor({ state: "detached" });
  assert.equal((await project.file(17)).subject, "Theirs");
});

story("what is wrong with a field is said at the field", { allowed: [400] }, async ({ open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await page.keyboard.press("a");
  const d = dialog(page);
  await d.getByLabel("Subject").fill(" ");
  await d.getByRole("button", { name: "Add", exact: true }).click();
  await d.locator(".fault").waitFor();
  assert.equal(await d.getByLabel("Subject").getAttribute("aria-invalid"), "true");
});

story("a link in the dialog that would close a cycle is refused with its path", { allowed: [400, 409] }, async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/lanes?task=7");
  await detail(page).getByRole("button", { name: "Link", exact: true }).click();
  const d = dialog(page);
  await d.getByRole("combobox").fill("9");
  await d.getByRole("option", { name: "#9" }).click();
  await d.getByText("#9 → #7 → #8 → #9").waitFor();
  for (const id of ["#7", "#8", "#9"]) await d.getByRole("alert").getByRole("link", { name: id }).first().waitFor();
  assert.equal(await project.revision(), before);
});

story("a task is deleted after a question that names who loses an edge, and an undo brings it back", { allowed: [404] }, async ({ open }) => {
  const page = await open("#/lanes?task=17");
  await detail(page).getByRole("button", { name: "Delete", exact: true }).click();
  const d = dialog(page);
  await d.getByText("#18").waitFor();
  await d.getByRole("button", { name: "Delete", exact: true }).click();
  await becomes(() => card(page, 17).count(), 0, "cards of #17");
  await becomes(() => laneOf(page, 18), "ready", "#18");
  await notices(page).getByRole("button", { name: "Undo" }).click();
  await becomes(() => laneOf(page, 18), "blocked", "#18");
});

story("a number in an imported text is another tracker's, and one that is written here a task", { board: async (project) => {
  const issue = { id: "x-1", title: "One", description: "As #1 says", status: "open", comments: [{ id: 1, author: "ada", text: "Or #1", created_at: "2025-01-01T00:00:00Z" }], source_repo: "." };
  await project.feed(JSON.stringify(issue) + "\n", "import", "--from", "beads", "-");
  await project.pawl("note", "1", "Here it is #1");
} }, async ({ open }) => {
  const page = await open("#/lanes?task=1");
  await detail(page).getByText("As #1 says").waitFor();
  await detail(page).getByText("Or #1").waitFor();
  await becomes(() => detail(page).locator(".md a.task-ref").count(), 1, "links");
});
