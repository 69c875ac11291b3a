import { expect, test } from "vitest";
import { SSE, type ServerEvent } from "./sse";

const stream = ": hello\n\nevent: hello\ndata: {\"revision\":7}\n\nid: 8\r\nevent: change\r\ndata: one\r\ndata:two ✔\r\n\r\ndata\rid: 9\r\rretry: 5\n\n";
const events: ServerEvent[] = [
  { event: "hello", data: '{"revision":7}', id: undefined },
  { event: "change", data: "one\ntwo ✔", id: "8" },
  { event: "message", data: "", id: "9" },
];

test("a stream is the same wherever it is cut", () => {
  for (let a = 0; a <= stream.length; a++)
    for (let b = a; b <= stream.length; b += 3) {
      const sse = new SSE();
      const got = [stream.slice(0, a), stream.slice(a, b), stream.slice(b)].flatMap((piece) => sse.push(piece));
      expect(got, `cut at ${a} and ${b}`).toEqual(events);
    }
});

test("an event that is not complete is none yet", () => {
  const sse = new SSE();
  expect(sse.push("event: change\ndata: 1\n")).toEqual([]);
  expect(sse.push("\n")).toEqual([{ event: "change", data: "1", id: undefined }]);
});
