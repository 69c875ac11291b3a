import type { Op, Task } from "../types";

// What of a task is edited, as it stands in the fields.
export interface Draft {
  subject: string;
  description: string;
  activeForm: string;
  priority: Task["priority"];
  parent: number; // 0: none
  labels: string[];
}

export const fields = ["subject", "description", "activeForm", "priority", "parent"] as const;
export type FieldName = (typeof fields)[number];

export const fieldWords: Record<FieldName, string> = { subject: "subject", description: "description", activeForm: "active form", priority: "priority", parent: "parent" };

export function draftOf(t: Task): Draft {
  return { subject: t.subject, description: t.description, activeForm: t.activeForm ?? "", priority: t.priority, parent: t.parent ?? 0, labels: t.labels ?? [] };
}

// changes is the op that makes a task what was written, of what it was when the
// editing began: only what was changed is sent, so that what others do at the same time
// stays. Nothing: nothing was changed.
export function changes(id: number, was: Draft, is: Draft): Op | undefined {
  const op: Extract<Op, { op: "update" }> = { op: "update", id };
  for (const f of fields) if (is[f] !== was[f]) Object.assign(op, { [f]: is[f] });
  const add = is.labels.filter((l) => !was.labels.includes(l));
  const remove = was.labels.filter((l) => !is.labels.includes(l));
  if (add.length > 0) op.addLabels = add;
  if (remove.length > 0) op.removeLabels = remove;
  return Object.keys(op).length > 2 ? op : undefined;
}

// overtaken are the fields that were changed here and, since then, by somebody else
// too, to something else: to send them is to overwrite.
export function overtaken(was: Draft, is: Draft, now: Draft): FieldName[] {
  return fields.filter((f) => is[f] !== was[f] && now[f] !== was[f] && now[f] !== is[f]);
}

// follow lets fields that nobody touched here become what they are now.
export function follow(was: Draft, is: Draft, now: Draft): Draft {
  const next = { ...is };
  for (const f of fields) if (is[f] === was[f]) Object.assign(next, { [f]: now[f] });
  next.labels = [...is.labels.filter((l) => !was.labels.includes(l) || now.labels.includes(l)), ...now.labels.filter((l) => !was.labels.includes(l) && !is.labels.includes(l))];
  return next;
}
