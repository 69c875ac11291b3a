import { describe, expect, it } from "vitest";
import { fit, keep, level, lineHeight, lines, minFit, reveal, seen, textSize, toScreen, toWorld, zoomAt } from "./camera";
import { bounds, corner, into, nodeHeight, nodeWidth, outOf, shows } from "./grid";
import { neighbours, reach, step } from "./reach";
import { route } from "./route";

describe("the grid", () => {
  it("keeps nodes of a layer apart, and layers", () => {
    expect(corner({ layer: 0, row: 2 }).y - corner({ layer: 0, row: 0 }).y).toBeGreaterThan(nodeHeight);
    expect(into({ layer: 1, row: 0 }).x).toBeGreaterThan(outOf({ layer: 0, row: 0 }).x);
  });

  it("keeps a bend off the card beside it", () => {
    const bend = into({ layer: 1, row: 1 }).y;
    expect(bend).toBeGreaterThan(corner({ layer: 1, row: 0 }).y + nodeHeight);
    expect(bend).toBeLessThan(corner({ layer: 1, row: 2 }).y);
  });

  it("bounds all nodes", () => {
    const places = [
      { layer: 0, row: 3 },
      { layer: 2, row: 0 },
    ];
    const box = bounds(places);
    for (const p of places) expect(shows(p, box)).toBe(true);
    expect(box.w).toBe(corner({ layer: 2, row: 0 }).x + nodeWidth);
    expect(bounds([])).toEqual({ x: 0, y: 0, w: 0, h: 0 });
  });
});

describe("an edge", () => {
  it("leads from the right side to the left one, through its bends", () => {
    const d = route({ layer: 0, row: 0 }, { layer: 2, row: 0 }, [[1, 1]]);
    const numbers = d.match(/-?[\d.]+/g)!.map(Number);
    const from = outOf({ layer: 0, row: 0 });
    const to = into({ layer: 2, row: 0 });
    expect(numbers.slice(0, 2)).toEqual([from.x, from.y]);
    expect(numbers.slice(-2)).toEqual([to.x, to.y]);
    expect(d).toContain(`L${outOf({ layer: 1, row: 1 }).x},${outOf({ layer: 1, row: 1 }).y}`);
  });

  it("goes round where it leads back", () => {
    const d = route({ layer: 1, row: 0 }, { layer: 0, row: 0 }, [], true);
    expect(d.match(/C/g)).toHaveLength(2);
  });
});

describe("the camera", () => {
  const size = { w: 1000, h: 600 };

  it("shows all of a small graph, no larger than life", () => {
    expect(fit({ x: 0, y: 0, w: 100, h: 50 }, size).k).toBe(1);
    const box = { x: 50, y: -20, w: 4000, h: 900 };
    const c = fit(box, size);
    const [a, b] = [toScreen(c, box), toScreen(c, { x: box.x + box.w, y: box.y + box.h })];
    expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(0);
    expect(b.x).toBeLessThanOrEqual(size.w);
    expect(b.y).toBeLessThanOrEqual(size.h);
  });

  it("shows a large one no smaller than can be read, around what matters", () => {
    const box = { x: 0, y: 0, w: 100_000, h: 200_000 };
    const at = { x: 60_000, y: 90_000 };
    const c = fit(box, size, at);
    expect(c.k).toBe(minFit);
    const p = toScreen(c, at);
    expect(p).toEqual({ x: 500, y: 300 });
    expect(toScreen(fit(box, size), box).x).toBeCloseTo(32);
    expect(toScreen(fit(box, size, { x: 0, y: 0 }), box)).toEqual({ x: 32, y: 32 });
  });

  it("zooms around a point, within bounds", () => {
    const c = { x: 12, y: 34, k: 0.5 };
    const at = { x: 300, y: 200 };
    expect(toWorld(zoomAt(c, at, 1.7), at)).toEqual(toWorld(c, at));
    expect(zoomAt(c, at, 1e9).k).toBe(2);
    expect(zoomAt(c, at, 1e-9).k).toBe(0.06);
  });

  it("moves no further than it must", () => {
    const c = { x: 0, y: 0, k: 1 };
    expect(reveal(c, { x: 100, y: 100, w: 50, h: 50 }, size)).toEqual(c);
    expect(reveal(c, { x: 990, y: 100, w: 50, h: 50 }, size)).toEqual({ k: 1, x: -72, y: 0 });
    expect(reveal(c, { x: -50, y: 100, w: 50, h: 50 }, size).x).toBe(82);
  });

  it("does not lose the graph", () => {
    const box = { x: 0, y: 0, w: 2000, h: 500 };
    const c = { x: -700, y: 20, k: 1 };
    expect(keep(c, box, size)).toEqual(c);
    expect(keep({ x: -9999, y: 9999, k: 0.5 }, box, size)).toEqual({ x: -920, y: 520, k: 0.5 });
  });

  it("knows what is on the screen", () => {
    expect(seen({ x: -100, y: -10, k: 0.5 }, size)).toEqual({ x: 200, y: 20, w: 2000, h: 1200 });
  });

  it("keeps text of 10 pixels at any zoom at which a graph is fitted", () => {
    for (let k = 1; k >= minFit; k *= 0.97) expect(textSize(k) * k).toBeGreaterThan(9.5);
    expect(level(1)).toBe("card");
    expect(level(minFit)).toBe("sign");
  });

  it("has whole lines on a card, and two at least where names are shown", () => {
    for (let k = 0.75; level(k) === "name"; k *= 0.97) {
      expect(lines(k)).toBeGreaterThanOrEqual(2);
      expect(lines(k) * lineHeight(k)).toBeLessThanOrEqual(80);
      expect(lineHeight(k)).toBeGreaterThanOrEqual(textSize(k));
    }
  });
});

describe("walking", () => {
  // 1 ─ 2 ─ 4, 1 ─ 3 ─ 4
  const nodes = [
    { id: 1, layer: 0, row: 1 },
    { id: 2, layer: 1, row: 0 },
    { id: 3, layer: 1, row: 2 },
    { id: 4, layer: 2, row: 1 },
    { id: 5, layer: 0, row: 5 },
  ];
  const near = neighbours([
    { from: 1, to: 2 },
    { from: 1, to: 3 },
    { from: 2, to: 4 },
    { from: 3, to: 4 },
  ]);

  it("finds everything before and after, with the distance", () => {
    expect([...reach(near.after, [1])]).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 2],
    ]);
    expect([...reach(near.before, [2])]).toEqual([
      [2, 0],
      [1, 1],
    ]);
  });

  it("follows edges sideways and the layer up and down", () => {
    expect(step(nodes, near, 1, "right")).toBe(2);
    expect(step(nodes, near, 4, "left")).toBe(2);
    expect(step(nodes, near, 2, "down")).toBe(3);
    expect(step(nodes, near, 1, "left")).toBeUndefined();
    expect(step(nodes, near, 3, "down")).toBe(5);
    expect(step(nodes, near, 99, "up")).toBe(1);
  });
});
