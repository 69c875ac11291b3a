import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../api";
import { useReading } from "../reading";
import { filterParams, noFilter } from "../hash";
import type { Lanes } from "../types";
import { match, type Choice } from "./match";

const mostDone = 500; // completed tasks that are at hand without being asked for
const pause = 150; // milliseconds without a key before the server is asked
const mostShown = 50;

// useChoices are the tasks that a text means, of all that are on the board: open
// and newly done ones by what stands on their cards, all others by the words of
// subject and description, which the server looks through. Without a text nothing
// is read: nobody sees them.
export function useChoices(text: string | undefined, done: boolean): Choice[] {
  const lanes = useReading<Lanes>(text === undefined ? undefined : `lanes?done=${done ? mostDone : 0}`);
  const [found, setFound] = useState<Choice[]>([]);
  const sought = text?.trim() ?? "";
  useEffect(() => {
    setFound([]);
    if (sought.length < 3) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const q = filterParams({ ...noFilter, text: sought });
      q.set("done", String(done ? mostShown : 0));
      get<Lanes>(`lanes?${q}`, abort.signal).then((l) => setFound(choices(l)), () => undefined); // what is at hand is still there
    }, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [sought, done]);
  const here = useMemo(() => (lanes.data.value ? choices(lanes.data.value) : []), [lanes.data.value]);
  const matched = match(here, sought);
  const known = new Set(matched.map((c) => c.id));
  return [...matched, ...found.filter((c) => !known.has(c.id))].slice(0, mostShown);
}

// choices are the tasks of the board, those first that one can go on with.
function choices(l: Lanes): Choice[] {
  const order = ["in_progress", "ready", "blocked", "completed"];
  const lanes = [...l.lanes].sort((a, b) => order.indexOf(a.lane) - order.indexOf(b.lane));
  return lanes.flatMap((lane) => lane.cards);
}
