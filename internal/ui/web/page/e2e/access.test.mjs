// Who gets in, and what stays behind of the link.
import assert from "node:assert/strict";
import { becomes, settled, story, until } from "./helper.mjs";
import { card, dialog, laneOf } from "./look.mjs";

story("a link works once, and neither the address nor the history keeps its code", { allowed: [401] }, async ({ project, open, browser }) => {
  const link = await project.link();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await card(page, 17).waitFor();
  const code = link.split("#")[1];
  assert.ok(!page.url().includes(code), page.url());
  const entries = await page.evaluate(() => (window.navigation?.entries() ?? []).map((e) => e.url));
  assert.ok(entries.length > 0 && !entries.join().includes(code), entries.join());
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }) + document.cookie)).includes(project.token));
  await context.close();

  const late = await browser.newContext();
  const again = await late.newPage();
  await again.goto(link);
  await again.getByText("this link was used already").waitFor();
  await again.getByText("pawl serve --open").waitFor();
  assert.equal(await card(again, 17).count(), 0);
  await late.close();
});

story("a page without a token says how to open it", async ({ project, browser }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(project.address);
  await page.getByText("pawl serve --open").waitFor();
  assert.equal(await page.locator("[data-card]").count(), 0);

  // A link that is opened there changes only what is behind the #.
  const link = await project.link();
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await card(page, 17).waitFor();
  assert.ok(!page.url().includes(new URL(link).hash.slice(1)), page.url());
  await context.close();
});

story("a second tab gets the token of the first, and a reload keeps it", async ({ open }) => {
  const first = await open("#/lanes");
  await card(first, 17).waitFor();
  const second = await open("#/lanes", { beside: first });
  await becomes(() => laneOf(second, 17), "ready", "#17 in the second tab");
  await first.reload();
  await settled(first);
  await card(first, 17).waitFor();
});

story("where one is survives a reload, and Back goes back", async ({ open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await page.getByRole("link", { name: "Timeline" }).click();
  await page.getByRole("link", { name: "Graph" }).click();
  await until(page, () => location.hash === "#/graph");
  await page.reload();
  await settled(page);
  await page.locator("#node-17").waitFor();
  await page.keyboard.press("?");
  await dialog(page).waitFor();
  await page.goBack();
  await until(page, () => location.hash === "#/timeline");
  await dialog(page).waitFor({ state: "detached" }); // it belonged to the graph
});
