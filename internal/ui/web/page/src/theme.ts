import { signal } from "@preact/signals";

// The theme is the system's unless somebody chose one, on this machine.
export type Theme = "auto" | "light" | "dark";
const key = "pawl.theme";
const themes: Theme[] = ["auto", "light", "dark"];

export const theme = signal<Theme>("auto");

export function applyTheme(): void {
  const kept = localStorage.getItem(key);
  theme.value = themes.find((t) => t === kept) ?? "auto";
  theme.subscribe((t) => {
    document.documentElement.dataset.theme = t;
    if (t === "auto") localStorage.removeItem(key);
    else localStorage.setItem(key, t);
  });
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length]!;
}
