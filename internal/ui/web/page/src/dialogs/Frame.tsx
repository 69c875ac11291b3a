import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { taskOf, whereIs } from "../detail/focus";
import { Button } from "../parts/Button";
import { Refused } from "./Refused";
import { closeDialog, type Sending } from "./sending";

interface Props {
  title: ComponentChildren;
  children: ComponentChildren;
  does?: string; // the verb on the button; without it there is nothing to send
  kind?: "main" | "bad";
  submit?: () => void;
  insist?: boolean; // it overrules somebody: only its button does it, not Enter in a field
  sending?: Sending;
  more?: ComponentChildren; // further buttons
  wide?: boolean;
  draft?: { kept: boolean; drop: () => void }; // what is written in it stays until it is sent
}

// Frame is a dialog: the focus stays in it, Esc leaves and keeps what was written,
// Enter sends, and then the focus is where it was.
export function Frame({ title, children, does, kind = "main", submit, insist, sending, more, wide, draft }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const box = ref.current!;
    const before = document.activeElement as HTMLElement | null;
    const about = taskOf(before);
    box.showModal();
    (box.querySelector<HTMLElement>("[data-first]") ?? box.querySelector<HTMLElement>("input, textarea, select") ?? box.querySelector<HTMLElement>("[type=submit]"))?.focus();
    return () => {
      box.close();
      requestAnimationFrame(() => (before?.isConnected ? before : whereIs(about))?.focus());
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={`box${wide ? " wide" : ""}`}
      aria-labelledby="box-title"
      onCancel={(e) => {
        e.preventDefault();
        closeDialog();
      }}
      onKeyDown={(e) => e.key === "Enter" && (e.ctrlKey || e.metaKey) && ref.current?.querySelector("form")?.requestSubmit()}
    >
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          if (insist) ref.current?.querySelector("[role=alert]")?.scrollIntoView({ block: "nearest" });
          else if (!sending?.busy) submit?.();
        }}
      >
        <header class="box-head">
          <h2 id="box-title">{title}</h2>
          <Button kind="quiet" onClick={closeDialog} label="Close" title="Close (Esc)">
            ×
          </Button>
        </header>
        <div class="box-body">
          {draft?.kept && (
            <p class="kept" role="status">
              <span>You left this without sending it.</span>
              <Button kind="quiet" onClick={draft.drop}>
                Start over
              </Button>
            </p>
          )}
          {children}
        </div>
        {sending?.error && <Refused error={sending.error} others={sending.others} />}
        {does && (
          <footer class="box-foot">
            {more}
            <Button onClick={closeDialog}>Leave</Button>
            <button type={insist ? "button" : "submit"} class={`button ${kind}`} disabled={sending?.busy} onClick={insist ? submit : undefined}>
              {does}
            </button>
          </footer>
        )}
      </form>
    </dialog>
  );
}
