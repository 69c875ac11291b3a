import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { act, errorBody } from "../actions";
import { ops } from "../api";
import { absolute, localTimes } from "../clock";
import { isLarge } from "../dialogs/Undo";
import { Button } from "../parts/Button";
import { Mentions } from "../parts/Mentions";
import { dialog, hint, imagining, mayChange, notify } from "../state";
import type { ErrorBody, LogEntry } from "../types";
import { clock } from "./days";

interface Props {
  entry: LogEntry;
  unfolded: boolean;
  unfold: () => void;
  inTheWay: boolean; // of an undo that was just refused
  refused: (by: ErrorBody | undefined) => void;
  why?: ErrorBody; // it could not be undone
  selected?: boolean;
  select?: () => void;
  when?: ComponentChildren; // instead of the time of day
}

// Change is one thing that happened: when, what in words, and what can be done
// about it.
export function Change({ entry: e, unfolded, unfold, inTheWay, refused, why, selected, select, when }: Props) {
  const details = useId();
  const at = new Date(e.at);
  const tabIndex = select && !selected ? -1 : undefined; // one row of a list is in the order of Tab
  return (
    <li class={`change${e.undone ? " undone" : ""}${selected ? " selected" : ""}`} data-revision={e.revision} onPointerDown={select}>
      <div class="change-line">
        {when ?? (
          <time dateTime={e.at} title={absolute(e.at)}>
            {clock(at)}
          </time>
        )}
        <span class={`glyph of-${mark(e)}`} aria-hidden="true">
          {marks[mark(e)]}
        </span>
        <p>
          <Mentions text={e.line} tabIndex={tabIndex} />
          <span class="aside mono"> {e.short}</span>
          {e.undone && <span class="aside"> (undone)</span>}
          {inTheWay && <span class="bad"> (in the way)</span>}
        </p>
        <span class="change-do">
          {!!e.details?.length && (
            <Button kind="quiet" onClick={unfold} expanded={unfolded} controls={details} label={`${unfolded ? "Fold" : "Fields of"} this change: ${e.line}`} tabIndex={tabIndex}>
              {unfolded ? "Fold" : "Fields"}
            </Button>
          )}
          {mayChange.value && !e.undone && !e.bulk && e.verb !== "sync" && <Undo entry={e} refused={refused} tabIndex={tabIndex} />}
        </span>
      </div>
      {why && (
        <p class="bad change-why" role="alert">
          {upper(why.message)}
          {why.hint && !why.revision && <span class="aside"> {why.hint}</span>}{" "}
          {!!why.revision && why.revision !== e.revision && <a href={`#revision-${why.revision}`} onClick={(ev) => reveal(ev, why.revision!)}>Show that change</a>}
        </p>
      )}
      {unfolded && (
        <pre id={details} class="change-fields" tabIndex={0} dir="auto">
          {e.details?.map(localTimes).join("\n")}
        </pre>
      )}
    </li>
  );
}

function Undo({ entry, refused, tabIndex }: { entry: LogEntry; refused: (by: ErrorBody | undefined) => void; tabIndex?: number }) {
  const [busy, setBusy] = useState(false);
  const undo = async (): Promise<void> => {
    setBusy(true);
    refused(await takeBack(entry));
    setBusy(false);
  };
  return (
    <Button kind="quiet" onClick={() => void undo()} disabled={busy} label={`Undo: ${entry.line}`} tabIndex={tabIndex}>
      Undo
    </Button>
  );
}

// takeBack undoes a change, by anybody, and returns why it was refused. A
// large one it asks about first.
export async function takeBack(entry: LogEntry): Promise<ErrorBody | undefined> {
  const op = { op: "undo" as const, revision: entry.revision };
  if (imagining.value) {
    await act([op]); // which says why nothing is written
    return undefined;
  }
  if (isLarge(entry)) {
    dialog.value = { kind: "undo", of: entry };
    return undefined;
  }
  try {
    const result = await ops([op]);
    hint.value++;
    notify({ text: result.said, undo: result.changed ? result.revision : undefined, ids: result.ids });
    return undefined;
  } catch (err) {
    return errorBody(err);
  }
}

// reveal brings a change into sight.
function reveal(e: Event, revision: number): void {
  e.preventDefault();
  const row = document.querySelector<HTMLElement>(`[data-revision="${revision}"]`);
  if (row) {
    row.scrollIntoView({ block: "center" });
    row.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  } else notify({ text: `Change ${revision} is further back: scroll on to it` });
}

const marks = { complete: "✔", take: "→", hold: "⊘", add: "+", remove: "−", undo: "↶", sync: "⇄", other: "·" };

// mark is the glyph that shows what sort of thing happened.
function mark(e: LogEntry): keyof typeof marks {
  switch (e.verb) {
    case "complete":
      return "complete";
    case "claim":
    case "start":
      return "take";
    case "hold":
      return "hold";
    case "create":
    case "import":
      return "add";
    case "delete":
      return "remove";
    case "undo":
      return "undo";
    case "sync":
      return "sync";
  }
  return "other";
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
