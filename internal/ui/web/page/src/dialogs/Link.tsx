import { useRef, useState } from "preact/hooks";
import type { ID, Op, Waited } from "../types";
import { Around } from "../detail/Around";
import { Frame } from "./Frame";
import { Named, useTask } from "./Named";
import { useSending } from "./sending";
import { Searching } from "./TaskPick";
import type { Choice } from "./match";

// Link says what a task waits for, or what waits for it. What is picked is linked
// at once; a link that would close a cycle is refused, with the cycle.
export function Link({ id }: { id: ID }) {
  const [turned, setTurned] = useState(false);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const sending = useSending();
  const task = useTask(id);
  const linked = (turned ? task?.waitedFor : task?.waitsFor) ?? [];

  const link = async (c: Choice): Promise<void> => {
    setOpen(false);
    const linked = await sending.send([turned ? { op: "update", id, addBlocks: [c.id] } : { op: "update", id, addBlockedBy: [c.id] }]);
    if (linked && input.current) input.current.value = "";
    input.current?.focus();
  };
  const unlink = async (w: Waited): Promise<void> => {
    await sending.send([unlinkOp(id, w.id, turned)]);
    input.current?.focus();
  };
  const direction = (value: boolean, words: string) => (
    <label class="choice">
      <input type="radio" name="direction" checked={turned === value} onChange={() => setTurned(value)} /> {words}
    </label>
  );
  return (
    <Frame title={<Named does="Link" id={id} />} sending={sending} wide>
      <fieldset class="choices">
        <legend class="hidden-words">Direction</legend>
        {direction(false, `what #${id} depends on`)}
        {direction(true, `what depends on #${id}`)}
      </fieldset>
      <div class="field">
        <label for="box-link">{turned ? `Make another task depend on #${id}` : `Make #${id} depend on`}</label>
        <div class="pick-box" data-search>
          <Searching id="box-link" input={input} open={open} setOpen={setOpen} take={link} placeholder="a number or words" done={!turned} first hide={(c) => c.id === id || linked.some((w) => w.id === c.id)} />
        </div>
      </div>
      {linked.length > 0 && <Around title={turned ? "Depend on it" : "Depends on"} tasks={linked} unlink={(w) => void unlink(w)} />}
    </Frame>
  );
}

// unlinkOp removes an edge: turned, that of a task that waits for this one.
export function unlinkOp(id: ID, other: ID, turned: boolean): Op {
  return turned ? { op: "update", id, removeBlocks: [other] } : { op: "update", id, removeBlockedBy: [other] };
}
