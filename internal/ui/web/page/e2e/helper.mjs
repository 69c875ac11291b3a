// A story is a test with a project, its server and a browser:
//
//	story("complete by a click", async ({ project, open }) => {
//	  const page = await open("#/graph");
//	  …
//	});
//
// Nothing waits for a time: what is expected is waited for, up to `patience`.
import { after, before, test } from "node:test";
import { writeFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launch, watch } from "./browser.mjs";
import { Project, binary, fixture } from "./project.mjs";
import { at, desktop, patience, settled } from "./waiting.mjs";

export * from "./waiting.mjs";

let browser;
let pawl;
before(async () => {
  [pawl, browser] = await Promise.all([binary(), launch()]);
});
after(() => browser?.close());

// long: all stories, as .ci/long plays them, or those of the files that are named. Else half
// of those that are not `always` told: their names choose.
export const long = process.env.LONG === "1";
const turn = (name) => [...name].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 65521, 0) % 2 === 0;

/**
 * story tells one story. With `board: "none"` there is no task yet; a function
 * makes the board; else it is the real one of beads-viewer.
 */
export function story(name, options, tell) {
  if (!tell) return story(name, {}, options);
  if (!long && !options.always && !turn(name)) return;
  test(name, { timeout: 300_000 }, async () => {
    const project = await Project.make(pawl);
    const contexts = [];
    const faults = [];
    // open opens the page with a link of its own, in a context of its own unless
    // another page's is given.
    const open = async (hash = "", { beside, allowed = options.allowed, ...how } = {}) => {
      const context = beside?.context() ?? (await browser.newContext({ viewport: desktop, colorScheme: "light", reducedMotion: "no-preference", ...how }));
      if (!beside) {
        contexts.push(context);
        context.setDefaultTimeout(patience);
        faults.push(await watch(context, project.address, allowed));
      }
      const page = await context.newPage();
      await page.goto(beside ? project.address : await project.link());
      await settled(page);
      if (hash) await at(page, hash);
      return page;
    };
    try {
      if (typeof options.board === "function") await options.board(project);
      else if (options.board !== "none") await project.pawl("import", "--from", "beads", fixture);
      await project.serve();
      await tell({ project, open, browser });
      if (faults.flat().length) throw new Error("the page did what it must not");
    } catch (err) {
      await keep(name, contexts, faults.flat());
      const all = faults.flat();
      throw new Error([String(err.stack ?? err), ...all].join("\n").split("\n").slice(0, 30).join("\n"));
    } finally {
      await Promise.all(contexts.map((c) => c.close().catch(() => undefined)));
      await project.end();
    }
  });
}

// keep saves what could be seen when a story failed, where E2E_KEEP says.
async function keep(name, contexts, faults) {
  const dir = process.env.E2E_KEEP;
  if (!dir) return;
  await mkdir(dir, { recursive: true });
  const file = join(dir, name.replace(/\W+/g, "-"));
  await writeFile(`${file}.txt`, faults.join("\n"));
  const pages = contexts.flatMap((c) => c.pages());
  await Promise.all(pages.map((p, i) => p.screenshot({ path: `${file}-${i}.png`, timeout: 5000 }).catch(() => undefined)));
}
