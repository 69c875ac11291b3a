import { expect, test } from "vitest";
import { type Place, filterParams, formatHash, isFiltered, noFilter, parseHash } from "./hash";

test("a place is found again by its address", () => {
  const places: Place[] = [
    { tab: "lanes", filter: noFilter },
    { tab: "graph", id: 12, filter: noFilter },
    { tab: "timeline", task: 7, filter: { label: ["a&b", "c d", "ä"], owner: "ada?#/x", priority: "high", text: "100 % & more", parent: 3 } },
  ];
  for (const p of places) expect(parseHash(formatHash(p))).toEqual(p);
  expect(formatHash(places[1]!)).toBe("#/graph/12");
});

test("what an address does not say right is left out", () => {
  for (const hash of ["", "#", "#/", "#/nowhere", "#lanes", "#/lanes/4?task=x&priority=urgent&label=&parent=-1", "#/lanes?task=99999999999999999999"])
    expect(parseHash(hash), hash).toEqual({ tab: "lanes", filter: noFilter, ...(hash.includes("/4") && { id: 4 }) });
});

test("a filter is spelled as the API reads it", () => {
  expect(filterParams({ label: ["x", "y"], owner: "ada", parent: 4 }).toString()).toBe("owner=ada&label=x&label=y&parent=4");
  expect(isFiltered(noFilter)).toBe(false);
  expect(isFiltered({ label: ["x"] })).toBe(true);
});
