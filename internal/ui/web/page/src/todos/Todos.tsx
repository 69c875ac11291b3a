import { useReading } from "../reading";
import { todosHint } from "../state";
import type { Sessions } from "../types";
import { keyOf, useLists } from "./AtWork";
import { Folded, List } from "./List";
import "./todos.css";

const mostOlder = 50;

// Todos are the lists of the project's sessions: those that run, the one that was
// finished last, and folded below them the ones before.
export function Todos() {
  const reading = useReading<Sessions>("sessions", todosHint);
  const sessions = reading.data.value?.sessions;
  const last = useLists()?.finished;
  const error = reading.error.value;
  if (!sessions) return error ? <p class="todos-empty bad" role="alert">{error.message}</p> : null;
  if (sessions.length === 0) return <Empty />;
  const running = sessions.filter((s) => s.running);
  const finished = sessions.find((s) => !s.running && last && keyOf(s) === keyOf(last));
  const older = sessions.filter((s) => !s.running && s !== finished);
  return (
    <div class="todos">
      <section aria-label="Running sessions">
        <h2>{running.length === 0 ? "No session is at work" : running.length === 1 ? "One session is at work" : `${running.length} sessions are at work`}</h2>
        <div class="todos-running">
          {running.map((s) => (
            <List key={keyOf(s)} session={s} />
          ))}
        </div>
      </section>
      {finished && (
        <section aria-label="Finished last">
          <h2>Finished last</h2>
          <div class="todos-running">
            <List key={keyOf(finished)} session={finished} />
          </div>
        </section>
      )}
      {older.length > 0 && (
        <section aria-label="Earlier sessions">
          <h2>Earlier</h2>
          {older.slice(0, mostOlder).map((s) => (
            <Folded key={keyOf(s)} session={s} />
          ))}
          {older.length > mostOlder && <p class="aside">and {older.length - mostOlder} more: pawl todo sessions</p>}
        </section>
      )}
    </div>
  );
}

function Empty() {
  return (
    <div class="todos-empty">
      <h2>No agent has a todo list here yet</h2>
      <p>A todo list is what one agent does in one session, step by step; tasks are what the project has to do. An agent makes its list with the tool todo_write as it begins with something larger, and it shows here while the agent works on it.</p>
      <p>
        <code>pawl setup</code> connects an agent; <code>pawl todo --follow</code> shows one list in a terminal beside it.
      </p>
    </div>
  );
}
