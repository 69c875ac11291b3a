// What a person does in the graph.
import assert from "node:assert/strict";
import { becomes, story, until } from "./helper.mjs";
import { drag, edge, node, nodeState, notices, showNode } from "./look.mjs";

// On the real board #18 waits for #17, and #7, #8, #9 are a chain.

story("complete by a click in the graph: what waited turns ready", async ({ project, open }) => {
  const page = await open("#/graph");
  await showNode(page, 18);
  await becomes(() => nodeState(page, 18), "blocked", "#18");
  // The animation is a class for a while; what had it is written down.
  await page.evaluate(() => {
    window.turned = [];
    new MutationObserver((list) => {
      for (const m of list) if (m.target.classList?.contains("turning")) window.turned.push(m.target.dataset.node);
    }).observe(document.querySelector(".stage"), { subtree: true, attributeFilter: ["class"] });
  });
  await node(page, 17).getByRole("button", { name: "Complete #17" }).click();
  await becomes(() => nodeState(page, 17), "completed", "#17");
  await becomes(() => nodeState(page, 18), "ready", "#18");
  await until(page, () => ["17", "18"].every((id) => window.turned.includes(id)));
  await until(page, () => !document.querySelector(".node.turning"));
  assert.doesNotMatch(await node(page, 18).innerText(), /blocked by/);
  await notices(page).getByText("ready now: #18").waitFor();
  // The files say so, and the command.
  assert.equal((await project.file(17)).status, "completed");
  assert.deepEqual((await project.json("list", "--ready")).tasks.map((t) => t.id).includes(18), true);
});

story("a blocked node refuses to be completed, and says why on it", { allowed: [409] }, async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/graph");
  await showNode(page, 8);
  await node(page, 8).hover();
  await node(page, 8).getByRole("button", { name: "Complete #8" }).click();
  await node(page, 8).locator(".node-refusal").getByText("#7").waitFor();
  assert.equal(await nodeState(page, 8), "blocked");
  assert.equal(await project.revision(), before);
  // From afar it can be read as well, and the details say it themselves.
  const wide = async () => Math.round((await node(page, 8).locator(".node-refusal").boundingBox()).width);
  await page.getByRole("button", { name: "Fit" }).click();
  await until(page, () => document.querySelector(".world").dataset.level !== "card");
  await becomes(wide, 212, "pixels");
  await node(page, 8).click();
  await node(page, 8).locator(".node-refusal").waitFor({ state: "detached" });
});

story("hovering shows the blockers of a node and what it unblocks", async ({ open }) => {
  const page = await open("#/graph");
  await showNode(page, 8);
  await node(page, 8).hover();
  const hover = page.locator(".hover");
  await hover.getByText("blocked by 1 · unblocks 1").waitFor();
  for (const id of ["#7", "#9"]) await hover.getByText(id, { exact: true }).waitFor();
});

story("an edge that is drawn makes a task wait, and is taken out by a click", async ({ project, open }) => {
  const page = await open("#/graph");
  await showNode(page, 17);
  await node(page, 26).hover();
  await drag(page, node(page, 26).locator(".node-handle"), node(page, 17), {
    before: () => page.getByText("#17 will depend on #26").waitFor(),
  });
  await becomes(() => nodeState(page, 17), "blocked", "#17");
  await becomes(async () => (await project.ask("tasks/17")).waitsFor.filter((t) => t.state !== "completed").map((t) => t.id), [26]);
  await until(page, () => !document.querySelector(".stage.gliding"));
  await page.mouse.move(1, 1); // the button may come where the pointer rests, and takes no press there for a moment
  await edge(page, 26, 17).dispatchEvent("click");
  await page.getByText("#17 depends on #26", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Remove link" }).click();
  await becomes(() => nodeState(page, 17), "ready", "#17");
});

story("an edge that would close a cycle is refused, and the cycle is shown as its path", { allowed: [400, 409] }, async ({ project, open }) => {
  const before = await project.revision();
  const page = await open("#/graph");
  await showNode(page, 9);
  await node(page, 9).hover();
  const path = /#9 → #7 → #8 → #9/;
  await drag(page, node(page, 9).locator(".node-handle"), node(page, 7), {
    before: async () => {
      await page.locator(".outcome.bad").getByText(path).waitFor(); // before it is dropped
      await becomes(() => page.locator(".edge.cycle").count(), 2, "edges of the cycle");
    },
  });
  await notices(page).getByText(path).waitFor();
  await becomes(() => page.locator(".edge.cycle").count(), 2, "edges of the cycle");
  await node(page, 7).locator(".node-refusal").waitFor();
  assert.equal(await project.revision(), before);
});

story("a click opens the details, and selecting dims what is not connected", async ({ open }) => {
  const page = await open("#/graph");
  await showNode(page, 8);
  const green = () => page.evaluate(() => getComputedStyle(document.querySelector("#node-17 .glyph")).color);
  const was = await green();
  await node(page, 8).click();
  await until(page, () => location.hash.includes("task=8"));
  await until(page, () => !document.querySelector("#node-7.dim, #node-9.dim") && !!document.querySelector("#node-17.dim"));
  assert.equal(await green(), was, "what is ready is green wherever it stands");
});

story("the graph is panned, zoomed and fitted, and looks around one task", async ({ open }) => {
  const page = await open("#/graph");
  await showNode(page, 17);
  const place = () => page.evaluate(() => document.querySelector(".world").style.transform);
  const first = await place();
  await page.mouse.move(900, 700);
  await page.mouse.down();
  await page.mouse.move(700, 600, { steps: 3 });
  await page.mouse.up();
  const panned = await place();
  assert.notEqual(panned, first);
  await page.keyboard.press("+");
  await until(page, (was) => document.querySelector(".world").style.transform !== was, panned);
  await page.keyboard.press("0");
  await node(page, 17).dblclick();
  await until(page, () => location.hash.startsWith("#/graph/17"));
  await becomes(() => page.locator("[data-node]").evaluateAll((all) => all.map((n) => n.dataset.node).sort()), ["15", "16", "17", "18"], "nodes around #17");
  await page.getByRole("button", { name: "Whole graph" }).click();
  await until(page, () => document.querySelectorAll("[data-node]").length > 10);
});
