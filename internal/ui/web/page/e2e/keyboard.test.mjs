// Everything without a pointer.
import assert from "node:assert/strict";
import { becomes, story, until } from "./helper.mjs";
import { detail, dialog, focused, lane, laneOf, nodeState, notices } from "./look.mjs";

story("a plan is made and worked on with the keyboard alone", { always: true }, async ({ project, open }) => {
  const page = await open();
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await becomes(() => laneOf(page, 17), "ready", "#17");

  // Add.
  await press("a");
  await dialog(page).waitFor();
  await page.keyboard.type("Write the release notes");
  await press("Enter");
  await becomes(() => laneOf(page, 40), "ready", "#40");
  await dialog(page).waitFor({ state: "detached" });

  // Search goes to it.
  await press("/");
  await dialog(page).waitFor();
  await page.keyboard.type("release notes");
  await dialog(page).getByRole("option", { name: /release notes/ }).waitFor();
  await press("Enter");
  await detail(page).getByText("Write the release notes").first().waitFor();

  // Link: it waits for #17.
  await press("l");
  await dialog(page).waitFor();
  await page.keyboard.type("17");
  await dialog(page).getByRole("option", { name: /^.*#17/ }).first().waitFor();
  await press("Enter");
  await becomes(() => laneOf(page, 40), "blocked", "#40");
  await press("Escape", "Escape"); // out of the list, out of the dialog
  await dialog(page).waitFor({ state: "detached" });
  await press("Escape");
  await detail(page).waitFor({ state: "detached" });

  // Arrows walk the cards, and the focus stays with a card that changes its lane.
  await walkTo(page, 17, ["Home", "ArrowRight", "Home"]);
  await press("c");
  await becomes(() => laneOf(page, 17), "in_progress", "#17");
  await becomes(() => focused(page), "article 17", "the focus");
  await press("Enter");
  await detail(page).getByText("grace").first().waitFor();
  await press("Escape");
  await becomes(() => focused(page), "article 17", "the focus after Escape");
  await press("d");
  await becomes(() => laneOf(page, 40), "ready", "#40");
  await becomes(() => laneOf(page, 18), "ready", "#18");
  await press("u");
  await becomes(() => laneOf(page, 18), "blocked", "#18 after the undo");

  // Move mode: the card is carried over the lanes.
  await walkTo(page, 17, []);
  await press("m", "ArrowRight");
  await lane(page, "completed").getByText("Drop to complete it").waitFor();
  await press("Escape");
  assert.equal(await laneOf(page, 17), "in_progress");

  // The graph.
  await press("G");
  await page.locator("#node-17").waitFor();
  await becomes(() => nodeState(page, 17), "in_progress", "#17 in the graph");
  await press("ArrowRight");
  await until(page, () => ["18", "40"].includes(document.activeElement.dataset.node));
  await press("ArrowLeft", "d");
  await becomes(() => nodeState(page, 18), "ready", "#18 in the graph");
  // A link by the keys of the graph: #26 is to wait for #17.
  await press("l", "2", "6");
  await page.getByText("#26 will depend on #17").waitFor();
  await press("Escape");

  // The timeline.
  await press("t");
  await page.locator("[data-revision]").first().waitFor();
  await press("j");
  await until(page, () => !!document.activeElement.closest("[data-revision]"));
  await press("b");
  await becomes(() => laneOf(page, 18), "ready", "#18 in the lanes");

  // Help tells the keys, and Escape leaves it.
  await press("?");
  await dialog(page).getByText("claim: it is yours").waitFor();
  await press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal((await project.file(17)).status, "completed");
});

story("Tab goes through the whole page and out of it: nothing is a trap", async ({ open }) => {
  const page = await open("#/lanes?task=17");
  await detail(page).getByRole("button", { name: "Edit" }).waitFor();
  for (const view of ["Lanes", "Graph", "Todos", "Timeline"]) {
    await page.getByRole("link", { name: view, exact: true }).click();
    await page.evaluate(() => document.activeElement.blur());
    const seen = await round(page, "Tab");
    for (const wanted of ["header", ".detail", ...(view === "Todos" ? [] : ["main"])]) assert.ok(seen.has(wanted), `${view}: Tab does not come to ${wanted}, only to ${[...seen].join(", ")}`);
    const back = await round(page, "Shift+Tab");
    assert.ok(back.has("header") && back.has(".detail"), `${view}: Shift+Tab comes to ${[...back].join(", ")}`);
  }
});

// round presses a key until the focus has left the page or is where it began,
// and returns the parts of the page that had it.
async function round(page, key) {
  await page.evaluate(() => {
    window.stops = [];
    window.noted ??= document.addEventListener("focusin", (e) => window.stops.push(e.target)) ?? true;
  });
  const seen = new Set();
  for (let i = 0; i < 300; i++) {
    await page.keyboard.press(key);
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (e === document.body || window.stops.indexOf(e) < window.stops.length - 1) return "";
      return ["header", ".detail", "main", "footer", "section"].find((s) => e.closest(s)) ?? e.tagName;
    });
    if (!at) return seen;
    seen.add(at);
  }
  throw new Error(`after 300 times ${key} the focus has not left the page: ${[...seen].join(", ")}`);
}

// walkTo presses keys, and then goes on downwards until the card has the focus.
async function walkTo(page, id, keys) {
  await page.evaluate(() => document.querySelector("[data-card][tabindex='0']").focus());
  for (const key of keys) await page.keyboard.press(key);
  for (let i = 0; i < 60; i++) {
    if ((await focused(page)) === `article ${id}`) return;
    await page.keyboard.press(i === 30 ? "Home" : "ArrowDown");
  }
  throw new Error(`the arrows do not come to #${id}: the focus is on ${await focused(page)}`);
}

// Before, letters that came before the field had the focus claimed and completed tasks.
story("what is typed at once behind the key that opens a field is text", async ({ open }) => {
  const page = await open();
  await becomes(() => laneOf(page, 17), "ready", "#17");
  await page.locator('[data-card="17"]').focus();
  await page.evaluate(() => (window.requestAnimationFrame = () => 0)); // no frame passes meanwhile
  await page.keyboard.type("fcd");
  assert.equal(await page.locator(".filter input").inputValue(), "cd");
  await page.locator(".filter input").fill("");
  await page.keyboard.press("Escape");
  await becomes(() => laneOf(page, 17), "ready", "#17");

  // The reason of a hold: the page asks the board first.
  await page.locator('[data-card="17"]').focus();
  let answer;
  const asked = new Promise((resolve) => (answer = resolve));
  await page.route("**/tasks/17", async (route) => {
    await asked;
    await route.continue();
  });
  await page.keyboard.type("hcdn");
  answer();
  await dialog(page).waitFor();
  assert.equal(await dialog(page).getByLabel("Reason").inputValue(), "cdn");
  assert.equal(await laneOf(page, 17), "ready", "#17");
});
