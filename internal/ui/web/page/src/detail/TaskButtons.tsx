import { act, claim, complete, lift, release, reopen } from "../actions";
import { Refused } from "../dialogs/Refused";
import { Button } from "../parts/Button";
import { type Dialog, asDone, dialog, go, imagining, mayChange, refusals } from "../state";
import { awaitsApproval } from "../runs/running";
import type { TaskAnswer } from "../types";

interface Action {
  words: string;
  key: string;
  does: () => unknown;
}

// TaskButtons are what can be done with a task where it stands, the likeliest
// first, and below them why the last thing was refused.
export function TaskButtons({ of: a }: { of: TaskAnswer }) {
  const id = a.task.id;
  const why = refusals.value.get(id);
  const [main, ...others] = mayChange.value || imagining.value ? actionsOf(a) : [];
  const ask = (kind: Exclude<Dialog["kind"], "add" | "undo" | "steer" | "search" | "help">) => () => (dialog.value = { kind, id });
  return (
    <div class="detail-do">
      <p class="acts">
        {main && (
          <Button kind={main.words === "Complete" || main.words === "Claim" ? "main" : "plain"} onClick={() => void main.does()} title={`${main.words} (${main.key})`}>
            {main.words}
          </Button>
        )}
        {others.map((o) => (
          <Button key={o.words} onClick={() => void o.does()} title={`${o.words} (${o.key})`}>
            {o.words}
          </Button>
        ))}
      </p>
      {why && (
        <div class="detail-why">
          <Refused error={{ message: why.message, hint: why.hint }} />
          {why.anyway && (
            <Button kind="bad" onClick={() => void act(why.anyway!.ops, id)}>
              {why.anyway.does}
            </Button>
          )}
        </div>
      )}
      {!imagining.value && (
        <p class="acts quiet">
          {mayChange.value && (
            <>
              <Button kind="quiet" onClick={ask("edit")} title="Edit (e)">
                Edit
              </Button>
              <Button kind="quiet" onClick={ask("link")} title="Its dependencies, both ways (l)">
                Link
              </Button>
              <Button kind="quiet" onClick={ask("checks")} title="What must be so before it is done">
                Checks
              </Button>
              <Button kind="quiet" onClick={ask("note")} title="Leave a remark on it (n)">
                Note
              </Button>
              {a.task.status === "pending" && (
                <Button kind="quiet" onClick={ask("assign")} title="Set its assignee">
                  Assign
                </Button>
              )}
            </>
          )}
          <Button kind="quiet" onClick={() => go("graph", id)} title="The graph around it (g)">
            Graph
          </Button>
          {mayChange.value && (
            <Button kind="quiet" onClick={ask("delete")} title="Delete it, after a question (D)">
              Delete
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

function actionsOf(a: TaskAnswer): Action[] {
  const id = a.task.id;
  const completing = { words: "Complete", key: "d", does: () => complete(id) };
  if (imagining.value) {
    if (a.asDone) return [{ words: "Not done", key: "w leaves", does: () => (asDone.value = asDone.value.filter((x) => x !== id)) }];
    return a.state === "ready" || a.state === "in_progress" || a.state === "assigned" ? [completing] : [];
  }
  const claiming = { words: "Claim", key: "c", does: () => claim(id) };
  const holding = { words: "Hold", key: "h", does: () => (dialog.value = { kind: "hold", id }) };
  const lifting = { words: "Lift", key: "h", does: () => lift(id) };
  const releasing = { words: "Release", key: "x", does: () => release(id) };
  switch (a.state) {
    case "ready":
      return [claiming, completing, holding];
    case "in_progress":
      return [completing, releasing, a.task.hold ? lifting : holding];
    case "assigned":
      return [claiming, releasing, holding];
    case "blocked":
      return [holding];
    case "held":
      return awaitsApproval(a.task.hold?.reason) ? [] : [lifting];
    case "completed":
      return [{ words: "Reopen", key: "r", does: () => reopen(id) }];
    default:
      return [];
  }
}
