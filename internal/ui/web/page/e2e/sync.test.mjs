// All pages show a change, by anybody.
import { becomes, settled, story } from "./helper.mjs";
import { card, laneOf, nodeState, showNode } from "./look.mjs";

story("two pages and the command line see one another's changes", async ({ project, open }) => {
  const lanes = await open("#/lanes");
  const graph = await open("#/graph");
  await showNode(graph, 17);
  await becomes(() => laneOf(lanes, 18), "blocked", "#18 in the lanes");

  // Page to page.
  await card(lanes, 17).hover();
  await card(lanes, 17).getByRole("button", { name: "Claim #17" }).click();
  await becomes(() => nodeState(graph, 17), "in_progress", "#17 in the graph");

  // The command line to both.
  await project.pawl("done", "17", "--force");
  await becomes(() => laneOf(lanes, 18), "ready", "#18 in the lanes");
  await becomes(() => nodeState(graph, 18), "ready", "#18 in the graph");

  // Somebody edits a file by hand.
  await project.editFile(26, (text) => text.replace(/"subject": "[^"]*"/, '"subject": "Edited by hand"'));
  await card(lanes, 26).getByText("Edited by hand").waitFor();

  // Back from the other page.
  await graph.locator("#node-26").getByRole("button", { name: "Complete #26" }).click();
  await becomes(() => laneOf(lanes, 27), "ready", "#27 in the lanes");
});

story("a change of another moves cards, and nothing else blinks", async ({ project, open }) => {
  const page = await open("#/lanes");
  await card(page, 18).waitFor();
  await page.evaluate(() => {
    window.same = document.querySelector('[data-card="25"]');
    window.same.focus();
  });
  await project.pawl("done", "17", "--force");
  await becomes(() => laneOf(page, 18), "ready", "#18");
  await becomes(() => page.evaluate(() => window.same.isConnected && document.activeElement === window.same), true, "the card of #25 is the same, and has the focus");
});

story("a server that ends and starts again: the page goes on, and misses nothing", { allowed: ["unreachable", 503] }, async ({ project, open }) => {
  const page = await open("#/lanes");
  await becomes(() => laneOf(page, 17), "ready", "#17");
  await project.stop();
  await page.getByText("has not answered since").waitFor();
  await becomes(() => laneOf(page, 17), "ready", "#17, still shown");
  await project.pawl("done", "17", "--force"); // while nobody serves
  await project.serve();
  await becomes(() => laneOf(page, 18), "ready", "#18");
  await page.getByText("has not answered since").waitFor({ state: "detached" });
  // The token is that of before: a reload needs no link.
  await page.reload();
  await settled(page);
  await becomes(() => laneOf(page, 18), "ready", "#18 after a reload");
});
