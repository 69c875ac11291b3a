import { useState } from "preact/hooks";
import { line } from "../markdown/clean";
import { Glyph, stateWords } from "../parts/Glyph";
import { TaskLink } from "../parts/TaskLink";
import type { Waited } from "../types";

interface Props {
  title: string;
  note?: string;
  tasks: Waited[];
  progress?: [done: number, of: number];
  unlink?: (w: Waited) => void;
}

const mostShown = 12; // further ones are shown when asked for

// Around are the tasks to which one has some kind of edge.
export function Around({ title, note, tasks, progress, unlink }: Props) {
  const [all, setAll] = useState(false);
  if (tasks.length === 0) return null;
  const shown = all ? tasks : tasks.slice(0, mostShown);
  return (
    <section class="around" aria-label={title}>
      <h3>
        {title}
        {progress && <span class="aside">{` ${progress[0]} of ${progress[1]} done`}</span>}
        {note && <span class="aside"> {note}</span>}
      </h3>
      {progress && <progress value={progress[0]} max={progress[1]} aria-hidden="true" />}
      <ul>
        {shown.map((w) => (
          <li key={w.id} class={`is-${w.state}`}>
            <Glyph state={w.state} /> <TaskLink id={w.id} subject={w.state === "missing" ? "(missing)" : line(w.subject)} />
            <span class="hidden-words">, {stateWords[w.state]}</span>
            {unlink && (
              <button type="button" class="button quiet unlink" onClick={() => unlink(w)} aria-label={`Unlink #${w.id}`} title="Unlink">
                ×
              </button>
            )}
          </li>
        ))}
      </ul>
      {tasks.length > shown.length && (
        <button type="button" class="button quiet" onClick={() => setAll(true)}>
          {tasks.length - shown.length} more
        </button>
      )}
    </section>
  );
}
