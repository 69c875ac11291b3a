import { useRef } from "preact/hooks";
import { show } from "../state";
import { Frame } from "./Frame";
import { closeDialog } from "./sending";
import { Searching } from "./TaskPick";

// Search goes to any task, open or done: by number, by words or letters of its
// subject, by who has it, by a label, or by what its description says.
export function Search() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Frame title="Go to a task" wide>
      <div class="search">
        <label for="box-search" class="hidden-words">
          Number, words, a name or a label
        </label>
        <Searching
          id="box-search"
          input={input}
          open
          always
          setOpen={() => undefined}
          take={(c) => {
            closeDialog();
            show(c.id);
          }}
          placeholder="Number, words, a name or a label"
          done
          first
          hide={() => false}
        />
      </div>
    </Frame>
  );
}
