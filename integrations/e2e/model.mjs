// A model that plays a script: an HTTP server on loopback that speaks as much of
// four protocols as the agents' programs need. Which of them is meant, the path
// of a request says.
import http from "node:http";

// serve starts a model. It answers the requests of an agent's main loop with
// the steps, one each, in their order:
//
//	"Done."                                               a text
//	[["mcp__pawl__todo_write", {todos: […]}], …]          calls of tools
//
// Steps may also be a function from a request to the step that answers it, or to a
// promise of it. Requests beside the loop, for titles and summaries, get a text and
// no step. What each request of the main loop was is in asked.
export function serve(steps) {
  const asked = [];
  let next = 0, calls = 0;
  const server = http.createServer((req, res) => {
    let body = "";
    req.on("data", (part) => (body += part));
    req.on("end", async () => {
      const path = new URL(req.url, "http://model").pathname;
      const protocol = req.method === "POST" && protocols.find(({ at }) => at.test(path));
      if (!protocol) {
        res.writeHead(200, { "content-type": "application/json" }).end('{"input_tokens": 1000, "totalTokens": 1000, "data": [], "models": []}');
        return;
      }
      const ask = JSON.parse(body);
      const aside = besides(ask);
      if (!aside) asked.push(ask);
      const step = aside ?? (typeof steps === "function" ? await steps(ask) : steps[next++]) ?? "The script has ended.";
      const content = typeof step === "string"
        ? [{ type: "text", text: step }]
        : step.map(([name, input]) => ({ type: "tool_use", id: `toolu_${String(++calls).padStart(6, "0")}`, name, input }));
      protocol.answer(res, ask, content, /stream/i.test(path) || ask.stream);
    });
  });
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready({
    url: `http://127.0.0.1:${server.address().port}`, asked, left: () => Math.max(0, steps.length - next), close: () => (server.closeAllConnections(), server.close()),
  })));
}

// besides is what a request gets that is none of the main loop's.
function besides(ask) {
  const coded = Array.isArray(ask.input) && ask.input.some((item) => item.type === "additional_tools"); // newest models of Codex
  if (!ask.tools?.length && !coded) return ask.generationConfig?.responseMimeType === "application/json" ? "{}" : "A title";
  if (JSON.stringify((ask.messages ?? ask.input ?? ask.contents).at(-1)).includes("create a detailed summary")) return "<summary>The user and the agent worked.</summary>";
}

const protocols = [
  { at: /\/v1\/messages$/, answer: messages }, // Claude Code
  { at: /\/responses$/, answer: responses }, // Codex
  { at: /\/chat\/completions$/, answer: completions }, // Qwen Code, Copilot CLI, opencode
  { at: /:(stream)?[gG]enerateContent$/, answer: generate }, // Gemini CLI
];

// sender writes server-sent events.
function sender(res) {
  res.writeHead(200, { "content-type": "text/event-stream" });
  return (data, event) => res.write((event ? `event: ${event}\n` : "") + `data: ${JSON.stringify(data)}\n\n`);
}

function whole(res, answer) {
  res.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

function messages(res, ask, content, stream) {
  const message = {
    id: "msg_1", type: "message", role: "assistant", model: ask.model, content: [],
    stop_reason: null, stop_sequence: null, usage: { input_tokens: 1000, output_tokens: 1 },
  };
  const stop_reason = content[0].type === "tool_use" ? "tool_use" : "end_turn";
  if (!stream) return whole(res, { ...message, content, stop_reason });
  const write = sender(res), send = (type, data) => write({ type, ...data }, type);
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

let answers = 0;

function responses(res, ask, content, stream) {
  const id = `resp_${++answers}`;
  const output = content.map((block, i) => block.type === "text"
    ? { type: "message", id: `msg_${answers}_${i}`, role: "assistant", content: [{ type: "output_text", text: block.text }] }
    : { type: "function_call", id: `fc_${answers}_${i}`, call_id: block.id, ...named(ask, block.name), arguments: JSON.stringify(block.input) });
  const usage = { input_tokens: 1000, input_tokens_details: null, output_tokens: 10, output_tokens_details: null, total_tokens: 1010 };
  if (!stream) return whole(res, { id, object: "response", status: "completed", output, usage });
  const write = sender(res), send = (type, data) => write({ type, ...data }, type);
  send("response.created", { response: { id } });
  output.forEach((item, output_index) => {
    send("response.output_item.added", { output_index, item });
    send("response.output_item.done", { output_index, item });
  });
  send("response.completed", { response: { id, usage } });
  res.end();
}

// named is how Codex wants one of its tools called: those of a server are in a
// namespace.
function named(ask, name) {
  for (const space of (ask.tools ?? []).filter((t) => t.type === "namespace"))
    for (const tool of space.tools) if (space.name + tool.name === name || space.name + "__" + tool.name === name) return { namespace: space.name, name: tool.name };
  return { name };
}

function completions(res, ask, content, stream) {
  const calls = content.filter((b) => b.type === "tool_use").map((b, index) => ({ index, id: b.id, type: "function", function: { name: b.name, arguments: JSON.stringify(b.input) } }));
  const text = content.find((b) => b.type === "text")?.text ?? null;
  const message = { role: "assistant", content: text, ...(calls.length && { tool_calls: calls }) };
  const finish_reason = calls.length ? "tool_calls" : "stop";
  const head = { id: `chat_${++answers}`, created: 1, model: ask.model };
  const usage = { prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 };
  if (!stream) return whole(res, { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage });
  const send = sender(res), chunk = (more) => send({ ...head, object: "chat.completion.chunk", ...more });
  chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
  chunk({ choices: [], usage });
  res.end("data: [DONE]\n\n");
}

function generate(res, ask, content, stream) {
  const parts = content.map((b) => (b.type === "text" ? { text: b.text } : { functionCall: { id: b.id, name: b.name, args: b.input } }));
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 10, totalTokenCount: 1010 },
  };
  if (!stream) return whole(res, answer);
  sender(res)(answer);
  res.end();
}
