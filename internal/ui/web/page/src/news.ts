import type { Change, ID } from "./types";

// News is something that a person may want to hear of who does not look.
export interface News {
  what: "ready" | "completed" | "held";
  id: ID;
  subject: string;
  by: string;
}

// newsOf are the news in a change. What one did oneself is none.
export function newsOf({ change, mine }: Change): News[] {
  if (mine) return [];
  const by = change.by.name;
  const did = change.verb === "complete" ? "completed" : change.verb === "hold" ? "held" : undefined;
  const done: News[] = did && !change.bulk ? change.tasks.filter((t) => doneTo(t, did)).map((t) => ({ what: did, id: t.id, subject: t.subject, by })) : [];
  return [...done, ...change.ready.map((r): News => ({ what: "ready", id: r.id, subject: r.subject, by }))];
}

// doneTo: the task is one that the verb was about, and no neighbour of it.
function doneTo(t: Change["change"]["tasks"][number], did: "completed" | "held"): boolean {
  return t.change === "edited" && !!t.fields?.includes(did === "completed" ? "status" : "hold");
}

const mostLines = 4;
const titles = { ready: "Ready", completed: "Completed", held: "On hold" };

// told are news as a notification: a single one with its task, several in lines
// and counted.
export function told(news: News[]): { title: string; body: string; id?: ID } {
  const latest = new Map(news.map((n) => [`${n.what} ${n.id}`, n]));
  const all = [...latest.values()];
  const say = (n: News): string => `${titles[n.what]}: #${n.id} ${n.subject}${n.what === "ready" ? "" : `, by ${n.by}`}`;
  const [first] = all;
  if (first && all.length === 1) return { title: `${titles[first.what]}: #${first.id}`, body: first.what === "ready" ? first.subject : `${first.subject}, by ${first.by}`, id: first.id };
  const counts = (["ready", "completed", "held"] as const).map((what) => [all.filter((n) => n.what === what).length, what] as const).filter(([n]) => n > 0);
  const lines = all.slice(0, mostLines).map(say);
  if (all.length > mostLines) lines.push(`and ${all.length - mostLines} more`);
  return { title: counts.map(([n, what]) => `${n} ${what}`).join(", "), body: lines.join("\n") };
}
