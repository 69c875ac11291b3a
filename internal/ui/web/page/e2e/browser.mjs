// The browser, and what a page must not do in it.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]; // the first takes a quarter less time
const args = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const name of names)
    for (const dir of process.env.PATH.split(delimiter)) {
      try {
        accessSync(join(dir, name), constants.X_OK);
        return join(dir, name);
      } catch {} // not there
    }
  throw new Error(`the stories need a browser: none of ${names.join(", ")} is on PATH, and CHROMIUM names none`);
}

const options = () => ({ executablePath: executable(), headless: true, chromiumSandbox: process.getuid?.() !== 0, args });

/** A browser that several processes use: BROWSER_ENDPOINT tells them where. */
export const launchServer = () => chromium.launchServer(options());

/** The browser of this process's stories. */
export const launch = () => (process.env.BROWSER_ENDPOINT ? chromium.connect(process.env.BROWSER_ENDPOINT) : chromium.launch(options()));

/**
 * Watches a context: what no page may do, whatever the story is about, is
 * collected in the list that it returns. `allowed` are statuses of answers that
 * the story provokes, and "unreachable" where it stops the server.
 */
export async function watch(context, address, allowed = []) {
  const faults = [];
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sample}`));
    window.canary = (what) => console.error(`a script ran: ${what}`);
    for (const name of ["alert", "confirm", "prompt"]) window[name] = window.canary;
  });
  context.on("page", (page) => {
    page.on("pageerror", (err) => faults.push(`error: ${err.stack ?? err}`));
    page.on("crash", () => faults.push("the page crashed"));
    page.on("dialog", (d) => {
      faults.push(`dialog: ${d.message()}`);
      void d.dismiss();
    });
    page.on("console", (m) => {
      // That an answer was a refusal the browser says too; answers are looked at below.
      if (["error", "warning"].includes(m.type()) && !m.text().startsWith("Failed to load resource")) faults.push(`console: ${m.text()}`);
    });
  });
  context.on("request", (r) => {
    if (new URL(r.url()).origin !== address) faults.push(`asked elsewhere: ${r.url()}`);
  });
  context.on("response", (r) => {
    if (r.status() >= 400 && !allowed.includes(r.status())) faults.push(`answer: ${r.status()} ${r.request().method()} ${r.url()} ${r.request().postData() ?? ""}`);
  });
  context.on("requestfailed", (r) => {
    const why = r.failure()?.errorText ?? "";
    if (why === "net::ERR_ABORTED") return; // a page that navigates, or reads again
    if (!allowed.includes("unreachable")) faults.push(`failed: ${r.url()} ${why}`);
  });
  return faults;
}
