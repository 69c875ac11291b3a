import { useRef } from "preact/hooks";
import type { ApiError } from "../api";
import { act } from "../actions";
import { useDraft } from "../dialogs/drafts";
import { WholeLists } from "../todos/AtWork";
import { mayChange } from "../state";

const longest = 500; // characters of a subject

// Empty is a board without tasks: it says what to do next.
export function Empty({ error }: { error: ApiError | undefined }) {
  const draft = useDraft("first", { subject: "" });
  const under = useRef(false);
  if (error && error.body.kind !== "not_found")
    return (
      <div class="empty">
        <h2>The board cannot be shown</h2>
        <p>
          {error.body.message} {error.body.hint}
        </p>
      </div>
    );
  const add = async (e: SubmitEvent) => {
    e.preventDefault();
    const text = draft.value.subject.trim();
    if (!text || under.current) return;
    under.current = true;
    if (await act([{ op: "create", tasks: [{ subject: text }] }])) draft.drop();
    under.current = false;
  };
  return (
    <div class="empty">
      <WholeLists none={error ? "There is no board here yet" : "Nothing here yet"} />
      {mayChange.value && <form onSubmit={add}>
        <label>
          First task
          <input value={draft.value.subject} maxLength={longest} onInput={(e) => draft.set({ subject: e.currentTarget.value })} placeholder="Set up the project" />
        </label>
        <button type="submit" class="button main">
          Add
        </button>
      </form>}
      {mayChange.value && <p>
        Or in a terminal: <code>pawl add "first task"</code>
      </p>}
      <p>
        So that agents keep their plan here: <code>pawl setup claude</code>, or another agent's name
      </p>
      <p class="quiet">What agents and other people add shows up by itself.</p>
    </div>
  );
}
