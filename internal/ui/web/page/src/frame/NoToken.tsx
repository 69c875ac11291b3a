import { useRef, useState } from "preact/hooks";
import { atAddress, giveToken, whyNot } from "../token";

// NoToken is the page in a browser that the server knows nothing of.
export function NoToken() {
  return atAddress ? <GiveToken /> : <FromTerminal />;
}

function FromTerminal() {
  return (
    <main class="alone">
      <h1>Open it from the terminal</h1>
      {whyNot && <p>Not let in: {whyNot}.</p>}
      <p>
        This board answers only a browser that <code>pawl serve</code> has opened, so that no other program or person on this machine reads it by its address.
      </p>
      <pre>pawl serve --open</pre>
      <p>Where it is running already, that opens a new tab of the same board. A link works once, and for a minute; a tab beside this one that shows the board lets this one in, too: reload.</p>
    </main>
  );
}

// GiveToken asks for a token of the server, which is exchanged for a key of this page.
function GiveToken() {
  const field = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [why, setWhy] = useState(whyNot);
  const send = async (e: SubmitEvent): Promise<void> => {
    e.preventDefault();
    const typed = field.current?.value.trim() ?? "";
    if (!typed || busy) return;
    setBusy(true);
    if (await giveToken(typed)) return location.reload();
    setBusy(false);
    setWhy(whyNot);
    field.current?.select();
  };
  return (
    <main class="alone">
      <h1>The board {boardName()}</h1>
      <p>
        On a machine that has joined this board, <code>pawl serve --open</code> in the project opens this page. Here, give your token:
      </p>
      <form onSubmit={(e) => void send(e)}>
        <input ref={field} type="password" name="token" aria-label="Token" placeholder="pawl_…" autocomplete="off" spellcheck={false} autofocus required maxLength={300} />
        <button type="submit" class="button main" disabled={busy}>
          Open
        </button>
      </form>
      {why && (
        <p class="bad" role="alert">
          Not let in: {why}.
        </p>
      )}
      <p>This browser does not keep the token. It gets a key for this page, which ends after 12 hours, with the token, or when you close the tab.</p>
      <p>
        Who runs the server makes tokens: <code>pawl serve token create NAME</code>
      </p>
    </main>
  );
}

const boardName = (): string => location.pathname.split("/").filter(Boolean).at(-1) ?? "";
