import type { ID, Moment, Revision, State } from "../types";

/** What a task was at some revision, or that it was not there. */
export interface Was {
  id: ID;
  state?: State;
  owner?: string;
  subject?: string; // where it was called otherwise than now
  gone?: boolean;
}

export interface Step {
  revision: Revision;
  at: Moment;
  by: string;
  verb: string;
  line: string;
  changes: Was[];
}

/** The history of a board as the server tells it in one answer. */
export interface Film {
  revision: Revision;
  from: Revision;
  cut?: string;
  tasks: { id: ID; subject: string }[];
  start: Was[];
  steps: Step[];
}

export interface Frame {
  state: State;
  owner: string;
  subject?: string;
}

/**
 * A film that can be wound to any place: 0 is how it began, n is after the nth
 * step. Winding costs what changed on the way, in either direction, so a slider
 * may be dragged over thousands of steps.
 */
export class Reel {
  readonly frames = new Map<ID, Frame>();
  place = 0;
  private readonly forth: [ID, Frame | undefined][][];
  private readonly back: [ID, Frame | undefined][][];

  constructor(readonly film: Film) {
    for (const was of film.start) this.set(was.id, frame(was));
    this.forth = film.steps.map((s) => s.changes.map((c): [ID, Frame | undefined] => [c.id, frame(c)]));
    this.back = [];
    for (const changes of this.forth) {
      this.back.push(changes.map(([id]): [ID, Frame | undefined] => [id, this.frames.get(id)]).reverse());
      for (const [id, f] of changes) this.set(id, f);
    }
    this.place = this.length;
  }

  get length(): number {
    return this.forth.length;
  }

  /** The step that led to where the reel is; none at its beginning. */
  get step(): Step | undefined {
    return this.film.steps[this.place - 1];
  }

  seek(to: number): void {
    to = Math.max(0, Math.min(this.length, to));
    while (this.place < to) for (const [id, f] of this.forth[this.place++]!) this.set(id, f);
    while (this.place > to) for (const [id, f] of this.back[--this.place]!) this.set(id, f);
  }

  private set(id: ID, f: Frame | undefined): void {
    if (f) this.frames.set(id, f);
    else this.frames.delete(id);
  }
}

function frame(was: Was): Frame | undefined {
  return was.gone || !was.state ? undefined : { state: was.state, owner: was.owner ?? "", subject: was.subject };
}
