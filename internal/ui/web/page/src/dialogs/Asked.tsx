import { Checks } from "../checks/Checks";
import { line } from "../markdown/clean";
import type { ID, Op } from "../types";
import { useDraft } from "./drafts";
import { Field } from "./Field";
import { Frame } from "./Frame";
import { Named, useTask } from "./Named";
import { useSending } from "./sending";

export const checkHint = "a command, or a name and a command. It does not run before a person trusts it: pawl trust checks";

// Asked says what must be so before a task is done: commands that must pass, and
// criteria in words. What is added or removed counts at once.
export function Asked({ id }: { id: ID }) {
  const draft = useDraft(`checks ${id}`, { check: "", criterion: "" });
  const { check, criterion } = draft.value;
  const sending = useSending();
  const answer = useTask(id);
  const criteria = answer?.task.accept ?? [];
  const send = (op: Partial<Extract<Op, { op: "update" }>>) => sending.send([{ op: "update", id, ...op }]);
  const add = async (): Promise<void> => {
    const checks = check.trim() ? [check.trim()] : undefined;
    const texts = criterion.trim() ? [criterion.trim()] : undefined;
    if ((checks || texts) && (await send({ addChecks: checks, addAccept: texts }))) draft.drop();
  };
  return (
    <Frame title={<Named does="Checks of" id={id} />} does="Add" submit={() => void add()} sending={sending} draft={draft} wide>
      <Field label="Add a check" hint={checkHint} fault={sending.fault("addChecks")}>
        {(p) => <input {...p} data-first class="mono" placeholder="unit: go test ./..." value={check} onInput={(e) => draft.set({ check: e.currentTarget.value })} />}
      </Field>
      <Field label="Add a criterion" hint="what must be so when it is done, in words; a person ticks it" fault={sending.fault("addAccept")}>
        {(p) => <input {...p} placeholder="the page does not flicker" value={criterion} onInput={(e) => draft.set({ criterion: e.currentTarget.value })} />}
      </Field>
      <Checks checks={answer?.checks} brief busy={sending.busy} remove={(name) => void send({ removeChecks: [name] })} />
      {criteria.length > 0 && (
        <section class="criteria" aria-label="Criteria">
          <h3>Criteria</h3>
          <ul>
            {criteria.map((c) => (
              <li key={c.text}>
                <bdi>{line(c.text)}</bdi>
                <button type="button" class="button quiet unlink" disabled={sending.busy} onClick={() => void send({ removeAccept: [c.text] })} aria-label={`Remove the criterion ${line(c.text)}`} title="Remove">
                  ×
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Frame>
  );
}
