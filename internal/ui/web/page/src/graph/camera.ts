import type { Box, Point } from "./grid";

/** A camera says where the world is on the screen: screen = world × k + (x, y). */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  w: number;
  h: number;
}

export const minZoom = 0.06;
export const maxZoom = 2;

// Glyph and number of a node can be read down to this; a graph that needs less
// is fitted in part.
export const minFit = 0.15;

// What tasks are called can be read down to this: so a graph is met.
export const minMeet = 0.5;

const margin = 32;

export function toWorld(c: Camera, p: Point): Point {
  return { x: (p.x - c.x) / c.k, y: (p.y - c.y) / c.k };
}

export function toScreen(c: Camera, p: Point): Point {
  return { x: p.x * c.k + c.x, y: p.y * c.k + c.y };
}

/** The part of the world that is on the screen, and some more on each side. */
export function seen(c: Camera, size: Size, more = 0): Box {
  const p = toWorld(c, { x: -more, y: -more });
  return { x: p.x, y: p.y, w: (size.w + 2 * more) / c.k, h: (size.h + 2 * more) / c.k };
}

/** Zooms so that what is at a point of the screen stays there. */
export function zoomAt(c: Camera, at: Point, factor: number): Camera {
  const k = Math.min(maxZoom, Math.max(minZoom, c.k * factor));
  const p = toWorld(c, at);
  return { x: at.x - p.x * k, y: at.y - p.y * k, k };
}

/**
 * Shows all of a box, never larger than life. Where that would be too small to
 * read, it shows as much as can be read, around a point.
 */
export function fit(box: Box, size: Size, around?: Point, least = minFit): Camera {
  const wide = Math.max(1, size.w - 2 * margin);
  const high = Math.max(1, size.h - 2 * margin);
  const whole = Math.min(1, wide / Math.max(1, box.w), high / Math.max(1, box.h));
  const k = Math.max(least, whole);
  const axis = (from: number, length: number, room: number, centre: number | undefined) => {
    if (length * k <= room || centre === undefined) return (room - length * k) / 2 - from * k;
    const wanted = room / 2 - centre * k;
    const first = margin - from * k;
    const last = room - margin - (from + length) * k;
    return Math.min(first, Math.max(last, wanted));
  };
  const x = axis(box.x, box.w, size.w, around?.x ?? (whole < k ? box.x : undefined));
  const y = axis(box.y, box.h, size.h, around?.y ?? (whole < k ? box.y + box.h / 2 : undefined));
  return { x, y, k };
}

/** Moves as little as is needed to have a box on the screen. */
export function reveal(c: Camera, box: Box, size: Size): Camera {
  const shift = (low: number, length: number, room: number) => {
    const high = low + length;
    if (low < margin) return margin - low;
    if (high > room - margin) return Math.max(room - margin - high, margin - low);
    return 0;
  };
  const p = toScreen(c, box);
  return { k: c.k, x: c.x + shift(p.x, box.w * c.k, size.w), y: c.y + shift(p.y, box.h * c.k, size.h) };
}

const least = 80; // pixels of the graph that stay on the screen

/** Keeps the graph from being lost out of sight. */
export function keep(c: Camera, box: Box, size: Size): Camera {
  const within = (at: number, low: number, length: number, room: number) =>
    Math.min(room - least - low * c.k, Math.max(least - (low + length) * c.k, at));
  return { k: c.k, x: within(c.x, box.x, box.w, size.w), y: within(c.y, box.y, box.h, size.h) };
}

/** How much of a node is worth showing: whole cards, what they are called, or glyph and number. */
export function level(k: number): "card" | "name" | "sign" {
  if (k >= 0.76) return "card";
  return k >= 0.34 ? "name" : "sign";
}

// What text measures on the screen at least, in pixels.
const readable = 11.5;

/**
 * The size of a node's text in the world. Zooming out, text grows against the
 * card, in steps, so that not every turn of a wheel lays out all text again.
 */
export function textSize(k: number): number {
  const step = Math.pow(1.1, Math.floor(Math.log(k) / Math.log(1.1)));
  const size = Math.max(13, Math.round(readable / step));
  return Math.min(size, level(k) === "sign" ? 72 : 36);
}

/** How much thicker than drawn edges are in the world, so that they can be seen from afar. */
export function edgeScale(k: number): number {
  return Math.max(1, textSize(k) / 22);
}

const room = 80; // for lines of text on a card, as in graph.css

/** How many lines of text a card has where it shows nothing else. */
export function lines(k: number): number {
  return Math.max(1, Math.floor(room / (textSize(k) * 1.06)));
}

/** The height of such a line: none is seen in part. */
export function lineHeight(k: number): number {
  return room / lines(k);
}
