import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { errorBody } from "../actions";
import { get } from "../api";
import { hint } from "../state";
import type { ErrorBody, ID, Log, LogEntry, Revision } from "../types";

const page = 50;
const largest = 200; // that the server gives at once
const apart = 100; // milliseconds between two readings

// A History is what happened, newest first, as far as it was asked for. What is
// new comes on top, and what was read stays.
export class History {
  entries = signal<LogEntry[] | undefined>(undefined);
  next = signal<Revision | undefined>(undefined); // where older ones go on
  trimmed = signal(false); // older ones are no longer kept
  error = signal<ErrorBody | undefined>(undefined);
  private under: AbortController | undefined;
  private again = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly task: ID | undefined) {}

  // more reads what came before.
  more(): Promise<void> {
    if (this.under || this.next.value === undefined) return Promise.resolve();
    return this.read(async (abort) => {
      const answer = await this.page(page, this.next.value, abort);
      this.entries.value = [...(this.entries.value ?? []), ...answer.changes];
      this.end(answer);
    });
  }

  // news reads what is new.
  news(): void {
    if (this.under) this.again = true;
    else this.timer ??= setTimeout(() => this.readNews(), this.entries.value ? apart : 0);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.under?.abort();
    this.under = undefined;
  }

  private readNews(): void {
    this.timer = undefined;
    void this.read(async (abort) => {
      const answer = await this.page(page, undefined, abort);
      const had = this.entries.value ?? [];
      const known = new Set(had.map((e) => e.revision));
      const fresh = answer.changes.filter((e) => !known.has(e.revision));
      const joined = had.length > 0 && fresh.length < answer.changes.length;
      if (joined && !fresh.some((e) => e.undoes)) {
        if (fresh.length > 0) this.entries.value = [...fresh, ...had];
        return;
      }
      await this.reread(answer, joined ? had.length + fresh.length : page, abort);
    });
  }

  // reread reads as many as there were: an undo changes how an old one is shown.
  private async reread(answer: Log, count: number, abort: AbortSignal): Promise<void> {
    const entries = [...answer.changes];
    while (entries.length < count && answer.next) {
      answer = await this.page(Math.min(largest, count - entries.length), answer.next, abort);
      entries.push(...answer.changes);
    }
    this.entries.value = entries;
    this.end(answer);
  }

  private end(answer: Log): void {
    this.next.value = answer.next;
    this.trimmed.value = !!answer.trimmed;
  }

  private page(limit: number, before: Revision | undefined, abort: AbortSignal): Promise<Log> {
    const q = new URLSearchParams({ limit: String(limit) });
    if (before !== undefined) q.set("before", String(before));
    if (this.task !== undefined) q.set("task", String(this.task));
    return get<Log>(`log?${q}`, abort);
  }

  private async read(f: (abort: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    this.under = abort;
    this.again = false;
    try {
      await f(abort.signal);
      this.error.value = undefined;
    } catch (err) {
      if (abort.signal.aborted) return;
      this.error.value = errorBody(err);
    }
    this.under = undefined;
    if (this.again) this.news();
  }
}

// useHistory is what happened to a task, or to the whole board.
export function useHistory(task?: ID): History {
  const history = useMemo(() => new History(task), [task]);
  useEffect(() => {
    const end = hint.subscribe(() => history.news());
    return () => {
      end();
      history.stop();
    };
  }, [history]);
  return history;
}
