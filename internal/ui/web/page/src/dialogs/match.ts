import type { ID, State } from "../types";

// A Choice is a task that can be chosen.
export interface Choice {
  id: ID;
  subject: string;
  state: State;
  owner?: string;
  labels?: string[];
}

const letters = 4; // the rank of what has but the letters of the words: shown where nothing better is

// match finds the tasks that a text means, the best first: by number, by the
// words of the subject one after another, by all of its words in any order, by
// who has it or a label. Those that match equally stay in their order.
export function match(all: Choice[], text: string): Choice[] {
  const sought = text.trim().toLowerCase();
  if (!sought) return all;
  const number = sought.replace(/^#/, "");
  const words = sought.split(/\s+/);
  const ranked: { c: Choice; rank: number }[] = [];
  for (const c of all) {
    const subject = c.subject.toLowerCase();
    const whole = [subject, `#${c.id}`, c.owner ?? "", ...(c.labels ?? [])].join(" ").toLowerCase();
    if (String(c.id) === number) ranked.push({ c, rank: 0 });
    else if (subject.startsWith(sought)) ranked.push({ c, rank: 1 });
    else if (subject.includes(sought)) ranked.push({ c, rank: 2 });
    else if (words.every((w) => whole.includes(w))) ranked.push({ c, rank: 3 });
    else if (words.every((w) => inOrder(w, subject))) ranked.push({ c, rank: letters });
  }
  const better = ranked.some((r) => r.rank < letters);
  return ranked
    .filter((r) => !better || r.rank < letters)
    .sort((a, b) => a.rank - b.rank)
    .map((r) => r.c);
}

// inOrder: the letters are there one after another.
function inOrder(letters: string, text: string): boolean {
  let at = 0;
  for (const l of letters) {
    at = text.indexOf(l, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
