import { describe, expect, it } from "vitest";
import { Reel, type Film, type Was } from "./reel";

const film: Film = {
  revision: 13,
  from: 10,
  tasks: [
    { id: 1, subject: "Set up" },
    { id: 2, subject: "Parse" },
    { id: 3, subject: "Ship" },
  ],
  start: [
    { id: 1, state: "ready" },
    { id: 2, state: "blocked" },
  ],
  steps: [
    { revision: 11, at: "", by: "ada", verb: "claim", line: "", changes: [{ id: 1, state: "in_progress", owner: "ada" }] },
    {
      revision: 12,
      at: "",
      by: "ada",
      verb: "complete",
      line: "",
      changes: [
        { id: 1, state: "completed", owner: "ada" },
        { id: 2, state: "ready" },
      ],
    },
    {
      revision: 13,
      at: "",
      by: "bob",
      verb: "delete",
      line: "",
      changes: [
        { id: 1, gone: true },
        { id: 3, state: "ready" },
      ],
    },
  ],
};

const told = (r: Reel) => [...r.frames].sort(([a], [b]) => a - b).map(([id, f]) => `${id} ${f.state} ${f.owner}`.trim());

describe("a reel", () => {
  it("begins at the end, where the board is now", () => {
    const reel = new Reel(film);
    expect(reel.place).toBe(3);
    expect(told(reel)).toEqual(["2 ready", "3 ready"]);
  });

  it("shows each revision as it was", () => {
    const reel = new Reel(film);
    reel.seek(0);
    expect(told(reel)).toEqual(["1 ready", "2 blocked"]);
    expect(reel.step).toBeUndefined();
    reel.seek(1);
    expect(told(reel)).toEqual(["1 in_progress ada", "2 blocked"]);
    expect(reel.step?.revision).toBe(11);
    reel.seek(2);
    expect(told(reel)).toEqual(["1 completed ada", "2 ready"]);
  });

  it("tells the same whichever way it was wound", () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 16807) % 2147483647) % n;
    const states = ["ready", "blocked", "in_progress", "completed"] as const;
    const steps = Array.from({ length: 300 }, (_, i) => ({
      revision: i,
      at: "",
      by: "",
      verb: "",
      line: "",
      changes: Array.from({ length: 1 + random(4) }, (): Was => {
        const id = 1 + random(20);
        return random(5) === 0 ? { id, gone: true } : { id, state: states[random(4)]!, owner: ["", "ada"][random(2)]! };
      }),
    }));
    const reel = new Reel({ ...film, start: [], steps });
    const forwards: string[][] = [];
    for (let i = 0; i <= reel.length; i++) {
      reel.seek(i);
      forwards.push(told(reel));
    }
    for (let k = 0; k < 500; k++) {
      const to = random(reel.length + 1);
      reel.seek(to);
      expect(told(reel)).toEqual(forwards[to]);
    }
  });

  it("stops at its ends", () => {
    const reel = new Reel(film);
    reel.seek(99);
    expect(reel.place).toBe(3);
    reel.seek(-1);
    expect(reel.place).toBe(0);
  });
});
