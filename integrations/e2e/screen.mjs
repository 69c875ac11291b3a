// A terminal that a person types into and reads, in a tmux server of its own,
// which reads nobody's configuration.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// screen starts a shell in a folder. It must be closed.
export function screen({ dir, env, width = 110, height = 40 }) {
  const socket = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "screen-")), "s");
  const tmux = (...args) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  const all = { TERM: "xterm-256color", LANG: "C.UTF-8", PS1: "$ ", ...env };
  tmux("new-session", "-d", "-x", width, "-y", height, "-c", dir, "--", "env", "-i", ...Object.entries(all).map(([k, v]) => `${k}=${v}`), "sh");
  const shown = () => tmux("capture-pane", "-p").trimEnd();
  return {
    shown,
    type: (text) => tmux("send-keys", "-l", "--", text),
    press: (...keys) => tmux("send-keys", ...keys),
    // sees waits until a text stands on the screen, and returns the screen. Of
    // several texts it is the one that comes first.
    async sees(texts, seconds = 60) {
      for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(100)) {
        const now = shown();
        if ([texts].flat().some((text) => (text.test ? text.test(now) : now.includes(text)))) return now;
      }
      throw new Error(`no ${texts} within ${seconds} s:\n${shown()}`);
    },
    close() {
      try { tmux("kill-server"); } catch {}
      fs.rmSync(path.dirname(socket), { recursive: true, force: true });
    },
  };
}
