// Drag and drop between the lanes.
import assert from "node:assert/strict";
import { becomes, story } from "./helper.mjs";
import { card, dialog, drag, lane, laneOf, notices } from "./look.mjs";

// carry drags a card over a lane, which says what a drop there does, and drops it.
const carry = (page, id, to, says) => drag(page, card(page, id).locator(".glyph"), lane(page, to), { before: () => lane(page, to).getByText(says).waitFor() });

story("cards are dragged: claimed, released, completed", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await carry(page, 17, "in_progress", "Drop to claim it");
  await becomes(() => laneOf(page, 17), "in_progress", "#17");
  assert.equal((await project.file(17)).owner, "grace");

  await carry(page, 17, "ready", "Drop to release it");
  await becomes(() => laneOf(page, 17), "ready", "#17");

  await carry(page, 17, "completed", "Drop to complete it");
  await becomes(() => laneOf(page, 17), "completed", "#17");
  await becomes(() => laneOf(page, 18), "ready", "#18, which waited for it");
  assert.equal((await project.file(17)).status, "completed");

  await carry(page, 17, "ready", "Drop to reopen it");
  await becomes(() => laneOf(page, 17), "ready", "#17");
  await becomes(() => laneOf(page, 18), "blocked", "#18");
});

story("a card that is dropped on Blocked is put on hold, for a reason", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 25).waitFor();
  await carry(page, 25, "blocked", "Drop to hold it");
  await dialog(page).getByLabel("Reason").fill("the budget");
  await page.keyboard.press("Enter");
  await becomes(() => laneOf(page, 25), "blocked", "#25");
  await card(page, 25).getByText("the budget").waitFor();
  assert.equal((await project.file(25)).hold?.reason ?? (await project.json("show", "25")).task.hold.reason, "the budget");

  await carry(page, 25, "ready", "Drop to lift its hold");
  await becomes(() => laneOf(page, 25), "ready", "#25");
});

story("a drop that cannot be says why over the lane and on the card", { allowed: [409] }, async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/lanes");
  await card(page, 18).waitFor();
  await carry(page, 18, "in_progress", /Not here: .*#17/);
  await card(page, 18).locator(".refused").getByText("#17").waitFor();
  assert.equal(await laneOf(page, 18), "blocked");

  // It falls with its cause, even though the card moves to another lane.
  assert.equal(await project.revision(), before);
  await project.pawl("done", "17", "--force");
  await becomes(() => laneOf(page, 18), "ready", "#18");
  await card(page, 18).locator(".refused").waitFor({ state: "detached" });
  await notices(page).getByText("#18").waitFor({ state: "detached" });
  await project.pawl("undo");
  await becomes(() => laneOf(page, 18), "blocked", "#18 after the undo");
  const again = await project.revision();

  // Escape puts it back, and nothing is asked.
  await drag(page, card(page, 17).locator(".glyph"), lane(page, "completed"), {
    before: async () => {
      await lane(page, "completed").getByText("Drop to complete it").waitFor();
      await page.keyboard.press("Escape");
      await lane(page, "completed").getByText("Drop to complete it").waitFor({ state: "detached" });
    },
  });
  assert.equal(await laneOf(page, 17), "ready");
  assert.equal(await project.revision(), again);
});

story("a refused claim of what somebody else has can be insisted on", { allowed: [409] }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await project.pawl("claim", "17", "--as", "ada");
  await becomes(() => laneOf(page, 17), "in_progress", "#17");
  await card(page, 17).hover();
  await card(page, 17).getByRole("button", { name: "Complete #17" }).click();
  await card(page, 17).locator(".refused").getByText("ada").waitFor();
  await card(page, 17).getByRole("button", { name: "Complete anyway" }).click();
  await becomes(() => laneOf(page, 17), "completed", "#17");
  await notices(page).getByRole("button", { name: "Undo" }).last().click();
  await becomes(() => laneOf(page, 18), "blocked", "#18");
});

// A change in flight: each animation stands still at its middle.
const midway = (page) =>
  page.evaluate(() => {
    const { animate } = Element.prototype;
    window.flights = [];
    Element.prototype.animate = function (...how) {
      const a = animate.apply(this, how);
      a.pause();
      a.currentTime = 100;
      window.flights.push(this);
      return a;
    };
  });

story("cards that glide are neither cut off nor seen through", { board: async (project) => {
  for (let i = 1; i <= 8; i++) await project.pawl("add", `Task ${i}`);
} }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 8).waitFor();
  await midway(page);
  await project.pawl("update", "8", "--priority", "high");
  await becomes(() => page.evaluate(() => document.querySelector(".of-ready [data-card]").dataset.card), "8", "the first");
  await project.pawl("done", "3");
  await page.locator(".flying").waitFor();
  const wrong = await page.evaluate(() =>
    window.flights.flatMap((el) => {
      const found = [];
      for (let at = el.parentElement; at; at = at.parentElement) if (getComputedStyle(at).contentVisibility === "auto") found.push(`${el.className || el.tagName} is cut off by its ${at.tagName}`);
      const card = el.matches(".card") ? el : el.querySelector(".card");
      const ground = card ? getComputedStyle(card).backgroundColor : "";
      if (!card || /\/ 0|, 0\)|transparent/.test(ground)) found.push(`${card?.className} is transparent: ${ground}`);
      return found;
    }),
  );
  assert.deepEqual(wrong, []);
  assert.ok((await page.evaluate(() => window.flights.length)) >= 10);
  if (process.env.E2E_KEEP) await page.screenshot({ path: `${process.env.E2E_KEEP}/midway.png` });
});

story("the filter chooses cards, counts and nodes, and survives a reload", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 17).waitFor();
  await page.keyboard.press("f");
  await page.getByRole("searchbox", { name: "Text" }).fill("drift");
  const wanted = (await project.json("list", "--all", "--text", "drift", "--limit", "1000")).tasks.map((t) => t.id).sort();
  assert.ok(wanted.length > 1 && wanted.length < 39);
  const shown = () => page.locator("[data-card]").evaluateAll((all) => all.map((c) => Number(c.dataset.card)).sort());
  await becomes(shown, wanted, "cards");
  await page.reload();
  await becomes(shown, wanted, "cards after a reload");
  await page.getByRole("link", { name: "Graph" }).click();
  await page.locator("#node-8").waitFor();
  await becomes(() => page.locator("#node-17").count(), 0, "#17 in the graph");
  await page.getByRole("button", { name: "Show all" }).click();
  await page.locator("#node-17").waitFor();
});

story("a board without tasks says what to do, and its first task is added there", { board: "none", allowed: [404] }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await page.getByText('pawl add "first task"').waitFor();
  await page.getByLabel("First task").fill("Set up the project");
  await page.getByRole("main").getByRole("button", { name: "Add" }).click();
  await card(page, 1).getByText("Set up the project").waitFor();
  assert.equal((await project.file(1)).subject, "Set up the project");
});
