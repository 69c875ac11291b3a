// A real board, loaded: what the page shows is what the commands say.
import assert from "node:assert/strict";
import { becomes, story } from "./helper.mjs";
import { laneTotals, node } from "./look.mjs";

story("the lanes show the real board with the counts of the command", async ({ project, open }) => {
  const { tasks } = await project.json("list", "--all", "--limit", "1000");
  assert.ok(tasks.length >= 39, `${tasks.length} tasks`);
  const wanted = { blocked: 0, ready: 0, in_progress: 0, completed: 0 };
  for (const t of tasks) wanted[t.status !== "pending" ? t.status : t.ready ? "ready" : "blocked"]++;
  const page = await open("#/lanes");
  await becomes(() => laneTotals(page), wanted, "counts of the lanes");
  await page.getByText(`${wanted.ready} ready, ${wanted.blocked} blocked, ${wanted.completed} done`).waitFor();
});

story("the graph shows each task that has an edge, and each edge", async ({ project, open }) => {
  const graph = await project.ask("graph?all=true");
  const page = await open("#/graph");
  await node(page, graph.nodes[0].id).waitFor();
  await page.getByRole("button", { name: "Fit" }).click();
  await becomes(() => page.locator("[data-node]").count(), graph.nodes.length, "nodes");
  await becomes(() => page.locator("[data-edge]").count(), graph.edges.length, "edges");
  for (const n of graph.nodes.filter((n) => n.state === "ready")) assert.match(await node(page, n.id).getAttribute("class"), /\bis-ready\b/);
});
