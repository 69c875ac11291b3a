// Where things are on the page, and what they say.

export const card = (page, id) => page.locator(`[data-card="${id}"]`);
export const lane = (page, name) => page.locator(`.lane[data-lane="${name}"]`);
export const node = (page, id) => page.locator(`#node-${id}`);
export const edge = (page, from, to) => page.locator(`[data-edge="${from}-${to}"]`);
export const notices = (page) => page.getByRole("log", { name: "Notices" });
export const dialog = (page) => page.locator("dialog[open]");
export const detail = (page) => page.locator("aside.detail");

/** The lane in which a card is: "ready". */
export const laneOf = (page, id) => page.evaluate((id) => document.querySelector(`[data-card="${id}"]`)?.closest("[data-lane]")?.dataset.lane, id);

/** The state of a node of the graph: "ready". */
export const nodeState = (page, id) => page.evaluate((id) => /\bis-(\w+)/.exec(document.getElementById(`node-${id}`)?.className ?? "")?.[1], id);

/** The lanes' names and counts, as the page says them. */
export const laneTotals = (page) =>
  page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".lane[data-lane]")].map((l) => [l.dataset.lane, Number(l.querySelector("h2 .total").textContent)])));

/** Drags from the middle of one thing to the middle of another, in steps. */
export async function drag(page, from, to, { before } = {}) {
  const a = await middle(from);
  const b = await middle(to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 4 });
  await page.mouse.move(b.x, b.y, { steps: 4 });
  await before?.();
  await page.mouse.up();
}

async function middle(locator) {
  await locator.scrollIntoViewIfNeeded();
  await locator.evaluate((el) => new Promise((done) => (function look() { el.closest("[data-settling]") ? requestAnimationFrame(look) : done(); })()));
  const box = await locator.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 200) };
}

/** What has the focus, in short: "article #12". */
export const focused = (page) =>
  page.evaluate(() => {
    const at = document.activeElement;
    return `${at.tagName.toLowerCase()} ${at.dataset.card ?? at.dataset.node ?? at.getAttribute("aria-label") ?? at.textContent.slice(0, 40)}`;
  });

/** Waits for a node of the graph, as large as it can be read. */
export async function showNode(page, id) {
  await node(page, id).waitFor();
  await page.waitForFunction(() => !document.querySelector(".stage.gliding"));
  while ((await page.locator(".world").getAttribute("data-level")) !== "card") {
    const was = await page.locator(".world").getAttribute("style");
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForFunction((was) => document.querySelector(".world").getAttribute("style") !== was && !document.querySelector(".stage.gliding"), was);
  }
}

/** Opens the details of a task by its address, beside whatever view there is. */
export async function openDetail(page, id) {
  await page.evaluate((id) => (location.hash = `${location.hash.split("?")[0] || "#/lanes"}?task=${id}`), id);
  await page.waitForFunction((id) => document.querySelector(".detail h2 .mono")?.textContent === `#${id}` && !!document.querySelector(".detail .facts-list"), id);
}
