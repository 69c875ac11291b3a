import { line } from "../markdown/clean";
import { Button } from "../parts/Button";
import { Markdown } from "../parts/Markdown";
import { Age } from "../parts/Time";
import { dialog } from "../state";
import type { Task } from "../types";
import { useState } from "preact/hooks";
import { taskAddress } from "./address";
import { isFromElsewhere } from "./imported";

const mostShown = 10; // the newest; earlier ones are shown when asked for

// Notes are the remarks on a task, oldest first.
export function Notes({ of: t, gone }: { of: Task; gone: boolean }) {
  const notes = t.notes ?? [];
  const [all, setAll] = useState(false);
  if (notes.length === 0) return null;
  const hidden = all ? 0 : Math.max(0, notes.length - mostShown);
  return (
    <section class="notes-list" aria-label="Notes">
      <h3>Notes</h3>
      {hidden > 0 && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          {hidden} earlier
        </Button>
      )}
      <ol>
        {notes.slice(hidden).map((n, i) => (
          <li key={hidden + i}>
            <p class="aside">
              <bdi>{line(n.by) || "somebody"}</bdi>
              {n.at && (
                <>
                  {", "}
                  <Age since={n.at} ago />
                </>
              )}
            </p>
            <Markdown text={n.text} at={taskAddress} elsewhere={isFromElsewhere(t, n)} />
          </li>
        ))}
      </ol>
      {!gone && (
        <Button kind="quiet" onClick={() => (dialog.value = { kind: "note", id: t.id })}>
          Add a note
        </Button>
      )}
    </section>
  );
}
