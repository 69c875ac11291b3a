import { signal } from "@preact/signals";
import type { Moment } from "./types";

// The board's clock decides leases; this machine's may go differently.
let ahead = 0; // milliseconds that the board's clock is ahead
const longest = 2 ** 31 - 1; // that a timer can wait

// second is the board's time, and changes each second: whoever shows an age
// reads it.
export const second = signal(Date.now());

export function startClock(): void {
  setInterval(() => (second.value = Date.now() + ahead), 1000);
}

// noteTime learns the time from an answer, and says in how many milliseconds it
// will be out of date even if nobody writes.
export function noteTime(answer: { now?: Moment; until?: Moment; asOf?: Moment }): number | undefined {
  if (!answer.now || answer.asOf) return undefined;
  ahead = Date.parse(answer.now) - Date.now();
  if (!answer.until) return undefined;
  return Math.min(longest, Math.max(0, Date.parse(answer.until) - Date.parse(answer.now)) + 50);
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

// age is a span of time as the terminal says it: now, 3 min, 5 h, 12 d, 4 mo.
export function age(ms: number): string {
  if (ms < minute) return "now";
  if (ms < hour) return `${Math.floor(ms / minute)} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  if (ms < 60 * day) return `${Math.floor(ms / day)} d`;
  if (ms < 730 * day) return `${Math.floor(ms / (30 * day))} mo`;
  return `${Math.floor(ms / (365 * day))} y`;
}

// Times are the reader's own everywhere, and where one is told in full, so is its
// zone.
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "long" });
const short = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

// absolute is a moment in full: "22 Nov 2026, 14:03:07 CET".
export const absolute = (at: Moment): string => full.format(new Date(at));

const today = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

// clockTime is a moment as a clock on the wall has it: 14:03, and with its day where
// that is another one.
export function clockTime(at: Moment): string {
  const when = new Date(at);
  return when.toDateString() === new Date().toDateString() ? today.format(when) : short.format(when);
}

// localTimes puts the times that a sentence of the server says, "until
// 2026-11-22 13:03 UTC", into the reader's.
export function localTimes(sentence: string): string {
  return sentence.replace(/\b(until )(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) UTC\b/g, (said, until: string, day: string, time: string) => {
    const at = new Date(`${day}T${time}Z`);
    return isNaN(at.getTime()) ? said : until + short.format(at);
  });
}
