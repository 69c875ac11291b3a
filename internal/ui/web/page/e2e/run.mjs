// Runs half of the stories, all of them, or those of the files that are named:
//
//	npm run e2e
//	LONG=1 npm run e2e
//	npm run e2e -- graph --counts FILE
//
// PAWL names the binary; without it one is built. CHROMIUM names the browser.
// A story that is skipped fails the run: nothing here is proved by not running.
import { appendFileSync, readdirSync, rmSync } from "node:fs";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { launchServer } from "./browser.mjs";
import { binary } from "./project.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const names = process.argv.slice(2);
const at = names.indexOf("--counts");
const counts = at < 0 ? undefined : names.splice(at, 2)[1];

const files = readdirSync(here).filter((f) => f.endsWith(".test.mjs") && (!names.length || names.includes(f.replace(".test.mjs", ""))));
if (!files.length || (names.length && files.length < names.length)) throw new Error(`there are not all of these stories: ${names.join(" ") || "any"}`);

if (names.length) process.env.LONG = "1";
const built = !process.env.PAWL;
process.env.PAWL = await binary();
const browser = await launchServer();
process.env.BROWSER_ENDPOINT = browser.wsEndpoint();

let passed = 0;
let failed = 0;
const stream = run({ files: files.map((f) => join(here, f)), concurrency: 2 });
stream.on("test:pass", (e) => count(e, !e.skip && !e.todo));
stream.on("test:fail", (e) => count(e, false));
function count(e, good) {
  if (e.nesting > 0) return;
  // A file without a story passes, as a test of its own name.
  if (good && !files.some((f) => e.name.endsWith(f))) passed++;
  else failed++;
}
stream.compose(spec).pipe(process.stdout);
await new Promise((resolve) => stream.on("end", resolve));
await browser.close();
if (built) rmSync(dirname(process.env.PAWL), { recursive: true });

console.log(`\n${passed} passed, ${failed} failed`);
if (counts) appendFileSync(counts, `${passed} ${failed}\n`);
process.exitCode = failed ? 1 : 0;
