// Adds the bearer token to what the conformance suite asks, which cannot send one:
//
//	node proxy.mjs http://127.0.0.1:7350 TOKEN-FILE
//
// It prints its own address. Host and Origin are passed on as the suite sent them,
// so that the server decides about strange ones; only where they name this proxy
// they name the server behind it.
import { readFileSync } from 'node:fs';
import http from 'node:http';

const server = new URL(process.argv[2]);
const token = readFileSync(process.argv[3], 'utf8').trim();

const proxy = http.createServer((asked, answer) => {
  const here = `127.0.0.1:${proxy.address().port}`;
  const there = (text) => text?.replace(here, server.host);
  const headers = { ...asked.headers, host: there(asked.headers.host), authorization: `Bearer ${token}` };
  if (headers.origin) headers.origin = there(headers.origin);
  const passed = http.request(
    { host: server.hostname, port: server.port, method: asked.method, path: asked.url, headers, setHost: false },
    (got) => {
      answer.writeHead(got.statusCode, got.headers);
      answer.flushHeaders();
      got.pipe(answer);
      got.on('error', () => answer.destroy());
    },
  );
  passed.on('error', () => answer.destroy());
  answer.on('close', () => passed.destroy());
  asked.pipe(passed);
});
proxy.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${proxy.address().port}`));
