// Draws the pictures of the documentation: npm run shots. The board is that of
// pawl demo --serve, at a moment when both of its agents are at work.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./browser.mjs";
import { becomes, desktop, settled } from "./waiting.mjs";
import { Project, binary, repository } from "./project.mjs";

const largest = 200_000; // bytes of a picture

const root = await mkdtemp(join(tmpdir(), "pawl-shots-"));
const project = new Project(await binary(), root);
project.dir = join(root, "compiler"); // as the demo calls it
project.env.XDG_STATE_HOME = join(root, "state_home");
project.env.XDG_CONFIG_HOME = join(root, "config_home");

const demo = spawn(project.pawlFile, ["demo", "--serve", "--fast", "--dir", root], { cwd: root, env: project.env, stdio: "ignore" });
const ended = new Promise((resolve) => demo.on("exit", resolve));
await becomes(async () => {
  const { tasks } = await project.json("list", "--all").catch(() => ({ tasks: [] }));
  const count = (status) => tasks.filter((t) => t.status === status).length;
  return count("in_progress") === 2 && count("completed") >= 3;
}, true);
demo.kill("SIGINT");
await ended;

await project.serve();
const browser = await launch();
for (const theme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: desktop, colorScheme: theme });
  await page.goto(await project.link());
  await settled(page);
  for (const [view, first] of [["lanes", "[data-card]"], ["graph", "[data-node]"]]) {
    await page.evaluate((h) => (location.hash = h), `#/${view}`);
    await page.locator(first).first().waitFor();
    await page.evaluate(() => Promise.all(document.getAnimations().map((a) => a.finished)));
    const path = join(repository, `docs/serve-${view}-${theme}.png`);
    await page.screenshot({ path });
    const { size } = statSync(path);
    console.log(`${path}: ${size} bytes`);
    if (size > largest) throw new Error(`${path} is larger than ${largest} bytes`);
  }
}
await browser.close();
await project.stop();
await rm(root, { recursive: true, force: true });
