// Nothing by accident: what comes under the pointer by itself, or gets the focus,
// takes no press for a moment, and no action lies over what is read. The page's
// clock stands still in these stories, but for the steps that they take.
import assert from "node:assert/strict";
import { becomes, phone, story } from "./helper.mjs";
import { card, detail, dialog, openDetail, showNode } from "./look.mjs";

const moment = 500; // milliseconds, as in steady.ts

const alike = async (project) => {
  for (const subject of ["Task one", "Task two", "Task three", "Task four", "Task five"]) await project.pawl("add", subject);
};

// still stops the page's clock. step lets it go on until something is so; writes
// counts what the page has asked to be changed.
async function still(page) {
  await page.clock.install();
  await page.clock.pauseAt(new Date(Date.now() + 1000));
  await page.evaluate(() => {
    window.writes = 0;
    const { fetch } = window;
    window.fetch = (path, init) => {
      if (init?.method === "POST") window.writes++;
      return fetch(path, init);
    };
  });
  return {
    writes: () => page.evaluate(() => window.writes),
    forward: (ms) => page.clock.runFor(ms),
    async step(f, arg) {
      for (let i = 0; i < 2000; i++) {
        if (await page.evaluate(f, arg)) return;
        await page.clock.runFor(10);
        await new Promise((r) => setTimeout(r, 2)); // the server answers in its own time
      }
      throw new Error(`it does not come to be: ${f}`);
    },
  };
}

async function middleOf(locator) {
  const box = await locator.boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// lies says whether a place is inside of something: it may take no presses yet.
const lies = ([selector, x, y]) => {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return !!box && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
};

story("two clicks at one spot complete one card, and a moment later the next one", { board: alike }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 1).hover();
  const spot = await middleOf(card(page, 1).getByRole("button", { name: "Complete #1" }));
  await page.mouse.move(...spot);
  const time = await still(page);
  await page.mouse.click(...spot);
  await time.step(lies, ['[aria-label="Complete #2"]', ...spot]);
  assert.equal(await time.writes(), 1);
  await time.forward(100);
  await page.mouse.click(...spot);
  await time.forward(100);
  await page.mouse.click(spot[0] + 2, spot[1] + 1);
  assert.equal(await time.writes(), 1, "the second click at the spot acted on the next card");
  await time.forward(moment);
  await page.mouse.click(...spot);
  await time.step(lies, ['[aria-label="Complete #3"]', ...spot]);
  assert.equal(await time.writes(), 2);
  assert.equal((await project.file(2)).status, "completed");
  assert.equal((await project.file(3)).status, "pending");
});

story("nor what another's change brings under a pointer that rests", { board: alike }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 1).hover();
  const spot = await middleOf(card(page, 1).getByRole("button", { name: "Complete #1" }));
  await page.mouse.move(...spot);
  const time = await still(page);
  await project.pawl("done", "1", "--as", "ada");
  await time.step(lies, ['[aria-label="Complete #2"]', ...spot]);
  await page.mouse.click(...spot);
  assert.equal(await time.writes(), 0);
});

story("two taps on Claim in the details do not complete", { board: alike }, async ({ project, open }) => {
  const page = await open("#/lanes", { viewport: phone, hasTouch: true, isMobile: true });
  await openDetail(page, 1);
  const spot = await middleOf(detail(page).getByRole("button", { name: "Claim", exact: true }));
  const time = await still(page);
  await page.touchscreen.tap(...spot);
  await time.step(() => document.querySelector(".detail-do .button.main")?.textContent === "Complete");
  await page.touchscreen.tap(...spot);
  assert.equal(await time.writes(), 1);
  await time.forward(moment);
  await page.touchscreen.tap(...spot);
  assert.equal(await time.writes(), 2);
  await becomes(async () => (await project.file(1)).status, "completed", "#1");
});

story("two clicks on Claim in the details do not complete", { board: alike }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await openDetail(page, 1);
  const spot = await middleOf(detail(page).getByRole("button", { name: "Claim", exact: true }));
  await page.mouse.move(...spot);
  const time = await still(page);
  await page.mouse.click(...spot);
  await time.step(() => document.querySelector(".detail-do .button.main")?.textContent === "Complete");
  await page.mouse.click(...spot);
  assert.equal(await time.writes(), 1);
  assert.equal((await project.file(1)).status, "in_progress");
});

story("nor do two clicks on a chip take out two, or on a link of the graph remove it", async ({ open }) => {
  const page = await open("#/lanes?label=cli&label=drift");
  const chips = page.locator(".chips .chip");
  await chips.first().waitFor();
  const spot = await middleOf(chips.first());
  await page.mouse.dblclick(...spot);
  await becomes(() => chips.count(), 1, "chips");

  await page.getByRole("button", { name: "Show all" }).click();
  await page.evaluate(() => (location.hash = "#/graph"));
  await showNode(page, 17);
  const time = await still(page);
  const [x, y] = await page.evaluate(() => {
    for (const hit of document.querySelectorAll(".edge-hit")) {
      const p = hit.getPointAtLength(hit.getTotalLength() / 2).matrixTransform(hit.getScreenCTM());
      if (document.elementFromPoint(p.x, p.y) === hit) return [p.x, p.y];
    }
  });
  await page.mouse.move(x, y);
  await page.mouse.click(x, y);
  await time.step(() => !!document.querySelector(".edge-tag button"));
  const remove = await middleOf(page.getByRole("button", { name: "Remove link" }));
  await page.mouse.click(x, y);
  assert.equal(await time.writes(), 0);
  await page.mouse.click(...remove); // gone there, it counts at once
  assert.equal(await time.writes(), 1);
});

