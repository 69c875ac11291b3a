import { afterEach, expect, test, vi } from "vitest";

vi.stubGlobal("history", { pushState: () => {}, replaceState: () => {} });
vi.stubGlobal("location", { hash: "" });
const { keyGroups, pressed, typeAhead } = await import("./keys");
const { dialog, notices, openTask, selected, tab, typedAhead } = await import("./state");

afterEach(() => {
  dialog.value = undefined;
  selected.value = undefined;
  notices.value = [];
});

test("no key means two things, and each is explained", () => {
  const keys = keyGroups.flatMap((g) => g.keys);
  const names = keys.flatMap((k) => k.keys);
  expect(names.length).toBeGreaterThan(25);
  expect(new Set(names).size).toBe(names.length);
  for (const k of keys) expect(k.written && k.does, k.written).toBeTruthy();
});

test("the keys of the drawing are there", () => {
  const names = keyGroups.flatMap((g) => g.keys.flatMap((k) => k.keys));
  for (const key of ["j", "k", "Enter", "a", "e", "c", "s", "d", "r", "l", "h", "u", "m", "/", "f", "g", "b", "t", "?"]) expect(names).toContain(key);
});

test("a key for a task needs one", () => {
  expect(pressed("e")).toBe(true);
  expect(dialog.value).toBeUndefined();
  expect(notices.value[0]?.text).toContain("No task is selected");
  selected.value = 4;
  pressed("e");
  expect(dialog.value).toEqual({ kind: "edit", id: 4 });
});

test("what is typed before a field is there is text", () => {
  const key = (name: string, more = {}) => typeAhead({ key: name, ctrlKey: false, metaKey: false, altKey: false, ...more });
  expect(key("c")).toBe(false);
  typedAhead.value = "";
  expect(["d", " ", "C"].map((name) => key(name))).toEqual([true, true, true]);
  expect(key("Escape") || key("r", { ctrlKey: true })).toBe(false);
  expect(typedAhead.value).toBe("d C");
  typedAhead.value = undefined;
});

test("views are a key away, and what is open closes", () => {
  for (const [key, view] of [["t", "timeline"], ["g", "graph"], ["b", "lanes"]] as const) {
    pressed(key);
    expect(tab.value).toBe(view);
  }
  selected.value = 4;
  expect(pressed("~")).toBe(false);
  expect(openTask.value).toBeUndefined();
});
