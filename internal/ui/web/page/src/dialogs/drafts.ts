import { useState } from "preact/hooks";
import { about } from "../state";

// What was written in a dialog that was left without sending, in whatever way, is
// there again the next time: as long as the tab is open, also after a reload.
const place = (name: string): string => `pawl-draft ${about.peek()?.project ?? ""} ${name}`;

function read<T>(name: string): T | undefined {
  try {
    const text = sessionStorage.getItem(place(name));
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined; // unavailable
  }
}

function write(name: string, value: unknown): void {
  try {
    if (value === undefined) sessionStorage.removeItem(place(name));
    else sessionStorage.setItem(place(name), JSON.stringify(value));
  } catch {} // full, or unavailable: the dialog still has it
}

// A Draft is what is being written. It is kept with each key, for nobody says
// before that a dialog is left: the address changes, the page is read again.
export interface Draft<T> {
  value: T;
  set: (some: Partial<T>) => void;
  kept: boolean; // it is from an earlier time
  drop: () => void; // it was sent, or is not wanted: begin again
}

// useDraft begins with what was kept under a name, else with what is given. same
// says whether nothing has been written yet.
export function useDraft<T extends object>(name: string, empty: T, same: (value: T) => boolean = (v) => JSON.stringify(v) === JSON.stringify(empty)): Draft<T> {
  const [kept, setKept] = useState(() => read<T>(name));
  const [value, setValue] = useState<T>(() => ({ ...empty, ...kept }));
  const latest = useState(() => ({ value }))[0]; // two changes may come before it is drawn again
  const become = (next: T): void => {
    latest.value = next;
    setValue(next);
    write(name, same(next) ? undefined : next);
  };
  return {
    value,
    kept: !!kept,
    set: (some) => become({ ...latest.value, ...some }),
    drop: () => {
      setKept(undefined);
      become(empty);
      write(name, undefined);
    },
  };
}
