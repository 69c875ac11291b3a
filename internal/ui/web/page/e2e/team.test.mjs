// The page of a team's server, where each browser is the holder of a token.
import assert from "node:assert/strict";
import { test, after, before } from "node:test";
import { launch, watch } from "./browser.mjs";
import { binary } from "./project.mjs";
import { Team } from "./team.mjs";
import { desktop, patience, settled, until } from "./waiting.mjs";
import { card } from "./look.mjs";

let browser;
let pawl;
before(async () => {
  [pawl, browser] = await Promise.all([binary(), launch()]);
});
after(() => browser?.close());

// story tells one story of a server with one board, "shop", and tokens of ada, who
// works, of eve, who reads, and of bot, which is an agent.
function story(name, tell, { allowed } = {}) {
  test(name, { timeout: 300_000 }, async () => {
    const team = await Team.make(pawl);
    const contexts = [];
    const faults = [];
    // browse gives a page of a browser of its own, at an address.
    const browse = async (address) => {
      const context = await browser.newContext({ viewport: desktop, colorScheme: "light" });
      contexts.push(context);
      context.setDefaultTimeout(patience);
      faults.push(await watch(context, team.origin, allowed));
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    try {
      await tell({ team, browse });
      assert.deepEqual(faults.flat(), []);
    } finally {
      await shoot(name, contexts);
      await Promise.all(contexts.map((c) => c.close().catch(() => undefined)));
      await team.end();
    }
  });
}

// shoot keeps a picture of what was seen last, where E2E_KEEP says.
async function shoot(name, contexts) {
  if (!process.env.E2E_KEEP) return;
  const pages = contexts.flatMap((c) => c.pages());
  await Promise.all(pages.map((p, i) => p.screenshot({ path: `${process.env.E2E_KEEP}/team-${name.replace(/\W+/g, "-")}-${i}.png`, timeout: 5000 }).catch(() => undefined)));
}

const about = (page) => page.locator(".top h1").getAttribute("title");

story("a link opens the page of the board, in the name of who made it", async ({ team, browse }) => {
  await team.as("ada", "add", "Set up the shop");
  await team.as("bot", "claim", "1");
  const page = await browse(await team.link("ada"));
  await settled(page);
  await card(page, 1).waitFor();
  await page.getByText("bot").first().waitFor();
  assert.match(await about(page), /, as ada$/);
  assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes(team.tokens.ada), "the browser has the token");
  assert.ok(page.url().startsWith(`${team.address}/`) && !page.url().includes("#K"), page.url());
  await page.reload();
  await card(page, 1).waitFor();
  // What one does on the page, another one's agent is told.
  await page.getByRole("button", { name: "Add" }).first().click();
  await page.keyboard.type("Write the till");
  await page.keyboard.press("Enter");
  await card(page, 2).waitFor();
  await until(page, () => document.querySelectorAll("[data-card]").length === 2);
  assert.match(await team.as("bot", "show", "2"), /Write the till/);
});

story(
  "without a link the page asks for a token, and takes the right one",
  async ({ team, browse }) => {
    await team.as("ada", "add", "Set up the shop");
    const page = await browse(`${team.address}/`);
    await page.getByRole("heading", { name: "shop" }).waitFor();
    await page.getByLabel("Token").fill("pawl_wrong_wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    await shoot("token form", [page.context()]);
    await page.getByLabel("Token").fill(team.tokens.ada);
    await page.keyboard.press("Enter");
    await card(page, 1).waitFor();
    assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).includes(team.tokens.ada), "the browser has the token");
  },
  { allowed: [401] },
);

story("a token that reads sees the board and no button that changes it", async ({ team, browse }) => {
  await team.as("ada", "add", "Set up the shop");
  await team.as("ada", "add", "Write the till", "--blocked-by", "1");
  const page = await browse(await team.link("eve"));
  await settled(page);
  await page.getByText("read only").waitFor();
  for (const name of ["Add", "Claim #1", "Complete #1"]) assert.equal(await page.getByRole("button", { name, exact: true }).count(), 0, name);
  await card(page, 1).click();
  await page.locator(".detail").waitFor();
  for (const name of ["Claim", "Complete", "Edit", "Link", "Note", "Assign", "Delete"]) assert.equal(await page.locator(".detail").getByRole("button", { name, exact: true }).count(), 0, name);
  await page.keyboard.press("d");
  await page.getByText("Your token may only read this board").waitFor();
  // A what-if writes nothing, so it is for everybody.
  await page.keyboard.press("w");
  await page.keyboard.press("d");
  await page.getByText("1 left to do").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Do it/ }).count(), 0);
});

story(
  "a page ends when its token is revoked",
  async ({ team, browse }) => {
    await team.as("ada", "add", "Set up the shop");
    const page = await browse(await team.link("eve"));
    await card(page, 1).waitFor();
    await team.revoke("eve");
    await page.getByLabel("Token").waitFor();
    assert.equal(await page.locator("[data-card]").count(), 0);
  },
  { allowed: [401, "unreachable"] },
);

story(
  "while the server is away the page says since when, and goes on by itself",
  async ({ team, browse }) => {
    await team.as("ada", "add", "Set up the shop");
    const page = await browse(await team.link("ada"));
    await card(page, 1).waitFor();
    await team.kill();
    await page.getByText("has not answered since").waitFor();
    await card(page, 1).waitFor();
    await shoot("away", [page.context()]);
    await team.serve();
    await page.getByText("has not answered since").waitFor({ state: "detached" });
    await team.as("bot", "add", "Write the till");
    await card(page, 2).waitFor();
  },
  { allowed: ["unreachable"] },
);

story(
  "a page of one's own machine says when the server of its board is away",
  async ({ team, browse }) => {
    await team.as("ada", "add", "Set up the shop");
    const page = await browse(await team.local("ada"));
    await card(page, 1).waitFor();
    await team.kill();
    await page.getByText("has not answered since").waitFor();
    await card(page, 1).waitFor();
    await shoot("local away", [page.context()]);
    await team.serve();
    await page.getByText("has not answered since").waitFor({ state: "detached" });
    await team.as("bot", "add", "Write the till");
    await card(page, 2).waitFor();
  },
  { allowed: [503, "unreachable"] },
);
