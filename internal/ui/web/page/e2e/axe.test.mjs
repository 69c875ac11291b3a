// axe finds nothing, on every page, dialog and state, in both themes, wide and
// narrow.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { desktop, long, phone, story } from "./helper.mjs";
import { fixture } from "./project.mjs";
import { card, detail, dialog, node, openDetail } from "./look.mjs";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// A board with all that can be seen.
async function everything(project) {
  await project.pawl("import", "--from", "beads", fixture);
  await project.pawl("claim", "17", "--as", "ada");
  await project.pawl("update", "17", "--active-form", "Loading repositories");
  await project.pawl("hold", "25", "the budget");
  await project.pawl("update", "17", "--check", "unit: false", "--check", "ok: true", "--accept", "no flicker");
  await project.person("trust", "checks", "--yes");
  await project.pawl("check", "17").catch(() => undefined); // one of them fails
  await project.pawl("update", "1", "--check", "unit: false"); // it is done, and nothing shows that
  await project.pawl("assign", "26", "--to", "bob");
  await project.pawl("add", "A part", "--parent", "14");
  await project.pawl("note", "17", "## A note\n\nwith a [link](https://example.com) and\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [ ] a task\n\n```\ncode\n```", "--as", "ada");
  for (const text of ["Write the tests", "Run them"]) await project.pawl("todo", "add", text, "--session", "s1", "--as", "claude");
  await project.pawl("todo", "start", "1", "--session", "s1", "--as", "claude");
}

for (const [width, viewport] of Object.entries({ desktop, phone }))
  for (const colorScheme of ["light", "dark"])
    // Either width and either theme, or all four.
    if (long || (width === "phone") === (colorScheme === "dark")) story(`axe finds nothing, ${width}, ${colorScheme}`, { always: true, board: everything, allowed: [409, 404] }, async ({ open }) => {
      const page = await open("#/lanes", { viewport, colorScheme });
      const found = [];
      // The themes differ in their colours.
      const rules = JSON.stringify({ resultTypes: ["violations"], ...(colorScheme === "dark" && { runOnly: ["color-contrast"] }) });
      const check = async (where) => {
        // What fades in is looked at when it is there.
        await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished.catch(() => undefined))));
        const { violations } = await page.evaluate(`(window.axe ?? (() => { ${source}; })(), axe.run(document, ${rules}))`);
        for (const v of violations) found.push(`${where}: ${v.id}: ${v.nodes.slice(0, 2).map((n) => `${n.target.join(" ")} (${n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ""})`).join("; ")}`);
      };
      const hash = (h) => page.evaluate((h) => (location.hash = h), h);

      await card(page, 26).waitFor({ state: "attached" });
      await check("lanes");
      if (viewport === phone)
        for (const name of ["Blocked", "In progress", "Done"]) {
          await page.getByRole("group", { name: "Lane" }).getByRole("button", { name }).click();
          await check(name);
        }
      await page.keyboard.press("f");
      await page.getByRole("searchbox", { name: "Text" }).fill("a");
      await check("filter");
      await page.getByRole("button", { name: "Show all" }).click();

      for (const [id, what] of [[17, "in progress"], [18, "blocked"], [25, "held"], [1, "done"], [14, "a parent"]]) {
        await openDetail(page, id);
        await check(`details, ${what}`);
      }
      await openDetail(page, 18);
      await page.keyboard.press("d"); // what is impossible has no button
      await detail(page).locator(".detail-why .refusal").waitFor();
      await check("a refusal");

      for (const name of ["Edit", "Link", "Note", "Assign", "Hold", "Delete"]) {
        await detail(page).getByRole("button", { name, exact: true }).click();
        await dialog(page).waitFor();
        await check(name);
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "detached" });
      }
      await hash("#/lanes");
      await detail(page).waitFor({ state: "detached" });
      for (const key of ["a", "/", "?"]) {
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press(key);
        await dialog(page).waitFor();
        await check(`the dialog of ${key}`);
        await page.keyboard.press("Escape");
        await dialog(page).waitFor({ state: "detached" });
      }

      await hash("#/graph");
      await node(page, 17).waitFor();
      await check("graph");
      await hash("#/graph/17");
      await openDetail(page, 17);
      await check("graph with details");
      await hash("#/graph");
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("w");
      await page.getByRole("region", { name: "What if" }).waitFor();
      await check("what if");
      await page.keyboard.press("w");
      await page.getByRole("button", { name: "Replay" }).click();
      await page.getByRole("slider").waitFor();
      await check("replay");
      await page.getByRole("button", { name: "Back to now" }).click();
      await hash("#/todos");
      await page.locator(".row").first().waitFor();
      await check("todos");
      await hash("#/timeline");
      await page.locator("[data-revision]").first().waitFor();
      await page.locator("[data-revision]").getByRole("button", { name: /^Fields/ }).first().click();
      await check("timeline");
      assert.deepEqual(found, []);
    });

story("axe finds nothing on the page without a token, and on an empty board", { board: "none", allowed: [404] }, async ({ project, open, browser }) => {
  const page = await open("#/lanes");
  await page.getByLabel("First task").waitFor();
  const context = await browser.newContext();
  const alone = await context.newPage();
  await alone.goto(project.address);
  await alone.getByText("pawl serve --open").waitFor();
  for (const p of [page, alone]) {
    const { violations } = await p.evaluate(`(() => { ${source}; })(), axe.run()`);
    assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].target}`), []);
  }
  await context.close();
});
