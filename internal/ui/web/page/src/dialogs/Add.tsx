import { useRef, useState } from "preact/hooks";
import { useReading } from "../reading";
import type { ID, Lanes, Level, NewTask, TaskAnswer } from "../types";
import { checkHint } from "./Asked";
import { useDraft } from "./drafts";
import { Field, Priority, listOf } from "./Field";
import { Frame } from "./Frame";
import { closeDialog, useSending } from "./sending";
import { TaskPick } from "./TaskPick";
import { Written } from "./Written";

const nothing = { subject: "", description: "", after: [] as ID[], before: [] as ID[], parent: [] as ID[], priority: "medium" as Level, labels: "", owner: "", check: "" };

// Add asks for a new task, or several: Add another goes on with the next one, and
// several lines that are pasted become a task each.
export function Add({ near, subject: given }: { near?: ID; subject?: string }) {
  const draft = useDraft(given === undefined ? "add" : `add ${given}`, { ...nothing, subject: given ?? "" }, (d) => !d.subject.trim() && !d.description.trim());
  const { subject, description, after, before, parent, priority, labels, owner, check } = draft.value;
  const [added, setAdded] = useState("");
  const sending = useSending();
  const first = useRef<HTMLTextAreaElement>(null);
  const lanes = useReading<Lanes>("lanes?done=0").data.value;
  const beside = useReading<TaskAnswer>(near === undefined ? undefined : `tasks/${near}`).data.value; // it may be gone
  const subjects = subject.split("\n").map((l) => l.trim().replace(/^(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, "")).filter(Boolean);

  const add = async (another: boolean): Promise<void> => {
    const names = subjects.length > 0 ? subjects : [subject];
    const common = { priority, labels: listOf(labels), blockedBy: after, blocks: before, parent: parent[0], owner: owner.trim() || undefined, checks: check.trim() ? [check.trim()] : undefined };
    const tasks = names.map((s): NewTask => ({ subject: s, description: names.length === 1 ? description : undefined, ...common }));
    const result = await sending.send([{ op: "create", tasks }]);
    if (!result) return;
    draft.drop();
    if (!another) return closeDialog();
    draft.set({ after, before, parent, priority, labels, owner, check });
    setAdded(result.said);
    first.current?.focus();
  };
  const nearby = (chosen: ID[], set: (ids: ID[]) => void, words: string) => (
    <button type="button" class="chip" aria-pressed={chosen.includes(near!)} onClick={() => set(chosen.includes(near!) ? chosen.filter((x) => x !== near) : [...chosen, near!])}>
      {words}
    </button>
  );
  return (
    <Frame
      title="Add a task"
      does={subjects.length > 1 ? `Add ${subjects.length} tasks` : "Add"}
      submit={() => void add(false)}
      sending={sending}
      draft={draft}
      wide
      more={
        <button type="button" class="button" disabled={sending.busy} onClick={() => void add(true)}>
          Add, then another
        </button>
      }
    >
      {added && (
        <p class="said" role="status">
          {added}
        </p>
      )}
      <Field label="Subject" fault={sending.fault("subject")} hint={subjects.length > 1 ? "Each line becomes a task" : undefined}>
        {(p) => (
          <textarea
            {...p}
            ref={first}
            data-first
            class="new-subject"
            rows={Math.min(8, Math.max(1, subject.split("\n").length))}
            value={subject}
            onInput={(e) => draft.set({ subject: e.currentTarget.value })}
            onKeyDown={(e) => {
              if (e.key !== "Enter" || e.isComposing || e.ctrlKey || e.metaKey) return;
              e.preventDefault();
              void add(e.shiftKey);
            }}
          />
        )}
      </Field>
      {beside && near !== undefined && (
        <div class="chips" role="group" aria-label={`Its relation to #${near}`}>
          {nearby(after, (after) => draft.set({ after }), `Depends on #${near}`)}
          {nearby(before, (before) => draft.set({ before }), `Blocks #${near}`)}
          {nearby(parent, (ids) => draft.set({ parent: ids.slice(-1) }), `It is a part of #${near}`)}
        </div>
      )}
      {subjects.length < 2 && <Written label="Description" value={description} set={(description) => draft.set({ description })} rows={4} fault={sending.fault("description")} />}
      <div class="pair">
        <TaskPick label="Blocked by" placeholder="a number or words" chosen={after} choose={(after) => draft.set({ after })} fault={sending.fault("blockedBy")} />
        <TaskPick label="Unblocks" placeholder="tasks that depend on it" done={false} chosen={before} choose={(before) => draft.set({ before })} fault={sending.fault("blocks")} />
      </div>
      <div class="pair">
        <TaskPick label="Part of" placeholder="its parent" chosen={parent} choose={(parent) => draft.set({ parent })} most={1} fault={sending.fault("parent")} />
        <Priority value={priority} set={(priority) => draft.set({ priority })} fault={sending.fault("priority")} />
      </div>
      <div class="pair">
        <Field label="Labels" hint="with commas between them" fault={sending.fault("labels")}>
          {(p) => <input {...p} value={labels} list="box-labels" onInput={(e) => draft.set({ labels: e.currentTarget.value })} />}
        </Field>
        <Field label="For" hint="its assignee; empty: anybody" fault={sending.fault("owner")}>
          {(p) => <input {...p} value={owner} list="box-owners" maxLength={200} onInput={(e) => draft.set({ owner: e.currentTarget.value })} />}
        </Field>
      </div>
      <Field label="Check" hint={checkHint} fault={sending.fault("checks")}>
        {(p) => <input {...p} class="mono" placeholder="unit: go test ./..." value={check} onInput={(e) => draft.set({ check: e.currentTarget.value })} />}
      </Field>
      <datalist id="box-labels">{lanes?.labels.map((l) => <option key={l} value={l} />)}</datalist>
      <datalist id="box-owners">{lanes?.owners.map((o) => <option key={o} value={o} />)}</datalist>
    </Frame>
  );
}
