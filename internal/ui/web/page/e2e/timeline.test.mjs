// What happened, and what is taken back.
import { becomes, story } from "./helper.mjs";
import { card, dialog, notices } from "./look.mjs";

const entries = (page) => page.locator("[data-revision]");

story("undo in the timeline takes a change back, and says what is in the way of one", { allowed: [409] }, async ({ project, open }) => {
  await project.pawl("update", "17", "--subject", "First", "--as", "ada");
  await project.pawl("update", "17", "--subject", "Second", "--as", "bob");
  const page = await open("#/timeline");
  const first = entries(page).filter({ hasText: "ada" }).first();
  await first.getByRole("button", { name: "Undo" }).click();
  await first.getByText("bob").waitFor();
  await entries(page).filter({ hasText: "bob" }).first().getByRole("button", { name: "Undo" }).click();
  await becomes(async () => (await project.file(17)).subject, "First", "the subject of #17");
  await notices(page).getByText("#17").first().waitFor();
});

story("the timeline is live, tells of one task, and unfolds", async ({ project, open }) => {
  const page = await open("#/timeline");
  await entries(page).first().waitFor();
  await project.pawl("done", "17", "--as", "ada");
  await page.getByText("ada completed #17").waitFor();
  await page.getByText("ready now: #18").first().waitFor();
  await project.pawl("note", "26", "Ask first", "--as", "bob");
  await entries(page).filter({ hasText: "#26" }).first().waitFor();
  await page.getByRole("combobox", { name: "Only of" }).fill("17");
  await page.getByRole("option").first().click();
  await becomes(() => entries(page).filter({ hasText: "bob" }).count(), 0, "entries by bob");
  await entries(page).filter({ hasText: "ada completed #17" }).getByRole("button", { name: /^Fields/ }).click();
  await page.locator("pre").getByText("status").first().waitFor();
});

story("times are the reader's everywhere, and in full they have their zone", { allowed: [409] }, async ({ project, open }) => {
  await project.pawl("claim", "17", "--as", "ada", "--lease", "3h");
  const page = await open("#/timeline", { timezoneId: "Asia/Kathmandu" });
  const first = entries(page).first();
  const at = new Date(await first.locator("time").getAttribute("datetime"));
  const there = (more) => new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kathmandu", ...more });
  await becomes(() => first.locator("time").innerText(), there({ hour: "2-digit", minute: "2-digit" }).format(at), "the time");
  await becomes(() => first.locator("time").getAttribute("title"), there({ dateStyle: "medium", timeStyle: "long" }).format(at), "the time in full");
  const until = there({ dateStyle: "medium", timeStyle: "short" }).format(new Date((await project.ask("tasks/17")).task.claim.until));
  await first.getByRole("button", { name: /^Fields/ }).click();
  await first.locator("pre").getByText(`until ${until}`).waitFor();
  await page.evaluate(() => (location.hash = "#/lanes?task=17"));
  await card(page, 17).waitFor();
  await page.keyboard.press("d");
  await notices(page).getByText(`until ${until}`).waitFor();
  for (const title of await page.locator("time").evaluateAll((all) => all.map((t) => t.title))) if (!title.endsWith("GMT+5:45")) throw new Error(`a time without its zone: ${title}`);
});

story("a long history is read page by page", async ({ project, open }) => {
  for (let from = 0; from < 120; from += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => project.op({ op: "note", id: 1 + from / 20, text: `note ${from + i}` })));
  const page = await open("#/timeline");
  await entries(page).first().waitFor();
  await becomes(
    async () => {
      await entries(page).last().scrollIntoViewIfNeeded();
      return (await entries(page).count()) > 120;
    },
    true,
    "all entries",
  );
});

story("to undo a whole import asks first, and can be undone itself", async ({ open }) => {
  const page = await open("#/timeline");
  await entries(page).last().getByRole("button", { name: "Undo" }).click();
  await dialog(page).getByText("It removes 39 tasks").waitFor();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.mouse.move(1, 1); // what comes under a pointer that rests takes no press for a moment
  await entries(page).last().getByRole("button", { name: "Undo" }).click();
  await dialog(page).getByRole("button", { name: "Undo, and remove 39 tasks" }).click();
  await becomes(() => entries(page).count(), 2, "changes");
  await notices(page).getByRole("button", { name: "Undo" }).click();
  await page.evaluate(() => (location.hash = "#/lanes"));
  await card(page, 17).waitFor();
});
