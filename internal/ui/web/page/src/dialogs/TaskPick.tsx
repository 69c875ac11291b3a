import { useId, useRef, useState } from "preact/hooks";
import { line } from "../markdown/clean";
import { Glyph, stateWords } from "../parts/Glyph";
import type { ID } from "../types";
import { useChoices } from "./choices";
import type { Choice } from "./match";

interface Props {
  label: string;
  placeholder?: string;
  chosen: ID[];
  choose: (ids: ID[]) => void;
  most?: number; // as many can be chosen; more replace the first
  without?: ID; // cannot be chosen
  done?: boolean; // completed ones can
  fault?: string;
}

// TaskPick is a field in which tasks are chosen: a few letters or a number,
// arrows, Enter. What is chosen stands before it, and can be taken out.
export function TaskPick({ label, placeholder, chosen, choose, most = Infinity, without, done = true, fault }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const names = useRef(new Map<ID, string>());
  const take = (c: Choice): void => {
    names.current.set(c.id, c.subject);
    choose([...chosen.filter((x) => x !== c.id), c.id].slice(-most));
    if (input.current) input.current.value = "";
    setOpen(false);
  };
  const drop = (task: ID): void => {
    choose(chosen.filter((x) => x !== task));
    input.current?.focus();
  };
  return (
    <div class="pick field">
      <label for={id}>{label}</label>
      <div class="pick-box">
        {chosen.map((task) => (
          <button key={task} type="button" class="chip" onClick={() => drop(task)} aria-label={`${label}: take out #${task} ${line(names.current.get(task) ?? "")}`} title="Take it out">
            <span class="mono">#{task}</span> <bdi>{line(names.current.get(task) ?? "")}</bdi> ×
          </button>
        ))}
        <Searching id={id} input={input} open={open} setOpen={setOpen} take={take} placeholder={placeholder} done={done} hide={(c) => c.id === without || chosen.includes(c.id)} erase={() => choose(chosen.slice(0, -1))} fault={fault} />
      </div>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface SearchingProps {
  id: string;
  input: { current: HTMLInputElement | null };
  open: boolean;
  setOpen: (open: boolean) => void;
  take: (c: Choice) => void | Promise<void>; // it says in the input what it leaves there
  placeholder?: string;
  done: boolean;
  hide: (c: Choice) => boolean;
  erase?: () => void;
  fault?: string;
  first?: boolean; // it has the focus when the dialog opens
  always?: boolean; // the list is there without being asked for
}

// Searching is the input with its list. The tasks are read while that is open.
export function Searching(p: SearchingProps) {
  const [text, setText] = useState("");
  const sync = (): void => setText(p.input.current?.value ?? "");
  const [at, setAt] = useState<ID | undefined>(undefined); // which one is chosen; none: the first. Others may come before it
  const shown = p.open || !!p.always;
  const found = useChoices(shown ? text : undefined, p.done).filter((c) => !p.hide(c));
  const now = found.length === 0 ? -1 : Math.max(0, found.findIndex((c) => c.id === at));
  const option = (i: number): string => `${p.id}-${i}`;
  const take = async (c: Choice): Promise<void> => {
    await p.take(c);
    sync();
    setAt(undefined);
  };
  const key = (e: KeyboardEvent): void => {
    switch (e.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (!p.open && !p.always) p.setOpen(true);
        else setAt(found[(now + (e.key === "ArrowDown" ? 1 : found.length - 1)) % found.length]?.id);
        break;
      case "Enter":
        if (!p.always && (!p.open || (text === "" && at === undefined))) return; // for the form
        if (found[now]) void take(found[now]);
        break;
      case "Escape":
        if (!p.open || p.always) return; // for the dialog
        p.setOpen(false);
        break;
      case "Backspace":
        if (text !== "" || !p.erase) return;
        p.erase();
        break;
      default:
        return;
    }
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="pick-search">
      <input
        id={p.id}
        ref={p.input}
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        data-first={p.first}
        maxLength={200}
        placeholder={p.placeholder}
        aria-expanded={shown}
        aria-controls={`${p.id}-list`}
        aria-activedescendant={shown && found[now] ? option(now) : undefined}
        aria-invalid={p.fault ? true : undefined}
        aria-describedby={p.fault ? `${p.id}-fault` : undefined}
        onInput={() => {
          sync();
          setAt(undefined);
          p.setOpen(true);
        }}
        onBlur={() => p.setOpen(false)}
        onClick={() => p.setOpen(true)}
        onKeyDown={key}
      />
      <ul id={`${p.id}-list`} class="pick-list" role="listbox" aria-label="Tasks" hidden={!shown}>
        {shown &&
          found.map((c, i) => (
            <li
              key={c.id}
              id={option(i)}
              role="option"
              aria-selected={i === now}
              ref={i === now ? (el) => el?.scrollIntoView({ block: "nearest" }) : undefined}
              onPointerDown={(e) => e.preventDefault()}
              onClick={() => void take(c)}
            >
              <Glyph state={c.state} /> <span class="mono">#{c.id}</span> <bdi>{line(c.subject)}</bdi>
              <span class="hidden-words">, {stateWords[c.state]}</span>
              {c.owner && <span class="aside"> {line(c.owner)}</span>}
            </li>
          ))}
        {shown && found.length === 0 && (
          <li class="aside" role="option" aria-disabled="true" aria-selected={false}>
            {text ? "No task has this name" : "No other task"}
          </li>
        )}
      </ul>
    </div>
  );
}
