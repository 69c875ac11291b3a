// The server places the graph on a grid of layers and rows; this makes pixels
// of it. Nodes of a layer are two rows apart at least, bends one.

export interface Place {
  layer: number;
  row: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  w: number;
  h: number;
}

// Six layers fit a laptop's screen with all that a card says.
export const nodeWidth = 212;
export const nodeHeight = 92;

// Half the height and some air: what is two rows apart does not touch, and an
// edge fits between.
const rowStep = 54;

// What is left between two layers is where edges turn.
const layerStep = nodeWidth + 52;

/** The upper left corner of a node. */
export function corner(at: Place): Point {
  return { x: at.layer * layerStep, y: at.row * rowStep };
}

/** Where edges leave a node. */
export function outOf(at: Place): Point {
  const p = corner(at);
  return { x: p.x + nodeWidth, y: p.y + nodeHeight / 2 };
}

/** Where edges come in. */
export function into(at: Place): Point {
  const p = corner(at);
  return { x: p.x, y: p.y + nodeHeight / 2 };
}

/** The middle of a node. */
export function middle(at: Place): Point {
  const p = corner(at);
  return { x: p.x + nodeWidth / 2, y: p.y + nodeHeight / 2 };
}

/** The box around all these places; a box without size where there are none. */
export function bounds(places: Place[]): Box {
  if (places.length === 0) return { x: 0, y: 0, w: 0, h: 0 };
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const at of places) {
    const p = corner(at);
    left = Math.min(left, p.x);
    top = Math.min(top, p.y);
    right = Math.max(right, p.x + nodeWidth);
    bottom = Math.max(bottom, p.y + nodeHeight);
  }
  return { x: left, y: top, w: right - left, h: bottom - top };
}

/** Whether a node shows in a box of the world. */
export function shows(at: Place, box: Box): boolean {
  const p = corner(at);
  return p.x < box.x + box.w && p.x + nodeWidth > box.x && p.y < box.y + box.h && p.y + nodeHeight > box.y;
}
