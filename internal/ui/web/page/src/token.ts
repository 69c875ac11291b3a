// The token is what a request must show. A browser gets it in exchange for the
// code behind the # of the address that `pawl serve --open` opens, or from
// another tab of the same board; it stays in this tab's session. At the address of
// a team's server it is a key of this page for some hours, never the token itself.

/** Whether a server shows the board that keeps it for others. */
export const atAddress = typeof location !== "undefined" && location.pathname !== "/";

const key = atAddress ? `pawl.key:${location.pathname}` : "pawl.token";
let token = "";
let spent = ""; // one that the server did not take, and that other tabs may still have

const isCode = (text: string): boolean => /^[A-Za-z0-9_-]{8,}$/.test(text);

// takeLinks lets a link count that is opened where the page is open already: only
// what is behind the # changes then.
export function takeLinks(): void {
  addEventListener("hashchange", () => isCode(location.hash.slice(1)) && location.reload());
}

// takeCode takes a code out of the address, so that neither the history nor a
// screenshot has it, and says what it was.
function takeCode(): string | undefined {
  const code = location.hash.slice(1);
  if (!isCode(code)) return undefined;
  history.replaceState(null, "", location.pathname);
  return code;
}

// whyNot is what the server said of a link that it did not take.
export let whyNot = "";

async function exchange(code: string): Promise<string> {
  return received(await fetch("api/v1/token", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) }));
}

async function received(answer: Response): Promise<string> {
  const body = (await answer.json()) as { token?: string; error?: { message: string } };
  if (!answer.ok) whyNot = body.error?.message ?? `the server answered ${answer.status}`;
  return body.token ?? "";
}

// giveToken exchanges the token that a person has typed for a key of this page, and
// says whether the server took it.
export async function giveToken(typed: string): Promise<boolean> {
  whyNot = "";
  try {
    const made = await received(await fetch("api/v1/keys", { method: "POST", headers: { Authorization: `Bearer ${typed}` }, credentials: "omit" }));
    if (made) sessionStorage.setItem(key, made);
    return !!made;
  } catch {
    whyNot = "the server does not answer";
    return false;
  }
}

// notLetIn says why the server lets the page in no longer.
export function notLetIn(why: string): void {
  whyNot = why;
}

const channel = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(key);
const askFor = 300; // milliseconds: another tab answers at once, or not at all

// askTabs asks the other tabs of this server for their token.
function askTabs(): Promise<string> {
  if (!channel) return Promise.resolve("");
  return new Promise((resolve) => {
    const end = (t: string) => {
      channel.removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(t);
    };
    const hear = (e: MessageEvent) => typeof e.data?.token === "string" && e.data.token && e.data.token !== spent && end(e.data.token);
    const timer = setTimeout(() => end(""), askFor);
    channel.addEventListener("message", hear);
    channel.postMessage({ want: "token" });
  });
}

channel?.addEventListener("message", (e) => {
  if (e.data?.want === "token" && token) channel.postMessage({ token });
});

// findToken returns the access token, if there is one.
export async function findToken(): Promise<string> {
  const code = takeCode();
  const made = code ? await exchange(code).catch(() => "") : "";
  token = made || sessionStorage.getItem(key) || (await askTabs());
  if (token) sessionStorage.setItem(key, token);
  return token;
}

export const currentToken = (): string => token;

// forgetToken is for one that the server does not take.
export function forgetToken(): void {
  spent = token;
  token = "";
  sessionStorage.removeItem(key);
}
