// Listens at a port, which it prints, and gives connections to the ports of its arguments
// in turns, passing over those that take none. It is a process of its own, so
// that it is not slower when its play is busy.
import net from "node:net";

const ports = process.argv.slice(2).map(Number);
let turn = 0;
const front = net.createServer((client) => {
  client.on("error", () => {});
  const first = turn++;
  const to = (n) => {
    if (n === ports.length) return client.destroy();
    const server = net.connect(ports[(first + n) % ports.length], "127.0.0.1");
    const refused = () => to(n + 1);
    server.once("error", refused).once("connect", () => {
      server.off("error", refused).on("error", () => client.destroy()).on("close", () => client.destroy());
      client.on("close", () => server.destroy());
      client.pipe(server).pipe(client);
    });
  };
  to(0);
});
front.listen(0, "127.0.0.1", () => console.log(front.address().port));