story("two clicks on an undo take back one change", { board: alike }, async ({ open }) => {
  const page = await open("#/timeline");
  const row = page.locator("[data-revision]").first();
  await row.hover();
  const spot = await middleOf(row.getByRole("button", { name: /^Undo/ }));
  await page.mouse.move(...spot);
  const time = await still(page);
  await page.mouse.click(...spot);
  await time.step(() => document.querySelectorAll("[data-revision]").length === 6);
  await page.mouse.click(...spot);
  await time.forward(100);
  await page.mouse.click(...spot);
  assert.equal(await time.writes(), 1);
});

story("a key that comes again acts on one task, even though the focus has gone to the next", { board: async (project) => {
  await alike(project);
  for (const id of ["1", "2", "3"]) await project.pawl("claim", id);
} }, async ({ project, open }) => {
  const page = await open("#/lanes?owner=grace");
  await card(page, 1).focus();
  const time = await still(page);
  await page.keyboard.press("x"); // it is no longer theirs, and not shown
  await time.step(() => document.activeElement.dataset.card === "2");
  await page.keyboard.press("x");
  assert.equal(await time.writes(), 1);
  await time.forward(moment);
  await page.keyboard.down("x");
  await page.keyboard.down("x"); // it repeats
  await time.step(() => document.activeElement.dataset.card === "3");
  await page.keyboard.down("x");
  await page.keyboard.up("x");
  assert.equal(await time.writes(), 2);
  assert.equal((await project.file(3)).status, "in_progress");
});

story("Enter that is held down in a new task adds one", { board: alike }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await page.keyboard.press("a");
  await dialog(page).waitFor();
  await page.keyboard.type("Once");
  await page.keyboard.down("Enter");
  for (let i = 0; i < 5; i++) await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await dialog(page).waitFor({ state: "detached" });
  await becomes(async () => (await project.json("list", "--all")).tasks.filter((t) => t.subject === "Once").length, 1, "tasks");
});

// covered lists the actions that lie over text, wherever the pointer is.
const covered = (root) => {
  const found = [];
  for (const el of document.querySelectorAll(root)) {
    const actions = [...el.querySelectorAll("button")].map((b) => [b, b.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
    const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode;
      if (!text.data.trim() || text.parentElement.closest("button, .hidden-words")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const clip = text.parentElement.closest("p, li, div, summary").getBoundingClientRect();
      for (const line of range.getClientRects())
        for (const [b, box] of actions) {
          const w = Math.min(line.right, clip.right, box.right) - Math.max(line.left, clip.left, box.left);
          const h = Math.min(line.bottom, clip.bottom, box.bottom) - Math.max(line.top, clip.top, box.top);
          if (w > 1 && h > 2) found.push(`${b.getAttribute("aria-label") ?? b.textContent} lies over “${text.data}”`);
        }
    }
  }
  return [...new Set(found)];
};

for (const [width, viewport] of Object.entries({ desktop: { width: 1280, height: 800 }, narrow: { width: 900, height: 800 }, phone }))
  story(`no action lies over what is read, ${width}`, async ({ project, open }) => {
    await project.pawl("claim", "17", "--as", "ada");
    await project.pawl("hold", "25", "the budget is not there yet, and nobody knows when it will be");
    await project.pawl("add", "A short one");
    await project.pawl("add", "A part of it that has a rather long subject, which goes over two lines", "--parent", "14", "--priority", "high");
    const page = await open("#/lanes", { viewport });
    await page.locator(".of-ready [data-card]").first().waitFor();
    for (const name of ["Blocked", "Ready", "In progress", "Done"]) {
      if (width !== "desktop" && (await page.getByRole("group", { name: "Lane" }).isVisible())) await page.getByRole("group", { name: "Lane" }).getByRole("button", { name }).click();
      assert.deepEqual(await page.evaluate(covered, "[data-card]"), []);
    }
    await page.evaluate(() => (location.hash = "#/timeline"));
    await page.locator("[data-revision]").first().waitFor();
    assert.deepEqual(await page.evaluate(covered, ".change"), []);
    await openDetail(page, 17);
    await page.locator(".past .change").first().waitFor();
    assert.deepEqual(await page.evaluate(covered, ".past .change, .around li"), []);
    await page.evaluate(() => (location.hash = "#/graph"));
    await showNode(page, 14);
    assert.deepEqual(await page.evaluate(covered, "[data-node]"), []);
  });
