import { useState } from "preact/hooks";
import { line } from "../markdown/clean";
import { Age } from "../parts/Time";
import { useReading } from "../reading";
import { todosHint } from "../state";
import type { Outline, Session } from "../types";
import { Row } from "./Row";

function pathOf(s: Session): string {
  const q = new URLSearchParams({ session: s.session });
  if (s.agent) q.set("agent", s.agent);
  return `todos?${q}`;
}

// List is the todo list of a session, as the panel shows it: of the todo in
// progress everything, of the others their own row.
export function List({ session: s }: { session: Session }) {
  const list = useReading<Outline>(pathOf(s), todosHint).data.value;
  return (
    <article class="list" aria-label={`Todos of ${nameOf(s)}`}>
      <header class="list-head">
        <h3>
          <Who session={s} />
        </h3>
        <p class="aside">
          <Counts session={s} /> · <Age since={s.updatedAt} ago />
        </p>
      </header>
      {list && <Rows list={list} />}
    </article>
  );
}

// Folded is an older list, in a line until it is opened.
export function Folded({ session: s }: { session: Session }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="folded" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        <span class="folded-title">
          <bdi>{line(s.title) || "Empty"}</bdi>
        </span>
        <span class="aside">
          <Counts session={s} /> · <Who session={s} /> · <Age since={s.updatedAt} ago />
        </span>
      </summary>
      {open && <Opened session={s} />}
    </details>
  );
}

function Opened({ session: s }: { session: Session }) {
  const list = useReading<Outline>(pathOf(s), todosHint).data.value;
  return list ? <Rows list={list} /> : null;
}

function Rows({ list }: { list: Outline }) {
  const current = list.rows.find((r) => r.kind === "todo" && r.status === "in_progress")?.item;
  const shown = list.rows.filter((r) => r.kind === "todo" || r.item === current);
  return (
    <>
      {list.ended && <p class="aside list-ended">{line(list.ended)}</p>}
      <ul class="rows">
        {shown.map((r, i) => (
          <Row key={`${r.item} ${r.kind} ${i}`} row={r} current={r.kind === "todo" && r.item === current} unfolded={r.item === current} />
        ))}
      </ul>
      {list.paused !== undefined && (
        <p class="paused">
          Paused
          {list.pausedAt && (
            <>
              {" "}
              <Age since={list.pausedAt} ago />
            </>
          )}
          , until the user's next prompt: <bdi>{line(list.paused)}</bdi>
        </p>
      )}
    </>
  );
}

// Counts says how many todos there are of each status.
function Counts({ session: s }: { session: Session }) {
  const all = s.pending + s.inProgress + s.completed;
  if (all === 0) return <>{s.past > 0 ? "finished" : "no todos"}</>;
  const parts = [s.completed && `${s.completed} completed`, s.inProgress && `${s.inProgress} in progress`, s.pending && `${s.pending} pending`].filter(Boolean);
  return (
    <>
      {all === 1 ? "1 todo" : `${all} todos`}: {parts.join(", ")}
      {s.paused && <span class="bad">, paused</span>}
    </>
  );
}

const shortest = 12; // characters of a session's name that are shown

function Who({ session: s }: { session: Session }) {
  const name = line(s.session);
  return (
    <span class="mono" title={nameOf(s)}>
      {name.length > shortest ? name.slice(0, shortest) + "…" : name}
      {s.agent && `/${line(s.agent)}`}
    </span>
  );
}

const nameOf = (s: Session): string => line(s.session) + (s.agent ? `, agent ${line(s.agent)}` : "");
