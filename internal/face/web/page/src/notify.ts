import { signal } from "@preact/signals";

// Desktop notifications, for those who ask for them.
export const notifyOn = signal(false);

export function toggleNotify(): void {
  notifyOn.value = !notifyOn.value;
}

export function startNotify(): void {}
