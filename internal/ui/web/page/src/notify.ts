import { signal } from "@preact/signals";
import { onChange } from "./events";
import { line } from "./markdown/clean";
import { newsOf, told, type News } from "./news";
import { notify, show } from "./state";

// Desktop notifications, for those who ask for them: what became ready, was
// completed or put on hold by others, while nobody looks at the page.

const key = "pawl-notify";
const pause = 1000; // milliseconds for which news are gathered into one

const supported = (): boolean => typeof Notification !== "undefined";
const allowed = (): boolean => supported() && Notification.permission === "granted";

export const notifyOn = signal(allowed() && localStorage.getItem(key) === "on");

// toggleNotify switches them on or off. The browser asks the person the first
// time, and only then.
export async function toggleNotify(): Promise<void> {
  if (notifyOn.value) return set(false);
  if (!supported()) return notify({ text: "This browser has no desktop notifications", bad: true });
  const answer = await Notification.requestPermission();
  if (answer === "granted") return set(true);
  notify({ text: "This browser does not allow notifications of this page", hint: "its settings of the site can change that", bad: true });
}

function set(on: boolean): void {
  notifyOn.value = on;
  if (on) localStorage.setItem(key, "on");
  else localStorage.removeItem(key);
}

export function startNotify(): void {
  let gathered: News[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    timer = undefined;
    const news = gathered;
    gathered = [];
    if (document.visibilityState === "hidden" && allowed() && notifyOn.value) post(news);
  };
  onChange((change) => {
    if (!notifyOn.value || document.visibilityState !== "hidden") return;
    gathered.push(...newsOf(change));
    if (gathered.length > 0) timer ??= setTimeout(flush, pause);
  });
}

// post shows news as text. A click goes to the task.
function post(news: News[]): void {
  const { title, body, id } = told(news);
  const shown = new Notification(line(title), { body: line(body), tag: "pawl", icon: "/assets/icon.svg", silent: true });
  shown.onclick = () => {
    window.focus();
    if (id !== undefined) show(id);
    shown.close();
  };
}
