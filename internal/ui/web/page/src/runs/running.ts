import { signal } from "@preact/signals";
import { clockTime } from "../clock";
import { line } from "../markdown/clean";
import type { ID, RunPause, RunStatus, RunView } from "../types";

// runHint counts up when a run may stand otherwise.
export const runHint = signal(0);

// run is how the run of the server's clone stands; undefined: no run ever was there.
export const run = signal<RunStatus | undefined>(undefined);

// attemptAt is the last attempt at a task, as far as the run tells of it.
export function attemptAt(id: ID): RunView | undefined {
  const st = run.value;
  if (!st) return undefined;
  const all = [...st.slots.flatMap((s) => s.attempt ?? []), ...st.queue, ...st.waiting, ...st.held];
  return all.find((v) => v.id === id);
}

// span is a time in words: 40s, 4m, 2h5m.
export function span(ms: number): string {
  const m = Math.floor(ms / 60_000);
  if (m < 1) return `${Math.floor(ms / 1000)}s`;
  return m < 60 ? `${m}m` : `${Math.floor(m / 60)}h${m % 60}m`;
}

export const counted = (v: RunView): string => (v.of ? `attempt ${v.attempt} of ${v.of}` : `attempt ${v.attempt}`);

// phased says what an attempt is doing, and for how long: "working 4m".
export function phased(v: RunView): string {
  const ms = v.phase === "running" || !v.phaseMs ? v.ms : v.phaseMs;
  return ms ? `${v.word} ${span(ms)}` : v.word;
}

// used is what agents have used: "12k tokens, $0.24".
export function used(tokens = 0, dollars = 0): string {
  const words = [];
  if (tokens >= 1e6) words.push(`${(tokens / 1e6).toFixed(1)}M tokens`);
  else if (tokens >= 1000) words.push(`${Math.floor(tokens / 1000)}k tokens`);
  else if (tokens) words.push(`${tokens} tokens`);
  if (dollars) words.push(`$${dollars.toFixed(2)}`);
  return words.join(", ");
}

// changed is what an attempt changed: "3 files +80 -4".
export const changed = (v: RunView): string => (v.files ? `${v.files === 1 ? "1 file" : `${v.files} files`} +${v.added ?? 0} -${v.removed ?? 0}` : "");

// stands says how an attempt stands: "attempt 2 of 3, working 4m, 12k tokens".
export const stands = (v: RunView): string => [counted(v), phased(v), used(v.tokens, v.dollars), changed(v)].filter(Boolean).join(", ");

export const works = (v: RunView): boolean => ["claiming", "claimed", "preparing", "prepared", "starting", "running", "stopped", "saved", "checking"].includes(v.phase);
export const waits = (v?: RunView): boolean => v?.phase === "waiting" || v?.phase === "handed";

// awaitsApproval: the reason of a hold says that a person decides on an attempt. Lift is
// refused then; what the run shows of the attempt has the buttons.
export const awaitsApproval = (reason?: string): boolean => !!reason?.includes("waits for approval of attempt ");

export function pauses(p: RunPause): string {
  return `${p.agent ? line(p.agent) : "Integration"} pauses${p.until ? ` until ${clockTime(p.until)}` : ""}: ${line(p.why)}`;
}

// headed says whether a run is at work, and where its commits go.
export function headed(st: RunStatus): string {
  if (st.running && st.draining) return `Run of ${line(st.agent ?? "")} into ${line(st.target ?? "")}, ending: it begins nothing more`;
  if (st.running) return `Run of ${line(st.agent ?? "")} into ${line(st.target ?? "")}${st.began ? `, since ${clockTime(st.began)}` : ""}`;
  return st.killed ? "The last run ended without order: pawl run goes on where it was" : "No run is at work";
}

// shown: there is something to see of it above the lanes.
export const shown = (st: RunStatus): boolean => st.running || !!st.killed || st.waiting.length + st.pauses.length > 0;
