// Waiting for what is expected; nothing here waits for a time.

export const patience = 15_000; // milliseconds: a busy machine is no fault
export const desktop = { width: 1280, height: 800 };
export const phone = { width: 360, height: 740 };

/** Waits until the page shows the board, or says why it does not. */
export async function settled(page) {
  await page.locator("main").first().waitFor();
}

/** Goes to a place of the page as its address says it. */
export async function at(page, hash) {
  await page.evaluate((h) => (location.hash = h), hash);
  await page.waitForFunction((h) => location.hash === h, hash);
}

/** Waits until f is true in the page. */
export const until = (page, f, arg) => page.waitForFunction(f, arg, { timeout: patience, polling: 50 });

/** Waits until ask returns what is wanted, and says what it returned instead. */
export async function becomes(ask, wanted, what = "") {
  const end = Date.now() + patience;
  for (;;) {
    const is = await ask();
    if (same(is, wanted)) return;
    if (Date.now() > end) throw new Error(`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
