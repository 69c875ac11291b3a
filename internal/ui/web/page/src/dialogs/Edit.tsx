import { useEffect, useState } from "preact/hooks";
import { get } from "../api";
import { line, lines } from "../markdown/clean";
import { useReading } from "../reading";
import { hint } from "../state";
import type { ID, Log, Task, TaskAnswer } from "../types";
import { useDraft } from "./drafts";
import { changes, draftOf, fieldWords, follow, overtaken, type Draft, type FieldName } from "./editing";
import { Field, Priority, listOf } from "./Field";
import { Frame } from "./Frame";
import { Refused } from "./Refused";
import { closeDialog, useSending } from "./sending";
import { TaskPick } from "./TaskPick";
import { Written } from "./Written";

// Edit changes the fields of a task. Others may do so at the same time: what was not
// touched here follows, and what was is not overwritten without saying so.
export function Edit({ id }: { id: ID }) {
  const reading = useReading<TaskAnswer>(`tasks/${id}`);
  const task = reading.data.value?.task;
  const error = reading.error.value;
  if (!task) {
    return (
      <Frame title={`Edit #${id}`}>
        {error && <Refused error={error.body} />}
      </Frame>
    );
  }
  return <Fields task={task} />;
}

function Fields({ task }: { task: Task }) {
  const now = draftOf(task);
  // was is what the fields began with. One who goes on with what they left is told
  // of what others did in between as if the dialog had been open.
  const draft = useDraft(`edit ${task.id}`, { was: now, is: now, labels: now.labels.join(", ") }, (d) => !changes(task.id, d.was, { ...d.is, labels: listOf(d.labels) }));
  const { was, is, labels } = draft.value;
  const sending = useSending();
  const mine: Draft = { ...is, labels: listOf(labels) };
  const taken = overtaken(was, mine, now);

  useEffect(() => {
    if (JSON.stringify(now) === JSON.stringify(was)) return;
    const next = follow(was, mine, now);
    const still = overtaken(was, mine, now);
    const base = { ...now }; // a field that was overtaken stays so until it is sent or given up
    for (const f of still) Object.assign(base, { [f]: was[f] });
    draft.set({ was: base, is: next, labels: next.labels.join(", ") });
  }, [JSON.stringify(now)]);

  const set = (some: Partial<Draft>): void => draft.set({ is: { ...is, ...some } });
  const save = async (): Promise<void> => {
    const op = changes(task.id, was, mine);
    if (!op) return closeDialog();
    try {
      const latest = draftOf((await get<TaskAnswer>(`tasks/${task.id}`)).task); // not what this page heard last
      const unsaid = overtaken(was, mine, latest).some((f) => !taken.includes(f) || latest[f] !== now[f]);
      if (unsaid) return void hint.value++; // which shows it
    } catch (err) {
      return sending.fail(err);
    }
    if (!(await sending.send([op]))) return;
    draft.drop();
    closeDialog();
  };
  const clash = (f: FieldName) => taken.includes(f) && <Clash task={task} field={f} theirs={String(now[f] || "(none)")} take={() => set({ [f]: now[f] })} />;
  return (
    <Frame
      title={
        <>
          Edit <span class="mono">#{task.id}</span> <bdi>{line(task.subject)}</bdi>
        </>
      }
      does={taken.length > 0 ? "Save over it" : "Save"}
      kind={taken.length > 0 ? "bad" : "main"}
      submit={() => void save()}
      insist={taken.length > 0}
      sending={sending}
      draft={draft}
      wide
    >
      <Field label="Subject" fault={sending.fault("subject")} below={clash("subject")}>
        {(p) => <input {...p} data-first value={is.subject} onInput={(e) => set({ subject: e.currentTarget.value })} />}
      </Field>
      <Written label="Description" value={is.description} set={(description) => set({ description })} rows={10} fault={sending.fault("description")} below={clash("description")} />
      <div class="pair">
        <div>
          <TaskPick label="Part of" placeholder="its parent" chosen={is.parent ? [is.parent] : []} choose={(ids) => set({ parent: ids[0] ?? 0 })} most={1} without={task.id} fault={sending.fault("parent")} />
          {clash("parent")}
        </div>
        <div>
          <Priority value={is.priority} set={(priority) => set({ priority })} fault={sending.fault("priority")} />
          {clash("priority")}
        </div>
      </div>
      <div class="pair">
        <Field label="Labels" hint="with commas between them" fault={sending.fault("addLabels") ?? sending.fault("removeLabels")}>
          {(p) => <input {...p} value={labels} onInput={(e) => draft.set({ labels: e.currentTarget.value })} />}
        </Field>
        <Field label="Active form" hint="while somebody works on it: Writing the parser" fault={sending.fault("activeForm")} below={clash("activeForm")}>
          {(p) => <input {...p} value={is.activeForm} onInput={(e) => set({ activeForm: e.currentTarget.value })} />}
        </Field>
      </div>
    </Frame>
  );
}

const mostTheirs = 2000; // characters of what somebody else wrote

// Clash says that somebody else changed a field since, who, and to what.
function Clash({ task, field, theirs, take }: { task: Task; field: FieldName; theirs: string; take: () => void }) {
  const [who, setWho] = useState("Somebody else");
  useEffect(() => {
    const abort = new AbortController();
    get<Log>(`log?task=${task.id}&limit=20`, abort.signal).then(
      (log) => {
        const by = log.changes.find((c) => c.tasks.some((t) => t.id === task.id && t.fields?.includes(field)));
        if (by) setWho(by.mine ? `You, in another window,` : line(by.by.name));
      },
      () => undefined, // then it was somebody
    );
    return () => abort.abort();
  }, [theirs]);
  return (
    <div class="clash" role="alert">
      <p>
        {who} changed the {fieldWords[field]} meanwhile, to:
      </p>
      <blockquote dir="auto">{lines(theirs.slice(0, mostTheirs))}</blockquote>
      <button type="button" class="button" onClick={take}>
        Take theirs
      </button>
    </div>
  );
}
