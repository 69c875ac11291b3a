import { post } from "../api";
import { useDraft } from "../dialogs/drafts";
import { Field } from "../dialogs/Field";
import { Frame } from "../dialogs/Frame";
import { Named } from "../dialogs/Named";
import { closeDialog, useSending } from "../dialogs/sending";
import { line } from "../markdown/clean";
import { notify, type Steered } from "../state";
import type { RunAsked } from "../types";
import { changed, run, runHint, waits } from "./running";

// Steering asks before the run is asked: nothing of it can be undone.
export function Steering({ id, of: v, what }: Steered) {
  const draft = useDraft(`retry ${v.task}`, { text: "" });
  const sending = useSending();
  const { text } = draft.value;
  const back = what === "retry" && waits(v);
  const does = { approve: "Approve", retry: back ? "Send back" : "Another attempt", stop: "Stop" }[what];
  const send = async (): Promise<void> => {
    try {
      const { said } = await post<RunAsked>("run", { ask: what, task: v.task, text: what === "retry" ? text.trim() || undefined : undefined });
      draft.drop();
      notify({ text: said });
      runHint.value++;
      closeDialog();
    } catch (err) {
      sending.fail(err);
    }
  };
  return (
    <Frame title={<Named does={{ approve: "Approve", retry: back ? "Send back" : "Another attempt at", stop: "Stop the agent of" }[what]} id={id} subject={v.subject} />} does={does} kind={what === "stop" ? "bad" : "main"} submit={() => void send()} sending={sending} draft={what === "retry" ? draft : undefined}>
      {what === "approve" && (
        <p>
          The commits of attempt {v.attempt} go to {line(run.value?.target ?? "the target")}
          {changed(v) && `: ${changed(v)}`}. The checks run once more on the merged files.
        </p>
      )}
      {what === "stop" && <p>The agent ends, and what it did is kept. The task is put on hold.</p>}
      {what === "retry" && (
        <Field label="Remark" hint={back ? "What the agent should do otherwise." : "What the agent should know; may be empty."} fault={sending.fault("text")}>
          {(p) => <textarea {...p} data-first rows={3} value={text} onInput={(e) => draft.set({ text: e.currentTarget.value })} />}
        </Field>
      )}
    </Frame>
  );
}
