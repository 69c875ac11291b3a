// What a person's system and choices change: motion, theme, notifications.
import assert from "node:assert/strict";
import { becomes, story, until } from "./helper.mjs";
import { card, laneOf, node, nodeState, showNode } from "./look.mjs";

story("with reduced motion nothing moves, and all is said the same", async ({ project, open }) => {
  const page = await open("#/graph", { reducedMotion: "reduce" });
  await showNode(page, 17);
  await page.evaluate(() => {
    window.moved = [];
    const look = () => {
      for (const a of document.getAnimations()) if (a.effect.getComputedTiming().activeDuration > 1) window.moved.push(`${a.animationName ?? a.transitionProperty} on ${a.effect.target?.className}`);
      requestAnimationFrame(look);
    };
    look();
  });
  await node(page, 17).getByRole("button", { name: "Complete #17" }).click();
  await becomes(() => nodeState(page, 18), "ready", "#18");
  await page.getByRole("button", { name: "Fit" }).click();
  await page.getByRole("link", { name: "Lanes" }).click();
  await card(page, 26).waitFor();
  await project.pawl("done", "26", "--force");
  await becomes(() => laneOf(page, 27), "ready", "#27");
  const moved = await page.evaluate(() => window.moved.filter((m) => /transform|turn|glide|top|left|width|height|\bd\b/.test(m)));
  assert.deepEqual([...new Set(moved)], []);
});

story("the theme follows the system, or the switch, which a reload keeps", async ({ open }) => {
  const page = await open("#/lanes", { colorScheme: "dark" });
  await card(page, 17).waitFor();
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number).slice(0, 3).reduce((a, b) => a + b) / 3);
  const dark = await ground();
  assert.ok(dark < 80, `the ground of the dark theme is ${dark}`);
  const theme = page.getByRole("button", { name: /^Theme/ });
  for (let i = 0; i < 3 && (await ground()) < 128; i++) await theme.click();
  assert.ok((await ground()) > 180);
  await page.reload();
  await card(page, 17).waitFor();
  assert.ok((await ground()) > 180, "after a reload");
});

story("desktop notifications come only when asked for, while the page is hidden", async ({ project, open }) => {
  const page = await open("#/lanes", { permissions: ["notifications"] });
  await card(page, 17).waitFor();
  await page.evaluate(() => {
    window.told = [];
    window.Notification = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, options) {
        window.told.push(`${title}: ${options.body}`);
      }
      close() {}
    };
    window.hide = (hidden) => Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
    window.hide(true);
  });
  const told = () => page.evaluate(() => window.told);
  await project.pawl("done", "7", "--as", "ada");
  await becomes(() => laneOf(page, 8), "ready", "#8");
  assert.deepEqual(await told(), [], "nobody asked for them");

  await page.evaluate(() => window.hide(false));
  await page.getByRole("button", { name: "Notify" }).click();
  await until(page, () => document.querySelector('button[aria-pressed="true"]')?.textContent === "Notify");
  await page.evaluate(() => window.hide(true));
  await project.pawl("done", "17", "--as", "ada");
  await becomes(async () => (await told()).length, 1, "notifications");
  const [first] = await told();
  for (const words of ["#17", "#18", "ada"]) assert.ok(first.includes(words), first);
});
