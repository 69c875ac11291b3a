import { useLayoutEffect } from "preact/hooks";
import { useReading } from "../reading";
import type { ID, Lanes, Op } from "../types";
import { useDraft } from "./drafts";
import { Field } from "./Field";
import { Frame } from "./Frame";
import { Named, useTask } from "./Named";
import { closeDialog, useSending } from "./sending";
import { Written } from "./Written";
import { mayForce } from "../state";

// Hold asks why a task is put on hold.
export function Hold({ id, text }: { id: ID; text?: string }) {
  return <Line id={id} typed={text} does="Hold" title="Hold" label="Reason" hint="What keeps it, in a line. Nobody may take it until somebody lifts that." field="reason" op={(reason) => ({ op: "hold", ids: [id], reason })} />;
}

// Assign asks for the owner of a task.
export function Assign({ id }: { id: ID }) {
  const lanes = useReading<Lanes>("lanes?done=0").data.value;
  return <Line id={id} does="Assign" title="Assign" label="To" hint="The assignee; empty: anybody." field="owner" names={lanes?.owners ?? []} op={(owner) => ({ op: "assign", ids: [id], owner })} />;
}

interface LineProps {
  id: ID;
  title: string;
  does: string;
  label: string;
  hint: string;
  field: string;
  names?: string[];
  typed?: string;
  op: (text: string) => Op;
}

// Line asks for a line of text about a task. What is left without being sent is
// there the next time.
function Line({ id, title, does, label, hint, field, names, typed, op }: LineProps) {
  const draft = useDraft(`${field} ${id}`, { text: "" });
  useLayoutEffect(() => {
    if (typed) draft.set({ text: draft.value.text + typed });
  }, []);
  const { text } = draft.value;
  const sending = useSending();
  const send = async (): Promise<void> => {
    if (!(await sending.send([op(text.trim())]))) return;
    draft.drop();
    closeDialog();
  };
  return (
    <Frame title={<Named does={title} id={id} />} does={does} submit={() => void send()} sending={sending} draft={draft}>
      <Field label={label} hint={hint} fault={sending.fault(field)}>
        {(p) => <input {...p} data-first value={text} list={names && "box-names"} onInput={(e) => draft.set({ text: e.currentTarget.value })} />}
      </Field>
      {names && (
        <datalist id="box-names">
          {names.map((n) => (
            <option key={n} value={n} />
          ))}
        </datalist>
      )}
    </Frame>
  );
}

// Note asks for a remark, in Markdown.
export function Note({ id }: { id: ID }) {
  const draft = useDraft(`note ${id}`, { text: "" });
  const { text } = draft.value;
  const sending = useSending();
  const send = async (): Promise<void> => {
    if (!(await sending.send([{ op: "note", id, text }]))) return;
    draft.drop();
    closeDialog();
  };
  return (
    <Frame title={<Named does="Note on" id={id} />} does="Note" submit={() => void send()} sending={sending} draft={draft}>
      <Written label="Note" value={text} set={(text) => draft.set({ text })} first fault={sending.fault("text")} />
    </Frame>
  );
}

// Delete asks for confirmation, and says what the deletion does to other tasks.
export function Delete({ id }: { id: ID }) {
  const task = useTask(id);
  const sending = useSending();
  const force = !!sending.error?.holder && mayForce.value;
  const open = (task?.waitedFor ?? []).filter((w) => w.state !== "completed" && w.state !== "missing");
  const send = async (): Promise<void> => {
    if (await sending.send([{ op: "delete", ids: [id], force: force || undefined }])) closeDialog();
  };
  return (
    <Frame title={<Named does="Delete" id={id} />} does={force ? "Delete anyway" : "Delete"} kind="bad" submit={() => void send()} sending={sending}>
      {open.length > 0 && <Losing title={open.length === 1 ? "This task depends on it and will no longer be blocked by it:" : "These tasks depend on it and will no longer be blocked by it:"} of={open} />}
      {!!task?.children.length && <Losing title="These are parts of it, and will be parts of nothing:" of={task.children} />}
      {!!task?.task.notes?.length && <p>Its {task.task.notes.length === 1 ? "note goes" : `${task.task.notes.length} notes go`} with it.</p>}
      <p>An undo brings it back.</p>
    </Frame>
  );
}

const mostLosing = 10;

function Losing({ title, of }: { title: string; of: { id: ID; subject: string }[] }) {
  return (
    <>
      <p>{title}</p>
      <ul class="losing">
        {of.slice(0, mostLosing).map((w) => (
          <li key={w.id}>
            <Named id={w.id} subject={w.subject} />
          </li>
        ))}
        {of.length > mostLosing && <li>and {of.length - mostLosing} more</li>}
      </ul>
    </>
  );
}
