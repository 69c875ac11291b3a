import { whyNot } from "../token";

// NoToken is the page in a browser that pawl serve knows nothing of.
export function NoToken() {
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
