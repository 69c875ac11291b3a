import { line } from "../markdown/clean";
import { useReading } from "../reading";
import type { ID, TaskAnswer } from "../types";

// useTask is a task and what is around it, as soon as it was read.
export const useTask = (id: ID): TaskAnswer | undefined => useReading<TaskAnswer>(`tasks/${id}`).data.value;

// Named says what is done to which task: "Hold #12 Parse config".
export function Named({ does, id, subject }: { does?: string; id: ID; subject?: string }) {
  return subject === undefined ? <Read does={does} id={id} /> : <Words does={does} id={id} subject={subject} />;
}

function Read({ does, id }: { does?: string; id: ID }) {
  return <Words does={does} id={id} subject={useTask(id)?.task.subject ?? ""} />;
}

function Words({ does, id, subject }: { does?: string; id: ID; subject: string }) {
  return (
    <>
      {does} <span class="mono">#{id}</span> <bdi>{line(subject)}</bdi>
    </>
  );
}
