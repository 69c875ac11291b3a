// A project in a fresh folder, with a home of its own, and the real pawl in it.
import { execFile, spawn } from "node:child_process";
import { constants, openSync } from "node:fs";
import { mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
export const repository = resolve(here, "../../../../..");

/** The real board that the stories are told on: 39 tasks, 22 edges. */
export const fixture = join(repository, "internal/imports/beads/testdata/beads-viewer.jsonl");

/** The binary: of the environment, or built from what is there. */
export async function binary() {
  if (process.env.PAWL) return resolve(process.env.PAWL);
  const out = join(await mkdtemp(join(tmpdir(), "pawl-e2e-")), "pawl");
  await run("go", ["build", "-o", out, "./cmd/pawl"], { cwd: repository });
  return out;
}

export class Project {
  static async make(pawl) {
    const dir = await mkdtemp(join(tmpdir(), "pawl-e2e-"));
    const p = new Project(pawl, dir);
    await mkdir(p.dir);
    await mkdir(p.home);
    await run("git", ["init", "-q"], { cwd: p.dir, env: p.env });
    await p.pawl("config", "set", "--user", "archive.after", "0"); // the board of the stories was finished long ago
    return p;
  }

  constructor(pawl, root) {
    this.pawlFile = pawl;
    this.root = root;
    this.dir = join(root, "project");
    this.home = join(root, "home");
    // Nothing of the environment says that an agent is at work.
    this.env = {
      PATH: process.env.PATH,
      HOME: this.home,
      USER: "grace",
      LANG: "C.UTF-8",
      XDG_STATE_HOME: join(this.home, "state"),
      XDG_CONFIG_HOME: join(this.home, "config"),
    };
  }

  /** Runs a command and returns what it printed. */
  async pawl(...args) {
    const { stdout } = await run(this.pawlFile, args, { cwd: this.dir, env: this.env, maxBuffer: 1 << 26 });
    return stdout;
  }

  /** Runs a command as a person does, at a terminal: nobody consents elsewhere. */
  async person(...args) {
    const line = [this.pawlFile, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const { stdout } = await run("script", ["-qec", line, "/dev/null"], { cwd: this.dir, env: this.env });
    return stdout;
  }

  async json(...args) {
    return JSON.parse(await this.pawl(...args, "--json"));
  }

  /** Runs a command with text on its input. */
  async feed(text, ...args) {
    const child = run(this.pawlFile, args, { cwd: this.dir, env: this.env });
    child.child.stdin.end(text);
    return (await child).stdout;
  }

  /** What a task's own file says. */
  async file(id) {
    return JSON.parse(await readFile(join(this.dir, ".tasks", `task_${id}.json`), "utf8"));
  }

  /** Edits a task's file as an editor does. */
  async editFile(id, edit) {
    const name = join(this.dir, ".tasks", `task_${id}.json`);
    const text = await readFile(name, "utf8");
    const next = edit(text);
    if (next === text) throw new Error(`the edit of #${id} changes nothing`);
    await writeFile(name, next);
  }

  /** A terminal at which nobody types. */
  async terminal() {
    if (!this.tty) {
      this.typist = spawn("script", ["-qc", "tty; exec sleep 100000", "/dev/null"], { stdio: ["pipe", "pipe", "ignore"] });
      const name = await new Promise((resolve) => this.typist.stdout.once("data", resolve));
      this.tty = openSync(String(name).trim(), constants.O_RDWR | constants.O_NOCTTY);
    }
    return this.tty;
  }

  /** Starts pawl serve at a terminal: at the address that it had before, if it had one. */
  async serve() {
    const args = ["serve", "--json", "--addr", this.addr ?? "127.0.0.1:0"];
    const child = spawn(this.pawlFile, args, { cwd: this.dir, env: this.env, stdio: [await this.terminal(), "pipe", "pipe"] });
    this.server = child;
    this.said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (this.said += text));
    const served = await new Promise((resolve, reject) => {
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => {
        text += part;
        try {
          resolve(JSON.parse(text));
        } catch {} // the rest is to come
      });
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`pawl serve ended with ${code}: ${this.said}`)));
    });
    this.address = served.address;
    this.addr = new URL(served.address).host;
    this.token = (await readFile(served.tokenFile, "utf8")).trim();
    this.unused = served.link;
    return served;
  }

  /** Ends pawl serve as Ctrl-C does, and returns its exit code. */
  async stop() {
    const child = this.server;
    if (!child) return 0;
    this.server = undefined;
    if (child.exitCode !== null) return child.exitCode;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGINT");
    return ended;
  }

  /** A link that opens the page once. */
  async link() {
    const link = this.unused;
    this.unused = undefined;
    if (link) return link;
    const { code } = await this.ask("codes", {});
    return `${this.address}/#${code}`;
  }

  /** Asks the API as a program does. */
  async ask(path, body) {
    const answer = await fetch(`${this.address}/api/v1/${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  }

  op(...ops) {
    return this.ask("ops", { ops });
  }

  async state(id) {
    return (await this.ask(`tasks/${id}`)).state;
  }

  async revision() {
    return (await this.ask("lanes")).revision;
  }

  async end() {
    const code = await this.stop();
    this.typist?.kill();
    await rm(this.root, { recursive: true, force: true });
    if (code !== 0) throw new Error(`pawl serve ended with ${code}: ${this.said}`);
  }
}
