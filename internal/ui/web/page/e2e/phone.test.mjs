// A phone: narrow, and touched.
import assert from "node:assert/strict";
import { becomes, phone, story, until } from "./helper.mjs";
import { card, detail, dialog, laneOf, nodeState, notices } from "./look.mjs";

const how = { viewport: phone, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

// The page itself never scrolls sideways.
async function fits(page, where) {
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, visualViewport.scale]);
  assert.ok(widths[0] <= phone.width && widths[1] <= phone.width, `${where}: ${widths[0]} pixels wide of ${phone.width}, the window ${widths[1]}`);
}

story("on a phone all views, dialogs and actions are in reach, without scrolling sideways", { always: true }, async ({ project, open }) => {
  await project.pawl("todo", "add", "Write the tests of the thing that has a rather long name", "--session", "s-1");
  const page = await open("", how);
  await card(page, 17).waitFor();
  await fits(page, "lanes");
  for (const view of ["Graph", "Todos", "Timeline", "Lanes"]) {
    await page.getByRole("link", { name: view, exact: true }).tap();
    await until(page, (v) => location.hash.startsWith(`#/${v.toLowerCase()}`), view);
    await page.locator({ Graph: "[data-node]", Todos: ".row", Timeline: "[data-revision]", Lanes: "[data-card]:visible" }[view]).first().waitFor();
    await fits(page, view);
  }
  // The lanes are tabs; a tap opens a card, as a page of its own.
  for (const name of ["Blocked", "In progress", "Done", "Ready"]) {
    await page.getByRole("group", { name: "Lane" }).getByRole("button", { name }).tap();
    await fits(page, name);
  }
  await card(page, 17).tap();
  await detail(page).getByRole("button", { name: "Complete" }).waitFor();
  await fits(page, "details");
  await detail(page).getByRole("button", { name: "Complete" }).tap();
  await becomes(() => project.state(17), "completed", "#17");
  for (const [button, title] of [["Edit", "Edit"], ["Note", "Note on"], ["Link", "Link"], ["Delete", "Delete"]]) {
    await detail(page).getByRole("button", { name: button, exact: true }).tap();
    await dialog(page).getByText(title).first().waitFor();
    await fits(page, button);
    await dialog(page).getByRole("button", { name: "Close" }).tap();
    await dialog(page).waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Close the details" }).tap();
  await page.getByRole("button", { name: "Add", exact: true }).tap();
  await dialog(page).getByLabel("Subject").fill("From the phone");
  await fits(page, "add");
  await dialog(page).getByRole("button", { name: "Add", exact: true }).tap();
  await becomes(() => laneOf(page, 40), "ready", "#40");
  await page.getByRole("banner").getByRole("button", { name: "Search" }).tap();
  await dialog(page).waitFor();
  await fits(page, "search");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("banner").getByRole("button", { name: /^Filter/ }).tap();
  await page.getByRole("searchbox", { name: "Text" }).waitFor();
  await fits(page, "filter");
});

story("on a phone a tap completes in the graph", async ({ project, open }) => {
  const page = await open("#/graph/17", how);
  await page.locator("#node-17").waitFor();
  await until(page, () => [...document.querySelectorAll(".graph-tools button")].every((b) => b.getBoundingClientRect().right <= innerWidth));
  await page.locator("#node-17").tap();
  await detail(page).getByRole("button", { name: "Complete" }).tap();
  await becomes(() => project.state(18), "ready", "#18");
  await page.getByRole("button", { name: "Close the details" }).tap();
  await becomes(() => nodeState(page, 18), "ready", "#18 in the graph");
  await fits(page, "graph");
});
