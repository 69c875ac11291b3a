import { line } from "../markdown/clean";
import { glyphs } from "../parts/Glyph";
import { Age } from "../parts/Time";
import { useReading } from "../reading";
import { go, todosHint } from "../state";
import type { Lists, Todo, TodoList } from "../types";
import { Row } from "./Row";
import "./todos.css";

export const keyOf = (s: { session: string; agent?: string }): string => JSON.stringify([s.session, s.agent]);

// useLists are the todo lists that stand beside the tasks, with or without a board.
export const useLists = (): Lists | undefined => useReading<Lists>("lists", todosHint).data.value;

const mostLines = 3; // sessions in a line each

// AtWork is what sessions are at beside the tasks: a line each, which leads to
// their lists.
export function AtWork() {
  const lists = useLists();
  if (!lists) return null;
  const { running, finished } = lists;
  const shown = running.slice(0, mostLines);
  const more = running.length + (lists.more ?? 0) - shown.length;
  if (shown.length === 0 && !finished) return null;
  return (
    <section class="at-work" aria-label="Todos of sessions">
      <ul>
        {shown.map((l) => (
          <Line key={keyOf(l)} list={l} now={currentOf(l)} />
        ))}
        {shown.length === 0 && finished && <Line list={finished} now={finished.todos.at(-1)} />}
        {more > 0 && <li class="aside">{more === 1 ? "and 1 more session" : `and ${more} more sessions`}</li>}
      </ul>
    </section>
  );
}

// currentOf is what is being done, else what comes next.
const currentOf = (l: TodoList): Todo | undefined => l.todos.find((t) => t.status === "in_progress") ?? l.todos.find((t) => t.status === "pending");

const marks = { pending: "blocked", in_progress: "in_progress", completed: "completed" } as const;

function Line({ list: l, now }: { list: TodoList; now: Todo | undefined }) {
  const open = (e: MouseEvent): void => {
    e.preventDefault();
    go("todos");
  };
  const state = marks[now?.status ?? "completed"];
  return (
    <li class={`is-${state}`}>
      <a href="#/todos" onClick={open} title={now && line(now.text)}>
        <span class={`glyph is-${state}`} aria-hidden="true">
          {glyphs[state]}
        </span>{" "}
        <bdi>{line(now?.doing ?? now?.text ?? "Todos")}</bdi>
      </a>
      <span class="aside">
        {l.done}/{l.of}
        {l.done === l.of && " finished"} · <Age since={l.at} ago />
        {l.paused && <span class="bad"> · paused</span>}
      </span>
    </li>
  );
}

// WholeLists are the lists in full, where there are no tasks to stand beside;
// without a list, the text instead.
export function WholeLists({ none }: { none: string }) {
  const lists = useLists();
  const all = [...(lists?.running ?? []), ...(lists?.finished ? [lists.finished] : [])];
  if (all.length === 0) return <h2>{none}</h2>;
  return (
    <section class="whole-lists" aria-label="Todos of sessions">
      <h2>{lists?.running.length ? "What sessions are at" : "What was finished last"}</h2>
      {all.map((l) => (
        <Whole key={keyOf(l)} list={l} />
      ))}
    </section>
  );
}

function Whole({ list: l }: { list: TodoList }) {
  const current = currentOf(l);
  return (
    <article class="list">
      <p class="aside list-head">
        {l.done} of {l.of} completed · <Age since={l.at} ago />
        {l.paused && <span class="bad"> · paused</span>}
      </p>
      <ul class="rows">
        {!!l.above && <li class="aside">{l.above} before these</li>}
        {l.todos.map((t, i) => (
          <Row key={i} row={{ kind: "todo", indent: 0, item: i, ...t }} current={t === current && t.status === "in_progress"} unfolded={false} />
        ))}
      </ul>
    </article>
  );
}
