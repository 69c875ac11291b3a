import { useEffect, useRef } from "preact/hooks";
import { line } from "../markdown/clean";
import { Button } from "../parts/Button";
import { useReading } from "../reading";
import { about, openTask, query, selected, show } from "../state";
import type { ID, TaskAnswer } from "../types";
import { Full } from "./Full";
import { taskOf, whereIs } from "./focus";
import "./detail.css";
import "./md.css";

// Detail is the task whose details are open, beside the view; on a phone in the
// place of it.
export function Detail() {
  const id = openTask.value;
  const open = id !== undefined;
  const opener = useRef<{ at: HTMLElement | null; task?: string } | undefined>(undefined);
  if (open && !opener.current) opener.current = focused(); // before the panel takes the focus
  useEffect(() => {
    if (!open) return;
    return () => {
      const from = opener.current;
      opener.current = undefined;
      requestAnimationFrame(() => {
        if (document.activeElement && document.activeElement !== document.body) return; // it is wanted elsewhere
        const back = from?.at?.isConnected ? from.at : (whereIs(from?.task) ?? whereIs(selected.value) ?? document.getElementById("view"));
        back?.focus();
      });
    };
  }, [open]);
  return open ? <Panel id={id} /> : null;
}

// focused is where the reader is, to come back there.
function focused(): { at: HTMLElement | null; task?: string } {
  const at = document.activeElement as HTMLElement | null;
  return { at: at === document.body ? null : at, task: taskOf(at) };
}

function Panel({ id }: { id: ID }) {
  const reading = useReading<TaskAnswer>(`tasks/${id}${query({}, false)}`);
  const found = reading.data.value?.task.id === id ? reading.data.value : undefined;
  const error = reading.error.value;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), [id]);
  return (
    <aside class="detail" data-task={id} aria-labelledby="detail-title" key={id}>
      <header class="detail-head">
        <h2 id="detail-title" tabIndex={-1} ref={title}>
          <span class="mono">#{id}</span> <bdi>{found && line(found.task.subject)}</bdi>
        </h2>
        <Button kind="quiet" onClick={() => show(undefined)} label="Close the details" title="Close (Esc)">
          ×
        </Button>
      </header>
      {error && (
        <p class="detail-bad" role="alert">
          {error.body.kind === "not_found" && about.value?.board ? `#${id} is ${found ? "no longer" : "not"} on the board.` : error.message} {error.body.kind !== "not_found" && error.body.hint}
        </p>
      )}
      {found && <Full of={found} gone={!!error} />}
    </aside>
  );
}
