import { line } from "../markdown/clean";
import type { LogEntry } from "../types";
import { Frame } from "./Frame";
import { closeDialog, useSending } from "./sending";

const few = 5; // tasks that an undo may touch without a question

const made = (e: LogEntry): number => e.tasks.filter((t) => t.change === "created").length;

// isLarge says whether an undo of a change is worth a question: it removes several
// tasks, or touches many.
export const isLarge = (e: LogEntry): boolean => made(e) > 1 || e.tasks.length > few;

// Undo asks for confirmation before it reverts a large change.
export function Undo({ of: e }: { of: LogEntry }) {
  const sending = useSending();
  const gone = made(e);
  const others = e.tasks.length - gone;
  const send = async (): Promise<void> => {
    if (await sending.send([{ op: "undo", revision: e.revision }])) closeDialog();
  };
  return (
    <Frame title="Undo a change" does={gone > 0 ? `Undo, and remove ${tasks(gone)}` : "Undo"} kind="bad" submit={() => void send()} sending={sending}>
      <p>
        <bdi>{line(e.line)}</bdi>
      </p>
      <p>
        {gone > 0 && `It removes ${tasks(gone)}. `}
        {others > 0 && `It puts ${tasks(others)} back as they were. `}
        An undo of that takes it back in turn.
      </p>
    </Frame>
  );
}

const tasks = (n: number): string => (n === 1 ? "1 task" : `${n} tasks`);
