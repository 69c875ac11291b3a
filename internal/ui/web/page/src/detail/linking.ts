import { act } from "../actions";
import type { ID } from "../types";

// unlink removes a blocker of a task, unblock a task that it blocks.
export const unlink = (id: ID, other: ID) => act([{ op: "update", id, removeBlockedBy: [other] }], id);
export const unblock = (id: ID, other: ID) => act([{ op: "update", id, removeBlocks: [other] }], id);
