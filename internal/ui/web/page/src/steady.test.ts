import { expect, test } from "vitest";
import { Pointer, moment } from "./steady";

const here = { x: 100, y: 100 };
const shaking = { x: 102, y: 99 };
const there = { x: 160, y: 100 };

test("what a person goes to takes a press at once", () => {
  const p = new Pointer();
  p.moved(here, "Complete #1", 0);
  expect(p.pressed(here, "Complete #1", 1)).toBe(true);
  p.moved(there, "Complete #2", 2);
  expect(p.pressed(there, "Complete #2", 3)).toBe(true);
});

test("what comes under a pointer that rests takes none for a moment", () => {
  const p = new Pointer();
  p.moved(here, "Complete #1", 0);
  expect(p.pressed(here, "Complete #1", 1000)).toBe(true);
  p.looked("Complete #2", 1100);
  expect(p.pressed(here, "Complete #2", 1200)).toBe(false);
  expect(p.pressed(shaking, "Complete #2", 1100 + moment - 1)).toBe(false);
  expect(p.pressed(shaking, "Complete #2", 1100 + moment)).toBe(true);
});

test("nor where nothing was heard of the change, and a hand that shakes is no movement", () => {
  const p = new Pointer();
  p.moved(here, "Claim #1", 0);
  expect(p.pressed(here, "Claim #1", 10)).toBe(true);
  expect(p.pressed(shaking, "Complete #1", 200)).toBe(false);
  p.looked("card 3", 300);
  p.moved(shaking, "card 4", 310);
  expect(p.pressed(shaking, "card 4", 400)).toBe(false);
  p.moved(there, "card 5", 410);
  expect(p.pressed(there, "card 5", 420)).toBe(true);
});

test("the same thing can be pressed again and again", () => {
  const p = new Pointer();
  p.moved(here, "Zoom in", 0);
  for (let i = 0; i < 5; i++) expect(p.pressed(here, "Zoom in", i)).toBe(true);
});

test("what is scrolled there by hand takes a press at once", () => {
  const p = new Pointer();
  p.moved(here, "card 1", 0);
  p.looked("card 2", 10, true);
  expect(p.pressed(here, "card 2", 20)).toBe(true);
});

test("a second tap of a finger at one spot is about the same thing, or about nothing", () => {
  const p = new Pointer();
  expect(p.tapped(here, "card 1", 0)).toBe(true);
  p.looked("Complete", 1000);
  expect(p.tapped(shaking, "Complete", 1200)).toBe(false);
  expect(p.tapped(here, "Hold", 1300)).toBe(false); // beside it
  expect(p.tapped(shaking, "Complete", 1000 + moment)).toBe(true);
  p.looked("card 2", 2000);
  expect(p.tapped(there, "Undo", 2010)).toBe(true);
  expect(p.tapped(there, "Undo", 2020)).toBe(true);
});
