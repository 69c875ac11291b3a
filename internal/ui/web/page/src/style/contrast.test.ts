import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Text on its ground has at least the contrast that WCAG 2 AA asks of small text.
const enough = 4.5;
const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const tokens = new Map([...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((m) => [m[1]!, [m[2]!, m[3]!] as const]));

const grounds: Record<string, string[]> = {
  text: ["ground", "raised", "hover", "ready-ground", "doing-ground", "blocked-ground", "bad-ground"],
  soft: ["ground", "raised", "hover", "ready-ground", "doing-ground", "blocked-ground", "bad-ground"],
  quiet: ["ground", "raised", "ready-ground", "doing-ground", "blocked-ground", "bad-ground"],
  ready: ["ground", "raised", "ready-ground"],
  doing: ["ground", "raised", "doing-ground"],
  blocked: ["ground", "raised", "blocked-ground"],
  bad: ["ground", "raised", "bad-ground", "doing-ground", "hover"],
  "on-main": ["main", "main-hover"],
};

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(hex.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

test.each(["light", "dark"])("every text can be read on its ground, %s", (theme) => {
  const i = theme === "light" ? 0 : 1;
  let pairs = 0;
  for (const [text, on] of Object.entries(grounds))
    for (const ground of on) {
      pairs++;
      expect.soft(contrast(tokens.get(text)![i], tokens.get(ground)![i]), `${text} on ${ground}`).toBeGreaterThanOrEqual(enough);
    }
  expect(pairs).toBeGreaterThan(25);
});
