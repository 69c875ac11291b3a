import { into, outOf, type Place, type Point } from "./grid";

/** How an edge runs: from the right side of a node to the left of another one, through its bends. */
export function route(from: Place, to: Place, bends: [number, number][] = [], back = false): string {
  if (back) return roundAbout(outOf(from), into(to));
  const start = outOf(from);
  let d = `M${start.x},${start.y}`;
  let at = start;
  for (const [layer, row] of bends) {
    // A bend is level with the cards of its layer: the edge passes them straight.
    const left = into({ layer, row });
    const right = outOf({ layer, row });
    d += curve(at, left) + `L${right.x},${right.y}`;
    at = right;
  }
  return d + curve(at, into(to));
}

/** An edge that is being drawn, to wherever the pointer is. */
export function towards(from: Place, to: Point): string {
  const start = outOf(from);
  return `M${start.x},${start.y}` + curve(start, to);
}

function curve(a: Point, b: Point): string {
  const pull = Math.max(24, Math.min(Math.abs(b.x - a.x) / 2, 160));
  return `C${a.x + pull},${a.y} ${b.x - pull},${b.y} ${b.x},${b.y}`;
}

// An edge that closes a cycle leads to a layer at or before its own: it goes
// round below both.
function roundAbout(a: Point, b: Point): string {
  const below = Math.max(a.y, b.y) + 70;
  const middle = (a.x + b.x) / 2;
  return (
    `M${a.x},${a.y}C${a.x + 60},${a.y} ${a.x + 60},${below} ${middle},${below}` + `C${b.x - 60},${below} ${b.x - 60},${b.y} ${b.x},${b.y}`
  );
}
