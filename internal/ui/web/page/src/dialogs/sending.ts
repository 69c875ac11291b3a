import { useEffect, useRef, useState } from "preact/hooks";
import { errorBody } from "../actions";
import { ops } from "../api";
import { dialog, hint, imagining, link, notify } from "../state";
import type { ErrorBody, Op, Result } from "../types";

// A Sending is what a dialog asks of the board. What is refused stays in the
// dialog, where it can be put right.
export interface Sending {
  busy: boolean;
  error?: ErrorBody;
  send: (list: Op[]) => Promise<Result | undefined>;
  fail: (err: unknown) => void; // shows why something else failed
  fault: (field: string) => string | undefined; // what is wrong with a field
  others: string[]; // what is wrong beside the fields that were asked about
}

const whatIf: ErrorBody = { kind: "invalid", message: "Nothing is written in a what-if", hint: "leave it first" };

export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const under = useRef(false);
  const [error, setError] = useState<ErrorBody | undefined>(undefined);
  useEffect(
    () =>
      link.subscribe((now) => {
        if (now === "live") setError((e) => (e?.kind === "unavailable" ? undefined : e)); // it answers again
      }),
    [],
  );
  const asked = new Set<string>();
  const send = async (list: Op[]): Promise<Result | undefined> => {
    if (imagining.value) {
      setError(whatIf);
      return undefined;
    }
    if (under.current) return undefined; // a second press, before the first was shown to count
    under.current = true;
    setBusy(true);
    try {
      const result = await ops(list);
      setError(undefined);
      hint.value++;
      notify({ text: result.said, undo: result.changed ? result.revision : undefined, ids: result.ids });
      return result;
    } catch (err) {
      setError(errorBody(err));
      return undefined;
    } finally {
      under.current = false;
      setBusy(false);
    }
  };
  return {
    busy,
    error,
    send,
    fail: (err) => setError(errorBody(err)),
    fault(field) {
      asked.add(field);
      return faultsOf(error, field)[0];
    },
    get others() {
      return (error?.faults ?? []).filter((f) => ![...asked].some((a) => isAt(f.path, a))).map((f) => (f.path ? `${last(f.path)} ${f.problem}` : f.problem));
    },
  };
}

// faultsOf are the problems of a field, wherever in the request it was:
// "ops[0].tasks[2].subject" is one of the subject.
export function faultsOf(error: ErrorBody | undefined, field: string): string[] {
  return (error?.faults ?? []).filter((f) => isAt(f.path, field)).map((f) => sentence(f.problem));
}

function isAt(path: string | undefined, field: string): boolean {
  return !!path && path.split(/[.[\]]+/).includes(field);
}

const last = (path: string): string => path.split(".").pop() ?? path;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const closeDialog = (): void => void (dialog.value = undefined);
