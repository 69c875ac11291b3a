import { claim, complete, lift, release, start } from "../actions";
import { Button } from "../parts/Button";
import { asDone, imagining, mayChange, selected } from "../state";
import { awaitsApproval } from "../runs/running";
import type { Card } from "../types";

interface Action {
  words: string;
  does: () => unknown;
  main?: boolean;
}

// actionsOf are the buttons of a card: one or two that are likely where it stands,
// so that there is room for them beside what is read. The details have all.
function actionsOf(c: Card): Action[] {
  const lifting = { words: "Lift", does: () => lift(c.id) };
  const completing = { words: "Complete", does: () => complete(c.id), main: true };
  if (imagining.value) {
    if (c.asDone) return [{ words: "Not done", does: () => (asDone.value = asDone.value.filter((id) => id !== c.id)) }];
    return c.state === "ready" || c.state === "in_progress" || c.state === "assigned" ? [completing] : [];
  }
  switch (c.state) {
    case "ready":
      return [c.owner ? { words: "Start", does: () => start(c.id), main: true } : { words: "Claim", does: () => claim(c.id), main: true }, { ...completing, main: false }];
    case "assigned":
      return [{ words: "Release", does: () => release(c.id) }];
    case "in_progress":
      return [completing, c.why ? lifting : { words: "Release", does: () => release(c.id) }];
    case "held":
      return awaitsApproval(c.why) ? [] : [lifting];
    default:
      return [];
  }
}

export function CardButtons({ card: c, tab }: { card: Card; tab: number }) {
  const actions = mayChange.value || imagining.value ? actionsOf(c) : [];
  if (!actions.length) return null;
  const press = (a: Action) => (e: MouseEvent) => {
    e.stopPropagation();
    selected.value = c.id;
    void a.does();
  };
  return (
    <p class="buttons">
      {actions.map((a) => (
        <Button key={a.words} kind={a.main ? "main" : "plain"} tabIndex={tab} onClick={press(a)} label={`${a.words} #${c.id}`}>
          {a.words}
        </Button>
      ))}
    </p>
  );
}
