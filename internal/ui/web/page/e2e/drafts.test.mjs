// What was typed stays until it is sent, however its dialog is left.
import assert from "node:assert/strict";
import { story } from "./helper.mjs";
import { card, detail, dialog, openDetail } from "./look.mjs";

const dialogs = [
  ["Edit", "Subject", "Another name for it"],
  ["Note", "Note", "A remark\nof two lines"],
  ["Hold", "Reason", "the budget"],
  ["Assign", "To", "bob"],
];
const ways = {
  Escape: (page) => page.keyboard.press("Escape"),
  Leave: (page) => dialog(page).getByRole("button", { name: "Leave" }).click(),
  Close: (page) => dialog(page).getByRole("button", { name: "Close" }).click(),
  "Back of the browser": (page) => page.goBack(),
  Reload: (page) => page.reload(),
};

for (const [name, label, text] of dialogs)
  story(`what was typed in ${name} is there again, however it was left`, async ({ project, open }) => {
    const page = await open("#/lanes");
    await card(page, 26).waitFor();
    const before = await project.revision();
    const field = () => dialog(page).getByLabel(label, { exact: true });
    const again = async () => {
      await openDetail(page, 26);
      await page.mouse.move(1, 1); // what comes under a pointer that rests takes no press
      await detail(page).getByRole("button", { name, exact: true }).click();
      await dialog(page).waitFor();
    };
    for (const [way, leave] of Object.entries(ways)) {
      await again();
      await field().fill(`${text}, ${way}`);
      await leave(page);
      await dialog(page).waitFor({ state: "detached" });
      await again();
      assert.equal(await field().inputValue(), `${text}, ${way}`, way);
      await dialog(page).getByText("without sending").waitFor();
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
    }
    assert.equal(await project.revision(), before);

    // Start over throws it away, and so does sending.
    await again();
    await dialog(page).getByRole("button", { name: "Start over" }).click();
    assert.notEqual(await field().inputValue(), `${text}, Reload`);
    await field().fill(text);
    await dialog(page).locator(".box-foot .button").last().click();
    await dialog(page).waitFor({ state: "detached" });
    if (name === "Hold") await project.op({ op: "lift", ids: [26] });
    await again();
    assert.equal(await dialog(page).getByText("without sending").count(), 0);
  });

story("an edit that is gone on with says what others changed in between", async ({ project, open }) => {
  const page = await open("#/lanes");
  await openDetail(page, 26);
  const edit = () => detail(page).getByRole("button", { name: "Edit" }).click();
  await edit();
  await dialog(page).getByLabel("Subject").fill("Mine");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await project.pawl("update", "26", "--subject", "Theirs", "--priority", "high", "--as", "ada");
  await detail(page).getByText("Theirs").first().waitFor();
  await edit();
  await dialog(page).getByText("ada changed the subject").waitFor();
  assert.equal(await dialog(page).getByLabel("Subject").inputValue(), "Mine");
  assert.equal(await dialog(page).getByLabel("Priority").inputValue(), "high");
  await dialog(page).getByRole("button", { name: "Save over it" }).click();
  await dialog(page).waitFor({ state: "detached" });
  assert.equal((await project.file(26)).subject, "Mine");
  assert.equal((await project.json("show", "26")).task.priority, "high");
});

story("a new task keeps all that was said of it", async ({ open }) => {
  const page = await open("#/lanes");
  await card(page, 26).waitFor();
  await page.keyboard.press("a");
  await dialog(page).getByLabel("Subject").fill("Half a task");
  await dialog(page).getByLabel("Labels").fill("one, two");
  await dialog(page).getByLabel("Priority").selectOption("high");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.keyboard.press("a");
  assert.equal(await dialog(page).getByLabel("Subject").inputValue(), "Half a task");
  assert.equal(await dialog(page).getByLabel("Labels").inputValue(), "one, two");
  assert.equal(await dialog(page).getByLabel("Priority").inputValue(), "high");
});
