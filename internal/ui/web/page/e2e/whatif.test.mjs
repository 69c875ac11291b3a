// What if, and what was: both show a board that is not there now.
import assert from "node:assert/strict";
import { becomes, story, until } from "./helper.mjs";
import { node, nodeState, notices, showNode } from "./look.mjs";

story("what if: tasks completed in thought, nothing written, then done", { allowed: [409] }, async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/graph");
  await showNode(page, 7);
  await page.keyboard.press("w");
  const bar = page.getByRole("region", { name: "What if" });
  await bar.getByText("Nothing is written").waitFor();
  await node(page, 7).click();
  await becomes(() => nodeState(page, 8), "ready", "#8");
  await until(page, () => document.querySelector("#node-8").classList.contains("newly"));
  await bar.getByText("would make ready").waitFor();
  await node(page, 9).click(); // it waits for #8
  await node(page, 9).locator(".node-refusal").waitFor();
  await node(page, 8).click();
  await becomes(() => nodeState(page, 9), "ready", "#9");
  assert.equal(await project.revision(), before, "nothing was written");
  assert.deepEqual([await project.state(7), await project.state(8)], ["ready", "blocked"]);

  await bar.getByRole("button", { name: "Do it: complete 2" }).click();
  await bar.waitFor({ state: "detached" });
  await becomes(() => project.state(8), "completed", "#8 on the board");
  await becomes(() => project.state(9), "ready", "#9 on the board");
  await becomes(() => nodeState(page, 9), "ready", "#9");
  // It was one change: one undo takes all of it back.
  await notices(page).getByRole("button", { name: "Undo" }).click();
  await becomes(() => project.state(7), "ready", "#7 on the board");
  await becomes(() => nodeState(page, 8), "blocked", "#8");
});

story("what if is left without a trace", async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/graph");
  await showNode(page, 7);
  await page.getByRole("banner").getByRole("button", { name: "What if" }).click();
  await node(page, 7).click();
  await becomes(() => nodeState(page, 8), "ready", "#8");
  await page.getByRole("button", { name: "Leave" }).click();
  await becomes(() => nodeState(page, 8), "blocked", "#8");
  await becomes(() => nodeState(page, 7), "ready", "#7");
  assert.equal(await project.revision(), before);
});

story("the head of a replay counts what was there then", async ({ project, open }) => {
  await project.pawl("done", "17");
  const page = await open("#/graph");
  const head = () => page.locator(".counts").innerText();
  await becomes(async () => /25 done/.test(await head()), true, "what is done");
  const now = await head();
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("slider").fill("1");
  await becomes(async () => /^Then: .*24 done/.test(await head()), true, "what was done");
  await page.getByRole("slider").fill("0");
  await becomes(head, "Then: no task yet", "the head");
  await page.getByRole("link", { name: "Lanes" }).click(); // which show the board as it is
  await becomes(head, now, "the head of the lanes");
});

story("replay shows the states as they were", async ({ project, open }) => {
  const was = [];
  const look = async () => was.push(await states(project));
  await project.pawl("claim", "17", "--as", "ada");
  await look();
  await project.pawl("done", "17", "--as", "ada");
  await look();
  await project.pawl("hold", "26", "the budget");
  await project.pawl("add", "A late one", "--after", "18");
  await look();

  const page = await open("#/graph");
  await showNode(page, 17);
  await page.getByRole("button", { name: "Replay" }).click();
  const slider = page.getByRole("slider", { name: "Place in the history" });
  const last = Number(await slider.getAttribute("max"));
  assert.ok(last >= 4, `${last} steps`);
  assert.deepEqual(await shown(page), was[2], "now");
  await slider.fill(String(last - 2));
  await becomes(() => shown(page), was[1], "after two of the four steps");
  await page.getByText("ada completed #17").waitFor();
  await becomes(() => page.evaluate(() => document.querySelector("#node-40").classList.contains("absent")), true, "#40 is not there yet");
  await slider.fill(String(last - 3));
  await becomes(() => shown(page), was[0], "after the first step");
  await slider.press("ArrowRight");
  await becomes(() => shown(page), was[1], "a step on by the keyboard");
  await page.getByRole("button", { name: "Back to now" }).click();
  await becomes(() => nodeState(page, 26), "held", "#26 now");
});

// The states as the command line tells them, of the tasks that are looked at.
const watched = [17, 18, 26, 27];

async function states(project) {
  return Promise.all(watched.map((id) => project.state(id)));
}

const shown = (page) => Promise.all(watched.map((id) => nodeState(page, id)));
