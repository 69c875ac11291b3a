// A team's server in a fresh folder, with one board, and people with tokens for it.
import { execFile, spawn } from "node:child_process";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export class Team {
  static async make(pawl) {
    const team = new Team(pawl, await mkdtemp(join(tmpdir(), "pawl-e2e-")));
    for (const dir of [team.boards, ...["ada", "eve", "bot", "root"].map((n) => team.home(n)), team.folder]) await mkdir(dir, { recursive: true });
    await team.serve();
    for (const [name, ...how] of [["ada"], ["eve", "--role", "read"], ["bot", "--agent"]]) {
      const made = await team.command("root", {}, "serve", "token", "create", name, "--boards", team.boards, "--board", "shop", ...how, "--json");
      team.tokens[name] = JSON.parse(made).secret;
    }
    return team;
  }

  constructor(pawl, root) {
    this.pawl = pawl;
    this.root = root;
    this.boards = join(root, "boards");
    this.folder = join(root, "project");
    this.tokens = {};
    this.children = [];
  }

  home(name) {
    return join(this.root, "home", name);
  }

  env(name, more = {}) {
    const home = this.home(name);
    return { PATH: process.env.PATH, HOME: home, USER: name, LANG: "C.UTF-8", XDG_STATE_HOME: join(home, "state"), XDG_CONFIG_HOME: join(home, "config"), ...more };
  }

  async command(name, more, ...args) {
    return (await run(this.pawl, args, { cwd: this.folder, env: this.env(name, more) })).stdout;
  }

  // as runs a command as the holder of a token does on a machine of its own.
  as(name, ...args) {
    return this.command(name, { PAWL_BOARD: this.address, PAWL_TOKEN: this.tokens[name] }, ...args);
  }

  revoke(name) {
    return this.command("root", {}, "serve", "token", "revoke", name, "--boards", this.boards);
  }

  async link(name) {
    return JSON.parse(await this.as(name, "serve", "--json")).link;
  }

  // serve starts the server, at the address that it had before, if it had one.
  async serve() {
    const served = await this.start("root", {}, "serve", "--boards", this.boards, "--addr", this.addr ?? "127.0.0.1:0", "--json");
    this.server = served.child;
    this.origin = served.address;
    this.addr = new URL(served.address).host;
    this.address = `${served.address}/boards/shop`;
  }

  // local starts a page on one's own machine, and returns its link. It has an origin
  // of its own from then on.
  async local(name) {
    const served = await this.start(name, { PAWL_BOARD: this.address, PAWL_TOKEN: this.tokens[name] }, "serve", "--local", "--addr", "127.0.0.1:0", "--json");
    this.origin = served.address;
    const keep = this.serve.bind(this);
    this.serve = async () => {
      await keep();
      this.origin = served.address;
    };
    return served.link;
  }

  start(name, more, ...args) {
    const child = spawn(this.pawl, args, { cwd: this.folder, env: this.env(name, more), stdio: ["ignore", "pipe", "pipe"] });
    this.children.push(child);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    return new Promise((resolve, reject) => {
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (part) => {
        text += part;
        try {
          resolve({ child, ...JSON.parse(text) });
        } catch {} // the rest is to come
      });
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`pawl ${args.join(" ")} ended with ${code}: ${said}`)));
    });
  }

  kill() {
    return ended(this.server, "SIGKILL");
  }

  async end() {
    await Promise.all(this.children.map((c) => ended(c, "SIGINT")));
    await rm(this.root, { recursive: true, force: true });
  }
}

function ended(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill(signal);
  });
}
