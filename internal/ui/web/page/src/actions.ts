import { ApiError, Unreachable, dryOps, get, ops } from "./api";
import { type Refusal, allow, asDone, boardIsThere, dialog, hint, imagining, mayChange, mayForce, notify, refusals, refuse, typedAhead } from "./state";
import type { ErrorBody, ID, Op, Result, TaskAnswer } from "./types";

// What a person can do to the board. Each asks the server, which decides; what
// came of it becomes a notice, and what was refused a reason on the card too.

const onlyReads: ErrorBody = { kind: "invalid", message: "Your token may only read this board" };

// act asks for ops on behalf of a task, and returns what came of them; nothing
// where they were refused.
export async function act(list: Op[], on?: ID): Promise<Result | undefined> {
  if (!mayChange.value) {
    refused(on, onlyReads);
    return undefined;
  }
  if (imagining.value) {
    refused(on, { kind: "invalid", message: "Nothing is written in a what-if", hint: "leave it first (w)" });
    return undefined;
  }
  refusals.value = new Map();
  try {
    const result = await ops(list);
    boardIsThere();
    hint.value++;
    if (result.said) notify({ text: result.said, undo: result.changed ? result.revision : undefined, ids: result.ids });
    return result;
  } catch (err) {
    const why = errorBody(err);
    refused(on, why, insisted(list, why));
    return undefined;
  }
}

// insisted is what a person may do in spite of a refusal: take what somebody
// else has.
export function insisted(list: Op[], why: ErrorBody): Refusal["anyway"] {
  const words = { claim: "Take it anyway", complete: "Complete anyway", release: "Release anyway", delete: "Delete anyway" };
  const op = list[0];
  if (!mayForce.value) return undefined; // an agent's token
  if (why.kind !== "conflict" || !why.holder || list.length !== 1 || !op || !(op.op in words) || ("force" in op && op.force)) return undefined;
  return { does: words[op.op as keyof typeof words], ops: [{ ...op, force: true } as Op] };
}

// wouldRefuse asks what would keep ops from being done; nothing: nothing would.
export async function wouldRefuse(list: Op[], signal?: AbortSignal): Promise<ErrorBody | undefined> {
  try {
    await dryOps(list, signal);
    return undefined;
  } catch (err) {
    return errorBody(err);
  }
}

// errorBody is an error in words, whatever went wrong.
export function errorBody(err: unknown): ErrorBody {
  if (err instanceof ApiError) return err.body;
  if (err instanceof Unreachable) return { kind: "unavailable", message: err.message, hint: "start it again, and the page goes on" };
  throw err;
}

export function refused(on: ID | undefined, why: ErrorBody, anyway?: Refusal["anyway"]): void {
  const told = { hint: why.hint, ids: why.ids, anyway };
  notify({ text: why.message, bad: true, about: on, ...told });
  if (on) refuse(on, { message: why.message, ...told });
}

export const claim = (id: ID) => act([{ op: "claim", id }], id);
export const start = (id: ID) => act([{ op: "start", ids: [id] }], id);
export const reopen = (id: ID) => act([{ op: "reopen", ids: [id] }], id);
export const release = (id: ID) => act([{ op: "release", ids: [id] }], id);
export const lift = (id: ID) => act([{ op: "lift", ids: [id] }], id);
export const hold = (id: ID, reason: string) => act([{ op: "hold", ids: [id], reason }], id);
export const note = (id: ID, text: string) => act([{ op: "note", id, text }], id);
export const assign = (id: ID, owner: string) => act([{ op: "assign", ids: [id], owner }], id);
export const link = (id: ID, blocker: ID) => act([{ op: "update", id, addBlockedBy: [blocker] }], id);
export const unlink = (id: ID, blocker: ID) => act([{ op: "update", id, removeBlockedBy: [blocker] }], id);
export const remove = (id: ID, force = false) => act([{ op: "delete", ids: [id], force }], id);
export const undo = (revision?: number) => act([{ op: "undo", revision }]);

// complete completes a task, or in a what-if takes it as completed.
export function complete(id: ID): Promise<unknown> {
  return imagining.value ? imagine((ids) => (ids.includes(id) ? ids : [...ids, id]), id) : act([{ op: "complete", ids: [id] }], id);
}

let imagined: Promise<unknown> = Promise.resolve(); // the imagining before this one

// imagine takes tasks as completed if they could be, in this order. Each change
// is made to what the one before it left, for answers may overtake one another.
export function imagine(change: (ids: ID[]) => ID[], on?: ID): Promise<boolean> {
  const next = imagined.then(() => imagineNow(change(asDone.value), on));
  imagined = next.catch(() => undefined);
  return next;
}

async function imagineNow(ids: ID[], on?: ID): Promise<boolean> {
  if (!imagining.value) return false; // it was left since
  if (on) allow(on);
  try {
    await get(`lanes?done=0${ids.map((i) => `&asDone=${i}`).join("")}`);
    if (!imagining.value) return false;
    asDone.value = ids;
    return true;
  } catch (err) {
    refused(on, errorBody(err));
    return false;
  }
}

// holdOrLift lifts the hold of a task that has one, and else asks for a reason.
export async function holdOrLift(id: ID): Promise<void> {
  typedAhead.value = "";
  try {
    const { task } = await get<TaskAnswer>(`tasks/${id}`);
    if (task.hold) await lift(id);
    else dialog.value = { kind: "hold", id, text: typedAhead.value };
  } catch (err) {
    refused(id, errorBody(err));
  } finally {
    typedAhead.value = undefined;
  }
}
