import { useLayoutEffect, useRef } from "preact/hooks";
import { line } from "../markdown/clean";
import { Button } from "../parts/Button";
import type { Reading } from "../reading";
import { choose, filter, filterOpen, showAll } from "../state";
import { isFiltered } from "../hash";
import type { Lanes, Level } from "../types";

const levels: Level[] = ["high", "medium", "low"];

// FilterBar chooses which tasks are shown, in all views. What is chosen is a chip
// that clears it, also while the fields are folded.
export function FilterBar({ lanes }: { lanes: Reading<Lanes> }) {
  const f = filter.value;
  const on = isFiltered(f);
  const open = filterOpen.value;
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), [open]); // a frame later, what is typed at once would be commands
  if (!open && !on) return null;
  const owners = options(lanes.data.value?.owners, f.owner);
  const labels = (lanes.data.value?.labels ?? []).filter((l) => !f.label.includes(l));
  const close = (e: KeyboardEvent) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    filterOpen.value = false;
    document.getElementById("view")?.focus();
  };
  return (
    <section class="filter" aria-label="Filter" onKeyDown={close}>
      {open && (
        <>
          <label>
            Text <input ref={first} type="search" value={f.text ?? ""} maxLength={200} onInput={(e) => choose({ text: e.currentTarget.value || undefined })} />
          </label>
          <label>
            Owner{" "}
            <select value={f.owner ?? ""} onChange={(e) => choose({ owner: e.currentTarget.value || undefined })}>
              <option value="">anybody</option>
              {owners.map((o) => (
                <option key={o} value={o}>
                  {line(o)}
                </option>
              ))}
            </select>
          </label>
          <label>
            Label{" "}
            <select value="" onChange={(e) => e.currentTarget.value && choose({ label: [...f.label, e.currentTarget.value] })}>
              <option value="">{f.label.length ? "one more" : "any"}</option>
              {labels.map((l) => (
                <option key={l} value={l}>
                  {line(l)}
                </option>
              ))}
            </select>
          </label>
          <label>
            Priority{" "}
            <select value={f.priority ?? ""} onChange={(e) => choose({ priority: (e.currentTarget.value || undefined) as Level | undefined })}>
              <option value="">any</option>
              {levels.map((l) => (
                <option key={l}>{l}</option>
              ))}
            </select>
          </label>
        </>
      )}
      {on && (
        <ul class="chips">
          {f.text && <Chip words={`“${f.text}”`} clear={() => choose({ text: undefined })} />}
          {f.owner && <Chip words={`owner ${f.owner}`} clear={() => choose({ owner: undefined })} />}
          {f.label.map((l) => (
            <Chip key={l} words={`label ${l}`} clear={() => choose({ label: f.label.filter((o) => o !== l) })} />
          ))}
          {f.priority && <Chip words={`priority ${f.priority}`} clear={() => choose({ priority: undefined })} />}
          {f.parent && <Chip words={`parts of #${f.parent}`} clear={() => choose({ parent: undefined })} />}
          <li>
            <Button kind="quiet" onClick={showAll}>
              Show all
            </Button>
          </li>
        </ul>
      )}
    </section>
  );
}

// options keeps what is chosen among what can be.
function options(known: string[] = [], chosen?: string): string[] {
  return chosen && !known.includes(chosen) ? [...known, chosen].sort() : known;
}

function Chip({ words: of, clear }: { words: string; clear: () => void }) {
  const words = line(of);
  return (
    <li>
      <button type="button" class="chip" onClick={clear} aria-label={`${words}: remove from the filter`}>
        {words} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}
