import { act } from "../actions";
import type { ID } from "../types";

// unlink lets a task wait for another one no more, unblock the other for it.
export const unlink = (id: ID, other: ID) => act([{ op: "update", id, removeBlockedBy: [other] }], id);
export const unblock = (id: ID, other: ID) => act([{ op: "update", id, removeBlocks: [other] }], id);
