// What the graph shows, and how it is gone through without a pointer.
import assert from "node:assert/strict";
import { becomes, story, until } from "./helper.mjs";
import { node, nodeState, showNode } from "./look.mjs";

const focused = (page) => page.evaluate(() => document.activeElement.dataset.node);
const world = (page) => page.evaluate(() => document.querySelector(".world").style.transform);
const still = (page) => until(page, () => !document.querySelector(".stage.gliding"));

// Where a node is on the screen, once nothing moves.
async function place(page, id) {
  await still(page);
  const box = await node(page, id).boundingBox();
  return [Math.round(box.x), Math.round(box.y)];
}

// One task after another.
const chain = (n) => (project) => project.feed(Array.from({ length: n }, (_, i) => `{"id":${i + 1},"subject":"Step ${i + 1}","blockedBy":[${i || ""}]}`).join("\n"), "import", "-");

story("arrows go along links, and a link is drawn by keys: its cycle is told before Enter", { board: chain(4), allowed: [400] }, async ({ project, open }) => {
  const page = await open("#/graph");
  await node(page, 1).waitFor();
  await page.keyboard.press("ArrowRight"); // finds the first one
  await becomes(() => focused(page), "1");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await becomes(() => focused(page), "3");
  assert.match(await node(page, 3).getAttribute("aria-label"), /^#3 Step 3, blocked by #2, unblocks 1$/);

  await page.keyboard.press("l");
  await page.keyboard.press("1"); // #3 before #1
  await page.locator(".outcome.bad").getByText("#3 → #1 → #2 → #3").waitFor();
  await becomes(() => page.locator(".edge.cycle").count(), 2, "edges of the cycle");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("l");
  await page.keyboard.press("4");
  await page.getByText("#4 will depend on #2").waitFor();
  await page.keyboard.press("Enter");
  await becomes(async () => (await project.file(4)).blockedBy.map(Number), [3, 2], "blockers of #4");
});

story("d completes by keys, and the node keeps the focus", { board: chain(3) }, async ({ open }) => {
  const page = await open("#/graph");
  await node(page, 1).waitFor();
  await page.keyboard.press("ArrowRight");
  await becomes(() => focused(page), "1");
  await page.keyboard.press("d");
  await becomes(() => nodeState(page, 1), "completed", "#1");
  await becomes(() => nodeState(page, 2), "ready", "#2");
  assert.equal(await focused(page), "1");
});

story("a selected node stays where it is while the graph grows around it", { board: chain(4) }, async ({ project, open }) => {
  const page = await open("#/graph");
  await node(page, 1).waitFor();
  for (const id of ["1", "2", "3"]) {
    await page.keyboard.press("ArrowRight");
    await becomes(() => focused(page), id);
  }
  const before = await place(page, 3);
  await project.op({ op: "create", tasks: [{ subject: "First of all", blocks: [1] }, { subject: "Another way", blockedBy: [1], blocks: [3] }] });
  await node(page, 5).waitFor();
  await node(page, 6).waitFor();
  await becomes(() => place(page, 3), before, "#3 on the screen");
});

story("details beside the graph leave the task in sight, and give the room back", { board: chain(4) }, async ({ open }) => {
  const page = await open("#/graph");
  await node(page, 4).waitFor();
  await still(page);
  const before = await world(page);
  await node(page, 4).click();
  await page.locator("aside.detail").waitFor();
  await until(page, () => document.querySelector("#node-4").getBoundingClientRect().right < document.querySelector("aside.detail").getBoundingClientRect().left);
  await page.keyboard.press("Escape");
  await becomes(() => world(page), before, "the view");
});

story("the view follows what happens, until a person moves it", { board: chain(30) }, async ({ project, open }) => {
  const page = await open("#/graph");
  const follow = page.getByRole("button", { name: "Follow" });
  await showNode(page, 1);
  const before = await world(page);
  await project.op({ op: "hold", ids: [30], reason: "later" });
  await until(page, (was) => document.querySelector(".world").style.transform !== was, before);
  await still(page);
  const box = await node(page, 30).boundingBox();
  assert.ok(box.x > 0 && box.x + box.width < 1280, "the task that was held is on the screen");
  const there = await world(page);
  await page.keyboard.press("Shift+ArrowRight");
  await becomes(() => follow.getAttribute("aria-pressed"), "false");
  await until(page, (was) => document.querySelector(".world").style.transform !== was, there);
  const left = await world(page);
  await project.op({ op: "claim", id: 1 });
  await becomes(() => nodeState(page, 1), "in_progress", "#1");
  assert.equal(await world(page), left);
});

story("of a large plan what is open is drawn; what is completed meanwhile stays", { board: chain(80) }, async ({ project, open }) => {
  await project.op({ op: "complete", ids: Array.from({ length: 10 }, (_, i) => i + 1) });
  const page = await open("#/graph");
  await node(page, 11).waitFor();
  await becomes(() => page.locator("[data-node]").count(), 70, "nodes");
  await project.op({ op: "complete", ids: [11] });
  await becomes(() => nodeState(page, 12), "ready", "#12");
  await becomes(() => nodeState(page, 11), "completed", "#11");
  await page.getByRole("button", { name: "Show done" }).click();
  await becomes(() => page.locator("[data-node]").count(), 80, "nodes");
});

story("what has no links is counted, and what of it is ready", { board: chain(3) }, async ({ project, open }) => {
  await project.op({ op: "create", tasks: [{ subject: "Alone" }, { subject: "On hold" }, { subject: "Later" }] }, { op: "hold", ids: [5], reason: "later" });
  const page = await open("#/graph");
  await page.getByRole("button", { name: "3 without links, 2 ready" }).waitFor();
  await project.op({ op: "claim", id: 4 });
  await page.getByRole("button", { name: "3 without links, 1 ready" }).click();
  await node(page, 6).waitFor();
});

story("without a board the graph says what to do next", { board: "none" }, async ({ open }) => {
  const page = await open("#/graph");
  await page.getByRole("heading", { name: "There is no board here yet" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Fit" }).count(), 0);
  await page.getByLabel("First task").fill("Begin");
  await page.getByRole("main").getByRole("button", { name: "Add" }).click();
  await page.getByRole("button", { name: "Show them" }).click();
  await becomes(() => nodeState(page, 1), "ready", "#1");
});

story("a cycle that somebody else made is told and drawn", { board: chain(3) }, async ({ project, open }) => {
  await project.editFile(1, (text) => text.replace(/"blockedBy":\s*\[[^\]]*\]/, '"blockedBy": ["3"]'));
  const page = await open("#/graph");
  await page.getByText("Wait for one another: #1 → #2 → #3 → #1").waitFor();
  assert.equal(await page.locator(".edge.back").count(), 1);
});

story("with reduced motion nothing moves, and the same is said", { board: chain(3) }, async ({ open }) => {
  const page = await open("#/graph", { reducedMotion: "reduce" });
  await node(page, 1).getByRole("button", { name: "Complete #1" }).click();
  await becomes(() => nodeState(page, 2), "ready", "#2");
  assert.equal(await page.evaluate(() => document.querySelector(".stage").getAnimations({ subtree: true }).length), 0);
});

story("a what-if completes the work of others only for who insists", { board: chain(3), allowed: [409] }, async ({ project, open }) => {
  await project.pawl("claim", "1", "--as", "ada");
  const page = await open("#/graph");
  await node(page, 1).waitFor();
  await page.keyboard.press("w");
  await node(page, 1).click();
  await becomes(() => nodeState(page, 2), "ready", "#2");
  await page.getByRole("button", { name: "Do it: complete 1" }).click();
  await page.getByRole("button", { name: "Complete anyway" }).first().waitFor();
  assert.equal(await project.state(1), "in_progress");
  await page.getByRole("button", { name: "Complete anyway" }).first().click();
  await becomes(() => project.state(1), "completed", "#1 on the board");
  await becomes(() => nodeState(page, 2), "ready", "#2");
});
