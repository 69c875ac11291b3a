// The server of a team's boards, over TLS and at one address, in two forms: a process
// with a folder, and two of them beside each other on a PostgreSQL primary with a
// synchronous standby. Each has troubles, which come while agents work.
import { execFile, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import readline from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const exec = promisify(execFile);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const freePort = () => new Promise((found) => {
  const probe = net.createServer().listen(0, "127.0.0.1", () => { const { port } = probe.address(); probe.close(() => found(port)); });
});

// ended waits until a process has ended, by a signal if there is one.
const ended = (child, signal) => new Promise((over) => {
  if (child.exitCode !== null || child.signalCode !== null) return over();
  child.once("exit", over);
  if (signal) child.kill(signal);
});

// place is what both forms have: a folder, a certificate, and how to run pawl there.
function place({ dir, pawl, env }) {
  const home = path.join(dir, "server"), boards = path.join(home, "boards");
  fs.mkdirSync(boards, { recursive: true });
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => path.join(home, name));
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=localhost",
    "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
  const print = execFileSync("openssl", ["x509", "-in", cert, "-noout", "-fingerprint", "-sha256"], { encoding: "utf8" }).split("=")[1].trim().replaceAll(":", "").toLowerCase();
  const there = { cwd: boards, env: { ...env, HOME: home }, encoding: "utf8" };
  return {
    boards, home, print,
    run: async (...args) => (await exec(pawl, args, there)).stdout.trim(),
    // process is a `pawl serve` that may be killed and started again at its port.
    process(port, ...where) {
      let child;
      const log = fs.createWriteStream(path.join(dir, `server-${port}.log`), { flags: "a" });
      return {
        port,
        start: () => new Promise((up, down) => {
          child = spawn(pawl, ["serve", ...where, "--addr", `127.0.0.1:${port}`, "--tls-cert", cert, "--tls-key", key], { ...there, stdio: ["ignore", "pipe", "pipe"] });
          for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => log.write(part));
          child.stdout.once("data", up);
          child.once("exit", (code) => down(new Error(`pawl serve ended with ${code}: see ${log.path}`)));
        }),
        end: (signal) => ended(child, signal),
      };
    },
  };
}

// folder is one process with a folder: it is killed twice.
export async function folder(o) {
  const at = place(o), port = await freePort();
  const server = at.process(port, "--boards", at.boards);
  await server.start();
  const kill = async () => {
    await server.end("SIGKILL");
    o.say("the server is killed");
    await pause(2500);
    await server.start();
    o.say("the server is back");
  };
  return {
    address: `https://localhost:${port}/boards/shop`, print: at.print, troubles: [kill, kill],
    token: (name) => at.run("serve", "token", "create", name, "--boards", at.boards, "--board", "shop"),
    doctor: () => at.run("--board", path.join(at.boards, "shop", ".tasks"), "doctor"),
    end: () => server.end("SIGTERM"),
  };
}

// database is two processes on PostgreSQL behind a balancer: first the primary is killed
// and the standby takes its place, then one of the two processes is killed, and started
// again some seconds later. pair is the program of internal/dev/pgtest/pair.
export async function database(o) {
  const at = place(o);
  const pair = spawn(o.pair, { stdio: ["pipe", "pipe", "inherit"] });
  const said = readline.createInterface({ input: pair.stdout })[Symbol.asyncIterator]();
  const store = (await said.next()).value;
  if (!store) throw new Error(`${o.pair} does not start PostgreSQL`);
  await at.run("serve", "migrate", "--store", store);
  const servers = [];
  for (const name of ["one", "two"]) {
    const server = at.process(await freePort(), "--store", store, "--state", path.join(at.home, name));
    await server.start();
    servers.push(server);
  }
  const front = spawn(process.execPath, [fileURLToPath(new URL("balancer.mjs", import.meta.url)), ...servers.map((s) => s.port)], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise((up) => front.stdout.once("data", (text) => up(Number(text))));
  const admin = store + "&board=shop";
  return {
    address: `https://localhost:${port}/boards/shop`, print: at.print,
    token: (name) => at.run("serve", "token", "create", name, "--store", store, "--board", "shop"),
    doctor: () => at.run("--board", admin, "doctor"),
    troubles: [
      async () => {
        o.say("the primary is killed");
        pair.stdin.write("fail\n");
        await said.next();
        o.say("the standby has taken its place");
        pair.stdin.write("mend\n"); // the next failover would need a standby
        await said.next();
      },
      async () => {
        await servers[0].end("SIGKILL");
        o.say("one of the servers is killed");
        await pause(2500);
        await servers[0].start();
        o.say("it is back");
      },
    ],
    end: async () => {
      await Promise.all([ended(front, "SIGTERM"), ...servers.map((server) => server.end("SIGTERM"))]);
      pair.stdin.end();
      await ended(pair);
    },
  };
}
