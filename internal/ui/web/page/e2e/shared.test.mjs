// A board that is shared through a git remote: who works in which clone, and how it was
// synced. What the remote would say is put into the server's answers.
import assert from "node:assert/strict";
import { story } from "./helper.mjs";
import { card } from "./look.mjs";

let bob, ada; // the numbers of their tasks
const minutes = (n) => new Date(Date.now() - n * 60_000).toISOString();

/** Lets the answers say that bob works in another clone, and ada's claim is known here only. */
async function share(project, page, shared) {
  [ada, bob] = (await project.json("list")).tasks.map((t) => t.id);
  const claimed = (c, on, here) => Object.assign(c, { state: "in_progress", owner: on ? "bob" : "ada", on, here, startedAt: minutes(12) });
  await page.context().route(/\/api\/v1\/lanes/, async (route) => {
    const answer = await (await route.fetch()).json();
    answer.shared = { remote: "origin", ref: "refs/pawl/board", clone: "laptop-00000001", mode: "claims", clones: ["mac-mini-3f2a9c1d"], here: [ada], ...shared };
    const cards = answer.lanes.flatMap((lane) => lane.cards);
    const move = (id, on, here) => {
      const c = cards.find((c) => c.id === id);
      for (const lane of answer.lanes) lane.cards = lane.cards.filter((other) => other !== c);
      answer.lanes.find((lane) => lane.lane === "in_progress").cards.push(claimed(c, on, here));
    };
    move(bob, "mac-mini");
    move(ada, undefined, true);
    await route.fulfill({ json: answer });
  });
  await page.context().route(new RegExp(`/api/v1/tasks/${ada}`), async (route) => {
    const answer = await (await route.fetch()).json();
    Object.assign(answer, { state: "in_progress", here: "claimed here only: origin cannot be reached (Connection refused)" });
    Object.assign(answer.task, { status: "in_progress", owner: "ada", startedAt: minutes(12) });
    await route.fulfill({ json: answer });
  });
  await page.reload();
}

const shot = (page, name) => process.env.SHOT && page.screenshot({ path: process.env.SHOT.replace(".png", `-${name}.png`) });

story("a shared board says who works where, and when it was synced", async ({ project, open }) => {
  const page = await open("#/lanes");
  await share(project, page, { synced: minutes(2), text: "shared through origin; synced 2 min ago", unsent: 3 });
  await page.getByText("synced 2 min ago, 3 to send").waitFor();
  await card(page, bob).getByText("bob on mac-mini").waitFor();
  await card(page, ada).getByText("claimed here only").waitFor();
  assert.equal(await page.locator(".out-of-step").count(), 0);
  await shot(page, "well");
  await page.setViewportSize({ width: 390, height: 780 });
  await shot(page, "phone");
});

story("what keeps a shared board from being synced is said, with what to do", async ({ project, open }) => {
  const page = await open("#/lanes", { colorScheme: "dark" });
  const text = "shared through origin; last synced 2 min ago: origin cannot be reached (Connection refused)";
  await share(project, page, { synced: minutes(2), failed: "origin cannot be reached (Connection refused)", text });
  await page.locator(".out-of-step").getByText("origin cannot be reached (Connection refused)").waitFor();
  await page.locator(".out-of-step").getByText("pawl sync").waitFor();
  await page.goto(page.url().replace(/#.*/, `#/lanes?task=${ada}`));
  await page.locator(".facts-list").getByText("claimed here only: origin cannot be reached (Connection refused)").waitFor();
  await shot(page, "away");
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(page.url().replace(/#.*/, "#/lanes"));
  await page.locator(".out-of-step").waitFor();
  await shot(page, "away-phone");
});
