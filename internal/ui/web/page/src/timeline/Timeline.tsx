import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { second } from "../clock";
import { TaskPick } from "../dialogs/TaskPick";
import { isPressing, useKeys } from "../keys";
import { show } from "../state";
import { settle } from "../steady";
import type { ErrorBody, ID, LogEntry, Revision } from "../types";
import { Change, takeBack } from "./Change";
import { day } from "./days";
import { useHistory, type History } from "./history";
import "./timeline.css";

// Timeline is what happened on the board, the newest first, by day.
export function Timeline() {
  const [task, setTask] = useState<ID | undefined>(undefined);
  const history = useHistory(task);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-of">
        <TaskPick label="Only of" placeholder="any task" chosen={task ? [task] : []} choose={(ids) => setTask(ids[ids.length - 1])} most={1} />
      </div>
      <Past history={history} key={task} of={task} />
    </section>
  );
}

interface Refused {
  of: Revision;
  why: ErrorBody;
}

function Past({ history, of }: { history: History; of: ID | undefined }) {
  const [selected, setSelected] = useState<Revision | undefined>(undefined);
  const [unfolded, setUnfolded] = useState<ReadonlySet<Revision>>(new Set());
  const [refused, setRefused] = useState<Refused | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const entries = history.entries.value;
  const key = useRef<(e: KeyboardEvent) => boolean>(() => false);
  useKeys((e) => key.current(e));
  key.current = () => false;
  useStillness(list, entries);
  const error = history.error.value;
  if (!entries && error?.kind === "not_found") return <p class="timeline-empty">There is no board here yet. Press a to add the first task; its history appears here.</p>;
  if (!entries) return error ? <p class="timeline-empty bad" role="alert">{error.message}</p> : null;
  if (entries.length === 0) {
    return <p class="timeline-empty">{of ? `Nothing is known of what happened to #${of}.` : "Nothing has happened here yet. Press a to add the first task."}</p>;
  }
  const at = Math.max(0, entries.findIndex((e) => e.revision === selected));
  const fold = (r: Revision): void => setUnfolded((was) => new Set(was.has(r) ? [...was].filter((x) => x !== r) : [...was, r]));
  const refuse = (r: Revision) => (why: ErrorBody | undefined) => setRefused(why && { of: r, why });

  const step = (to: number): void => {
    const e = entries[Math.max(0, Math.min(entries.length - 1, to))];
    if (!e) return;
    setSelected(e.revision);
    if (to >= entries.length - 1) void history.more();
    const row = list.current?.querySelector<HTMLElement>(`[data-revision="${e.revision}"]`);
    row?.scrollIntoView({ block: "nearest" });
    row?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  };
  key.current = (ev) => {
    const on = ev.target as HTMLElement;
    const nowhere = on === document.body || on.id === "view";
    if ((!nowhere && !list.current?.contains(on)) || isPressing(ev)) return false;
    const e = entries[at]!;
    switch (ev.key) {
      case "j":
      case "ArrowDown":
        step(selected === undefined ? 0 : at + 1);
        break;
      case "k":
      case "ArrowUp":
        step(at - 1);
        break;
      case "PageDown":
        step(at + 10);
        break;
      case "PageUp":
        step(at - 10);
        break;
      case "Home":
        step(0);
        break;
      case "End":
        step(entries.length);
        break;
      case "v":
        fold(e.revision);
        break;
      case "u":
        if (nowhere && selected === undefined) return false; // nobody chose the first one: it means what it means elsewhere
        setSelected(e.revision); // a second u is not about what comes on top of it
        void takeBack(e).then(refuse(e.revision));
        break;
      case "Enter":
        if (e.tasks[0]) show(e.tasks[0].id);
        break;
      default:
        return false;
    }
    return true;
  };
  return (
    <div ref={list} class="timeline-list" onFocusIn={() => setSelected((was) => was ?? entries[0]!.revision)} tabIndex={0} role="group" aria-label="Changes, the newest first. Arrows move, Enter opens the task, v shows the fields, u takes back.">
      {days(entries).map(({ name, of }) => (
        <section key={name} aria-label={name}>
          <h2>{name}</h2>
          <ul>
            {of.map((e) => (
              <Change
                key={e.revision}
                entry={e}
                unfolded={unfolded.has(e.revision)}
                unfold={() => fold(e.revision)}
                inTheWay={refused?.why.revision === e.revision && refused.of !== e.revision}
                refused={refuse(e.revision)}
                why={refused?.of === e.revision ? refused.why : undefined}
                selected={(selected ?? entries[0]!.revision) === e.revision}
                select={() => setSelected(e.revision)}
              />
            ))}
          </ul>
        </section>
      ))}
      <End history={history} />
    </div>
  );
}

// days groups changes by the day on which they were made.
function days(entries: LogEntry[]): { name: string; of: LogEntry[] }[] {
  const now = new Date(second.peek());
  const groups: { name: string; of: LogEntry[] }[] = [];
  for (const e of entries) {
    const name = day(now, new Date(e.at));
    const last = groups[groups.length - 1];
    if (last?.name === name) last.of.push(e);
    else groups.push({ name, of: [e] });
  }
  return groups;
}

// End reads on as soon as it is nearly in sight.
function End({ history }: { history: History }) {
  const ref = useRef<HTMLParagraphElement>(null);
  const next = history.next.value;
  useEffect(() => {
    if (!ref.current || next === undefined) return;
    const seen = new IntersectionObserver((all) => all.some((e) => e.isIntersecting) && void history.more(), { rootMargin: "600px" });
    seen.observe(ref.current);
    return () => seen.disconnect();
  }, [history, next]);
  const error = history.error.value;
  return (
    <p ref={ref} class="timeline-end">
      {error ? error.message : next !== undefined ? "Reading on…" : history.trimmed.value ? "Older history is no longer kept." : "This is the beginning of the history."}
    </p>
  );
}

// useStillness keeps what the reader looks at where it stands when something
// comes above it. At the top the news are what one looks at.
function useStillness(list: { current: HTMLElement | null }, entries: unknown): void {
  const was = useRef<{ revision: string; top: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const scroller = list.current?.closest<HTMLElement>(".view");
    if (!scroller) return;
    const row = was.current && scroller.querySelector<HTMLElement>(`[data-revision="${was.current.revision}"]`);
    if (row && was.current && scroller.scrollTop > 0) scroller.scrollTop += row.getBoundingClientRect().top - was.current.top;
    if (row && was.current && row.getBoundingClientRect().top !== was.current.top) settle(list.current!);
    const note = (): void => {
      const edge = scroller.getBoundingClientRect().top;
      const rows = [...scroller.querySelectorAll<HTMLElement>("[data-revision]")];
      const first = rows.find((r) => r.getBoundingClientRect().bottom > edge + 40);
      was.current = first && { revision: first.dataset.revision!, top: first.getBoundingClientRect().top };
    };
    note();
    scroller.addEventListener("scroll", note, { passive: true });
    return () => scroller.removeEventListener("scroll", note);
  }, [entries]);
}
