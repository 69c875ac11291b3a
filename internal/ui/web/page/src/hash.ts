import type { ID, Level } from "./types";

// Where a person is stands behind the # of the address, so that it survives a
// reload and can be gone back to:
//
//	#/graph/12?label=core&task=7

export type Tab = "lanes" | "graph" | "todos" | "timeline";
export const tabs: Tab[] = ["lanes", "graph", "todos", "timeline"];

// Filter chooses tasks as the flags of pawl list do.
export interface Filter {
  owner?: string;
  label: string[]; // tasks with all of these
  priority?: Level;
  text?: string;
  parent?: ID;
}

export interface Place {
  tab: Tab;
  id?: ID; // of the graph: around which task
  task?: ID; // whose details are open
  filter: Filter;
}

export const noFilter: Filter = { label: [] };

const levels = ["high", "medium", "low"];

export function parseHash(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [, name, at] = path.split("/");
  const q = new URLSearchParams(query);
  const priority = q.get("priority") ?? "";
  const filter: Filter = { label: q.getAll("label").filter(Boolean) };
  if (q.get("owner")) filter.owner = q.get("owner")!;
  if (levels.includes(priority)) filter.priority = priority as Level;
  if (q.get("text")) filter.text = q.get("text")!;
  if (id(q.get("parent"))) filter.parent = id(q.get("parent"));
  const place: Place = { tab: tabs.find((t) => t === name) ?? "lanes", filter };
  if (id(at)) place.id = id(at);
  if (id(q.get("task"))) place.task = id(q.get("task"));
  return place;
}

export function formatHash(p: Place): string {
  const q = filterParams(p.filter);
  if (p.task) q.set("task", String(p.task));
  const query = q.toString();
  return `#/${p.tab}${p.tab === "graph" && p.id ? `/${p.id}` : ""}${query ? `?${query}` : ""}`;
}

// filterParams are the keys of a filter in an address, of the page as of the API.
export function filterParams(f: Filter): URLSearchParams {
  const q = new URLSearchParams();
  if (f.owner) q.set("owner", f.owner);
  for (const l of f.label) q.append("label", l);
  if (f.priority) q.set("priority", f.priority);
  if (f.text) q.set("text", f.text);
  if (f.parent) q.set("parent", String(f.parent));
  return q;
}

export function isFiltered(f: Filter): boolean {
  return filterParams(f).size > 0;
}

function id(s: string | null | undefined): ID | undefined {
  return s && /^[1-9]\d{0,14}$/.test(s) ? Number(s) : undefined;
}
