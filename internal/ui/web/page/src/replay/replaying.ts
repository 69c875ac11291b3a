import { batch, computed, signal } from "@preact/signals";
import { get } from "../api";
import { errorBody, refused } from "../actions";
import { leaveWhatIf } from "../state";
import type { ID } from "../types";
import { Reel, type Film, type Frame } from "./reel";

// The history of the board, asked for once; then the slider needs nobody.
export const reel = signal<Reel | undefined>(undefined);
export const at = signal(0); // of the reel's steps
export const playing = signal(false);
export const pace = signal(2); // steps a second

// round counts what is shown: the frames are one map, which is changed in place.
export const round = signal(0);

export const frames = computed<ReadonlyMap<ID, Frame> | undefined>(() => reel.value?.frames);

export async function open(): Promise<void> {
  leaveWhatIf();
  try {
    const r = new Reel(await get<Film>("replay"));
    reel.value = r;
    at.value = r.place;
  } catch (err) {
    refused(undefined, errorBody(err));
  }
}

let wanted: number | undefined;

/** Goes to a place. A slider asks for many a frame: the last one is drawn. */
export function seek(to: number): void {
  if (!reel.peek()) return;
  if (wanted === undefined) requestAnimationFrame(wind);
  wanted = to;
}

function wind(): void {
  const r = reel.peek();
  const to = wanted!;
  wanted = undefined;
  if (!r) return;
  r.seek(to);
  batch(() => {
    at.value = r.place;
    round.value++;
  });
}

export function leave(): void {
  playing.value = false;
  reel.value = undefined;
}
