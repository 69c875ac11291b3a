// A model that plays a script: an HTTP server on loopback that speaks the
// Messages API as far as Claude Code needs it.
import http from "node:http";

// serve starts a model. It answers the requests of an agent's main loop with
// the steps, one each, in their order:
//
//	"Done."                                               a text
//	[["mcp__pawl__todo_write", {todos: […]}], …]          calls of tools
//
// Requests beside the loop, for titles and summaries, get a text and no step.
// What each request of the main loop was is in asked.
export function serve(steps) {
  const asked = [];
  let next = 0, calls = 0;
  const server = http.createServer((req, res) => {
    let body = "";
    req.on("data", (part) => (body += part));
    req.on("end", () => {
      if (req.method !== "POST" || new URL(req.url, "http://model").pathname !== "/v1/messages") {
        res.writeHead(200, { "content-type": "application/json" }).end('{"input_tokens": 1000}');
        return;
      }
      const ask = JSON.parse(body);
      const aside = besides(ask);
      if (!aside) asked.push(ask);
      const step = aside ?? steps[next++] ?? "The script has ended.";
      answer(res, ask, typeof step === "string"
        ? [{ type: "text", text: step }]
        : step.map(([name, input]) => ({ type: "tool_use", id: `toolu_${String(++calls).padStart(6, "0")}`, name, input })));
    });
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready({
    url: `http://127.0.0.1:${server.address().port}`, asked, left: () => Math.max(0, steps.length - next), close: () => server.close(),
  })));
}

// besides is what a request gets that is none of the main loop's.
function besides(ask) {
  if (!ask.tools?.length) return "A title";
  if (JSON.stringify(ask.messages.at(-1)).includes("create a detailed summary")) return "<summary>The user and the agent worked.</summary>";
}

function answer(res, ask, content) {
  const message = {
    id: "msg_1", type: "message", role: "assistant", model: ask.model, content: [],
    stop_reason: null, stop_sequence: null, usage: { input_tokens: 1000, output_tokens: 1 },
  };
  const stop_reason = content[0].type === "tool_use" ? "tool_use" : "end_turn";
  if (!ask.stream) {
    res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ ...message, content, stop_reason }));
    return;
  }
  res.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type, data) => res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message });
  content.forEach((block, index) => {
    const call = block.type === "tool_use";
    send("content_block_start", { index, content_block: call ? { ...block, input: {} } : { type: "text", text: "" } });
    send("content_block_delta", {
      index, delta: call ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) } : { type: "text_delta", text: block.text },
    });
    send("content_block_stop", { index });
  });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  send("message_stop", {});
  res.end();
}
