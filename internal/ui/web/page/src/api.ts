import { localTimes } from "./clock";
import { currentToken } from "./token";
import type { ErrorBody, Op, Result } from "./types";

// ApiError is a request that the server refused, in its words.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
  ) {
    super(body.message);
  }
}

// Unreachable is a request that no server answered.
export class Unreachable extends Error {
  constructor() {
    super("pawl serve does not answer");
  }
}

const root = "api/v1/"; // below the page, wherever that is

export function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${currentToken()}`);
  return fetch(root + path, { ...init, headers, cache: "no-store", credentials: "omit" });
}

async function answered<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await request(path, init);
  } catch (err) {
    if (init.signal?.aborted) throw err;
    throw new Unreachable();
  }
  const body = (await response.json().catch(() => undefined)) as { error?: ErrorBody } | undefined;
  if (response.ok && body) return body as T;
  init.signal?.throwIfAborted();
  if (response.ok) throw new Unreachable(); // the answer broke off: what it was nobody knows
  throw new ApiError(response.status, here(body?.error) ?? { kind: "internal", message: `pawl serve answered ${response.status}` });
}

// here is an error in the words of the reader's place.
function here(e: ErrorBody | undefined): ErrorBody | undefined {
  return e && { ...e, message: localTimes(e.message), hint: e.hint && localTimes(e.hint) };
}

// get reads: get<Lanes>("lanes?owner=ada").
export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return answered<T>(path, { signal });
}

export function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return answered<T>(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
}

// ops asks for changes, all or none of them. Each request has an id of its own,
// so that one whose answer got lost can be asked again and takes effect once.
export async function ops(list: Op[], signal?: AbortSignal): Promise<Result> {
  const body = { opId: newId(), ops: list };
  try {
    return await post<Result>("ops", body, signal);
  } catch (err) {
    if (!(err instanceof Unreachable)) throw err;
    return post<Result>("ops", body, signal);
  }
}

// dryOps asks what ops would do; nothing is written.
export function dryOps(list: Op[], signal?: AbortSignal): Promise<Result> {
  return post<Result>("ops", { dry: true, ops: list }, signal);
}

function newId(): string {
  return "page-" + Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}
