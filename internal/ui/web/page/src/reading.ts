import { type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { ApiError, Unreachable, get } from "./api";
import { noteTime } from "./clock";
import { about, hint } from "./state";

// A Reading is what the server says now: read again whenever something happened,
// at most every tenth of a second, and what was shown stays until then.
export interface Reading<T> {
  data: Signal<T | undefined>;
  error: Signal<ApiError | undefined>; // why there is nothing newer
}

// noBoard is what the server would say of a board that is not there yet.
const noBoard = new ApiError(404, { kind: "not_found", message: "There is no board here yet", hint: "add a first task" });

const apart = 100; // milliseconds between two readings
const again = 1000; // after one that nobody answered

// useReading reads a path of the API, such as "lanes?owner=ada"; with undefined,
// nothing. It is read again when on changes.
export function useReading<T extends object>(path: string | undefined, on: Signal<number> = hint): Reading<T> {
  const r = useMemo(() => new Reader<T>(), []);
  const none = about.value?.board === false && !/^(lists|run|sessions|todos)\b/.test(path ?? ""); // todo lists need no board
  useEffect(() => {
    if (none) r.error.value = noBoard;
    if (none || path === undefined) return;
    r.go(path);
    return () => r.stop();
  }, [path, none]);
  useEffect(() => {
    let first = true;
    return on.subscribe(() => {
      if (!first) r.want();
      first = false;
    });
  }, [on]);
  return r;
}

class Reader<T extends object> implements Reading<T> {
  data = signal<T | undefined>(undefined);
  error = signal<ApiError | undefined>(undefined);
  private path: string | undefined;
  private under: AbortController | undefined; // a request is under way
  private more = false; // something happened since it began
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = -apart;

  go(path: string): void {
    this.stop();
    this.path = path;
    void this.read();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.under?.abort();
    this.under = undefined;
    this.path = undefined;
  }

  want(): void {
    if (this.under) this.more = true;
    else this.later(this.last + apart - performance.now());
  }

  private later(ms: number): void {
    if (this.path === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read(), Math.max(0, ms));
  }

  private async read(): Promise<void> {
    const abort = new AbortController();
    this.timer = undefined;
    this.under = abort;
    this.more = false;
    this.last = performance.now();
    let wait: number | undefined;
    try {
      const data = await get<T>(this.path!, abort.signal);
      if (abort.signal.aborted) return;
      wait = noteTime(data);
      this.data.value = data;
      this.error.value = undefined;
    } catch (err) {
      if (abort.signal.aborted) return;
      if (err instanceof ApiError) this.error.value = err;
      else if (!(err instanceof Unreachable)) console.error(err); // a fault of ours, which must not end the reading
      if (!(err instanceof ApiError) || err.status >= 500) wait = again;
    }
    this.under = undefined;
    if (this.more) this.want();
    else if (wait !== undefined) this.later(wait);
  }
}
