import { line } from "../markdown/clean";
import { selected, show } from "../state";
import type { ID } from "../types";

// TaskLink names a task and leads to it.
export function TaskLink({ id, subject, tabIndex }: { id: ID; subject?: string; tabIndex?: number }) {
  const open = (e: MouseEvent) => {
    e.preventDefault();
    e.stopPropagation();
    selected.value = id;
    show(id);
  };
  return (
    <a class="task-link" href={`#/lanes?task=${id}`} onClick={open} tabIndex={tabIndex} title={subject && line(subject)}>
      <span class="mono">#{id}</span>
      {subject && " "}
      {subject && <bdi>{line(subject)}</bdi>}
    </a>
  );
}
