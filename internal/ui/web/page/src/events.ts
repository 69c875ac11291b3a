import { request } from "./api";
import { notifyOn } from "./notify";
import { readAbout } from "./opening";
import { runHint } from "./runs/running";
import { SSE, type ServerEvent } from "./sse";
import { about, arrived, boardIsThere, distantAway, hint, left, link, todosHint } from "./state";
import { atAddress, findToken, forgetToken, notLetIn } from "./token";
import type { Change, Moment, Revision } from "./types";

// The stream says that something happened; what the board looks like is read
// anew by whoever shows it. It resumes after the last change that came, so that
// none is missed and none comes twice.

const silence = 40_000; // milliseconds: the server says something every 15 s
const unseen = 60_000; // milliseconds after which a hidden tab lets go
const waits = [250, 500, 1000, 2000, 4000]; // between attempts

const listeners = new Set<(c: Change) => void>();

// onChange calls f with each change of the board from now on.
export function onChange(f: (c: Change) => void): () => void {
  listeners.add(f);
  return () => listeners.delete(f);
}

let seen: Revision | undefined; // everything up to here came

// listen follows the board for as long as the page is open.
export async function listen(): Promise<void> {
  for (let failed = 0; ; ) {
    const came = await stream().catch(() => false);
    if (document.hidden && !notifyOn.value && link.value === "live") {
      await untilSeen();
      continue;
    }
    failed = came ? 1 : failed + 1;
    if (link.value === "refused") return;
    left();
    await pause(waits[Math.min(failed, waits.length) - 1]!);
  }
}

// A browser has six connections to a server for all its tabs. One that nobody
// looks at, and that shall not notify, lets go of its own, and goes on where it
// was when somebody does.
function letGo(abort: AbortController): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => (notifyOn.value ? look() : abort.abort()), unseen);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

function untilSeen(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

// pause ends early when the machine says that there is a network again.
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
  });
}

// stream reads one stream to its end, and says whether anything came.
async function stream(): Promise<boolean> {
  const abort = new AbortController();
  const stay = letGo(abort);
  let quiet = setTimeout(() => abort.abort(), silence);
  let came = false;
  try {
    const response = await request(seen === undefined ? "events" : `events?after=${seen}`, { signal: abort.signal });
    if (response.status === 401) {
      forgetToken();
      if (!(await findToken())) link.value = "refused";
      return false;
    }
    if (atAddress && (response.status === 403 || response.status === 404)) {
      const body = (await response.json().catch(() => undefined)) as { error?: { message: string } } | undefined;
      notLetIn(body?.error?.message ?? "this token is not for this board");
      forgetToken();
      link.value = "refused";
      return false;
    }
    if (!response.ok || !response.body) return false;
    const sse = new SSE();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return came;
      clearTimeout(quiet);
      quiet = setTimeout(() => abort.abort(), silence);
      for (const e of sse.push(value)) {
        came = true;
        take(e);
      }
    }
  } finally {
    stay();
    clearTimeout(quiet);
    abort.abort();
  }
}

function take(e: ServerEvent): void {
  const data = JSON.parse(e.data) as Partial<Change> & { revision?: Revision; since?: Moment };
  switch (e.event) {
    case "hello": // the page may have been read before the stream began
      seen ??= data.revision;
      arrived();
      if (!about.value?.board) void readAbout();
      hint.value++;
      todosHint.value++;
      runHint.value++;
      break;
    case "change":
      seen = data.change!.revision;
      boardIsThere();
      hint.value++;
      for (const f of listeners) f(data as Change);
      break;
    case "gone":
      seen = data.revision;
      hint.value++;
      break;
    case "run":
      runHint.value++;
      break;
    case "todos":
      todosHint.value++;
      break;
    case "away":
      distantAway.value = data.since;
      hint.value++;
      break;
  }
}
