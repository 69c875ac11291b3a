// Plays opencode: calls the plugin's hooks as opencode does, with a client that
// remembers what it was asked for, and a pawl that writes down its calls (see
// opencode_test.go, which runs this).
import assert from "node:assert/strict"
import fs from "node:fs"
import path from "node:path"
import test from "node:test"

import { Pawl } from "./pawl.js"

const self = process.env.PAWL_BIN
const dir = fs.realpathSync(process.env.PAWL_TEST_DIR)
const recorded = new URL("../../internal/agent/opencode/testdata/recorded/", import.meta.url)

// play starts opencode with a plugin in it. answers are pawl's, by event.
async function play(t, answers = {}, directory = dir) {
  const log = path.join(dir, t.name.replaceAll(/\W+/g, "-"))
  fs.writeFileSync(log + ".answers", JSON.stringify(answers))
  process.env.PAWL_TEST_LOG = log
  process.env.PAWL_BIN = self
  const asked = { prompts: [], toasts: [], aborted: [] }
  const world = { parents: {}, last: { info: { role: "assistant", time: { completed: 1 }, finish: "stop" }, parts: [{ type: "text", text: "Done." }] } }
  const client = {
    session: {
      get: async ({ path: { id } }) => ({ data: { id, parentID: world.parents[id] } }),
      messages: async () => ({ data: world.last ? [world.last] : [] }),
      promptAsync: async (prompt) => void asked.prompts.push(prompt),
      prompt: async (prompt) => {
        asked.prompts.push(prompt)
        return { data: await world.goOn?.(prompt) }
      },
      abort: async ({ path: { id } }) => void asked.aborted.push(id),
    },
    tui: { showToast: async ({ body }) => void asked.toasts.push(body.message) },
  }
  const hooks = await Pawl({ client, directory })
  const event = (type, properties) => hooks.event({ event: { id: "evt_1", type, properties } })
  const message = async (id, text, more) => {
    const output = { message: { id: "msg_1", agent: "plan", model: { providerID: "p", modelID: "m" } }, parts: [{ id: "prt_1", messageID: "msg_1", sessionID: id, type: "text", text }] }
    await hooks["chat.message"]({ sessionID: id, ...more }, output)
    return output.parts
  }
  const calls = () => {
    const written = fs.existsSync(log) ? fs.readFileSync(log, "utf8") : ""
    return written.split("\n").slice(0, -1).map((line) => JSON.parse(line))
  }
  const names = () => calls().map((call) => call.args.at(-1))
  return { hooks, event, message, calls, names, asked, world, client, log }
}

const created = (id, parentID) => ["session.created", { sessionID: id, info: { id, parentID } }]
const texts = (parts) => parts.map((part) => part.text)

for (const name of ["native", "session"])
  test(`a recorded session (${name}) is passed on, but not its noise`, async (t) => {
    const o = await play(t)
    const want = []
    const lines = fs.readFileSync(new URL(name + ".jsonl", recorded), "utf8").trim().split("\n").map((line) => JSON.parse(line))
    for (const { event, stdin } of lines) {
      if (o.hooks[event] && event !== "dispose") await o.hooks[event](stdin.input, structuredClone(stdin.output))
      else if (event === "dispose") await o.hooks.dispose()
      else if (stdin.type) await o.event(stdin.type, stdin.properties)
      if (event === "tool.execute.after" && stdin.input.tool === "task") want.push("session.answered") // of the subagent
      if (!["init", "system.transform", "session.updated", "session.status"].includes(event)) want.push(event)
    }
    assert.ok(want.length >= 6, "an empty recording")
    assert.deepEqual(o.names(), want)
    const first = lines.find((line) => line.event === "session.created").stdin.properties.sessionID
    for (const { args, stdin, dir: where } of o.calls()) {
      assert.deepEqual(args.slice(0, 4), ["hook", "--agent", "opencode", "--event"])
      assert.deepEqual([stdin.pawl.root, stdin.pawl.directory, where], [first, dir, dir])
    }
    for (const before of lines.filter((line) => line.event === "tool.execute.before")) {
      const passed = o.calls().find(({ stdin }) => stdin.input?.callID === before.stdin.input.callID)
      assert.deepEqual([passed.stdin.input, passed.stdin.output], [before.stdin.input, before.stdin.output])
    }
  })

test("the first message takes along what a start and the prompt have to say", async (t) => {
  const o = await play(t, { "session.created": { context: "from the start" }, "chat.message": { context: "from the prompt", notice: "Pawl: a line" } })
  o.event(...created("ses_1")) // opencode does not wait for it
  const parts = await o.message("ses_1", "go")
  assert.deepEqual(texts(parts), ["go", "from the start", "from the prompt"])
  assert.deepEqual(parts.map((part) => !!part.synthetic), [false, true, true])
  assert.deepEqual(parts.map((part) => part.id), parts.map((part) => part.id).toSorted(), "opencode sorts by id")
  assert.ok(parts.every((part) => part.messageID === "msg_1" && part.sessionID === "ses_1"))
  assert.deepEqual(texts(await o.message("ses_1", "more")), ["more", "from the prompt"])
  assert.deepEqual(o.names(), ["session.created", "chat.message", "chat.message"])
  assert.deepEqual(o.asked.toasts, ["Pawl: a line", "Pawl: a line"])
})

test("who speaks in an older session resumes it, but not in that of a subagent", async (t) => {
  const o = await play(t, { "session.resumed": { context: "what was open" } })
  o.world.parents = { ses_grandchild: "ses_child", ses_child: "ses_1" }
  assert.deepEqual(texts(await o.message("ses_1", "go on")), ["go on", "what was open"])
  assert.deepEqual(texts(await o.message("ses_1", "go on")), ["go on"])
  await o.message("ses_grandchild", "do it")
  assert.deepEqual(o.names(), ["session.resumed", "chat.message", "chat.message", "chat.message"])
  assert.equal(o.calls().at(-1).stdin.pawl.root, "ses_1")
})

test("an agent that stops is continued, as whom and with what model it was", async (t) => {
  const o = await play(t, { "session.idle": { continue: "Continue working on this task: X" } })
  await o.event(...created("ses_1"))
  await o.message("ses_1", "go", { variant: "high" })
  await o.event("session.idle", { sessionID: "ses_1" })
  assert.deepEqual(o.asked.prompts, [
    { path: { id: "ses_1" }, body: { agent: "plan", model: { providerID: "p", modelID: "m" }, variant: "high", parts: [{ type: "text", text: "Continue working on this task: X" }] } },
  ])
  await o.message("ses_1", "Continue working on this task: X")
  await o.event("session.idle", { sessionID: "ses_1" })
  await o.message("ses_1", "now something else")
  await o.event("session.idle", { sessionID: "ses_1" })
  const idle = o.calls().filter(({ args }) => args.at(-1) === "session.idle")
  assert.deepEqual(idle.map(({ stdin }) => [stdin.pawl.text, stdin.pawl.active]), [["Done.", false], ["Done.", true], ["Done.", false]])
})

// delegate has an agent call a subagent that stops, and returns what the agent
// gets. The subagent goes on as the answers say: with each call the next one.
async function delegate(o, answers, metadata = {}) {
  const answer = (text, more) => ({ info: { id: `msg_${text}`, role: "assistant", time: { completed: 1 }, finish: "stop", ...more }, parts: [{ type: "text", text }] })
  await o.event(...created("ses_1"))
  await o.event(...created("ses_child", "ses_1"))
  await o.message("ses_child", "compare them")
  o.world.last ??= answer("First.")
  o.world.goOn = async ({ path: { id }, body }) => {
    await o.message(id, body.parts[0].text)
    const next = answers.shift()
    const said = typeof next === "function" ? await next() : next
    return typeof said === "string" ? answer(said) : said
  }
  const output = {
    title: "compare", metadata: { parentSessionId: "ses_1", sessionId: "ses_child", truncated: false, ...metadata },
    output: '<task id="ses_child" state="completed">\n<task_result>\nFirst.\n</task_result>\n</task>',
  }
  const input = { tool: "task", sessionID: "ses_1", callID: "call_1", args: { prompt: "compare them", subagent_type: "general" } }
  await o.event("session.idle", { sessionID: "ses_child" }) // opencode tells of it first
  await o.hooks["tool.execute.after"](input, output)
  return output.output
}
const handed = (text) => `<task id="ses_child" state="completed">\n<task_result>\n${text}\n</task_result>\n</task>`
const asks = (o) => o.calls().filter(({ args }) => args.at(-1) === "session.answered").map(({ stdin }) => [stdin.properties.sessionID, stdin.pawl.root, stdin.pawl.text, stdin.pawl.active])

test("a subagent that stops goes on before the agent that called it has its answer", async (t) => {
  const o = await play(t, { "session.answered": { continue: "Continue working on this task: X" } })
  o.world.last = undefined
  const answers = ["Second, for $1 & $&.", () => {
    fs.writeFileSync(o.log + ".answers", "{}") // Pawl has asked often enough
    return "Third, in full: $& $1."
  }]
  assert.equal(await delegate(o, answers), handed("Third, in full: $& $1."))
  const prompt = { path: { id: "ses_child" }, body: { agent: "plan", model: { providerID: "p", modelID: "m" }, variant: undefined, parts: [{ type: "text", text: "Continue working on this task: X" }] } }
  assert.deepEqual(o.asked.prompts, [prompt, prompt])
  assert.deepEqual(asks(o), [
    ["ses_child", "ses_1", "First.", false], ["ses_child", "ses_1", "Second, for $1 & $&.", true], ["ses_child", "ses_1", "Third, in full: $& $1.", true],
  ])
  assert.equal(new Set(o.calls().filter(({ args }) => args.at(-1) === "session.answered").map(({ stdin }) => stdin.id)).size, 3, "each stop is one of its own")
  const after = o.calls().find(({ args }) => args.at(-1) === "tool.execute.after")
  assert.equal(after.stdin.output.output, handed("Third, in full: $& $1."), "Pawl is told what the agent gets")
  assert.deepEqual(o.asked.aborted, [])
})

test("what a subagent said stays where it was not continued to its end", async (t) => {
  const info = { role: "assistant", time: { completed: 1 }, finish: "stop" }
  for (const [why, next] of Object.entries({
    "broken off": { info: { ...info, error: { name: "MessageAbortedError" } }, parts: [{ type: "text", text: "half" }] },
    "a call that a person refused": { info: { ...info, finish: "tool-calls" }, parts: [{ type: "text", text: "half" }] },
    "deleted": () => Promise.reject(new Error("no such session")),
    "deleted, and yet answered": async (o) => (await o.event("session.deleted", { info: { id: "ses_child", parentID: "ses_1" } }), "half"),
    "deleted, and never answered": async (o) => (await o.event("session.deleted", { info: { id: "ses_child", parentID: "ses_1" } }), new Promise(() => {})),
    "no answer": undefined,
    "no words": { info: { ...info, id: "msg_2" }, parts: [] },
  }))
    await t.test(why, async (t) => {
      const o = await play(t, { "session.answered": { continue: "go on" } })
      o.world.last = undefined
      const quiet = () => (fs.writeFileSync(o.log + ".answers", "{}"), typeof next === "function" ? next(o) : next)
      assert.equal(await delegate(o, [quiet]), handed("First."))
      assert.equal(o.asked.prompts.length, 1)
      assert.equal(o.names().at(-1), "tool.execute.after", "the call's end is told")
    })
})

test("a subagent whose answer is no end is not asked to go on", async (t) => {
  for (const [why, world, metadata] of [
    ["it runs on", {}, { background: true }],
    ["it failed", { last: { info: { role: "assistant", time: { completed: 1 }, error: { name: "APIError" } }, parts: [] } }],
    ["it is not there", {}, { sessionId: undefined }],
    ["it is a session that a person sees", {}, { sessionId: "ses_1" }],
  ])
    await t.test(why, async (t) => {
      const o = await play(t, { "session.answered": { continue: "go on" } })
      o.world.last = undefined
      Object.assign(o.world, world)
      assert.equal(await delegate(o, ["Second."], metadata), handed("First."))
      assert.deepEqual([asks(o), o.asked.prompts], [[], []])
    })
})

test("a subagent that goes on ends with the turn of the agent that waits for it", async (t) => {
  for (const ends of [["session.idle", { sessionID: "ses_1" }], ["session.error", { sessionID: "ses_1", error: { name: "MessageAbortedError" } }], ["session.deleted", { info: { id: "ses_1" } }]])
    await t.test(ends[0], async (t) => {
      const o = await play(t, { "session.answered": { continue: "go on" } })
      o.world.last = undefined
      assert.equal(await delegate(o, [async () => (await o.event(...ends), "Second.")]), handed("First."))
      assert.deepEqual([o.asked.aborted, o.asked.prompts.length], [["ses_child"], 1])
    })
  const o = await play(t, { "session.answered": { continue: "go on" } })
  o.world.last = undefined
  const go = async () => {
    fs.writeFileSync(o.log + ".answers", "{}")
    await o.event("session.idle", { sessionID: "ses_child" })
    await o.event("session.error", { sessionID: "ses_1", error: { name: "UnknownError" } })
    return "Second."
  }
  assert.equal(await delegate(o, [go]), handed("Second."), "neither its own end nor another error is an end of that")
  assert.deepEqual(o.asked.aborted, [])
  const early = await play(t, { "session.answered": { continue: "go on", notice: "Pawl: asked" } })
  early.world.last = undefined
  early.client.tui.showToast = () => early.event("session.idle", { sessionID: "ses_1" }) // as the answer comes
  assert.equal(await delegate(early, ["Second."]), handed("First."))
  assert.deepEqual(early.asked.prompts, [])
})

test("two calls of one subagent continue it once", async (t) => {
  const o = await play(t, { "session.answered": { continue: "go on" } })
  o.world.last = undefined
  const other = { metadata: { sessionId: "ses_child" }, output: handed("First.") }
  const call = async () => {
    await o.hooks["tool.execute.after"]({ tool: "task", sessionID: "ses_1", callID: "call_2", args: {} }, other)
    fs.writeFileSync(o.log + ".answers", "{}")
    return "Second."
  }
  assert.equal(await delegate(o, [call]), handed("Second."))
  assert.deepEqual([other.output, o.asked.prompts.length], [handed("First."), 1])
})

test("an answer that opencode cut is followed by the new one", async (t) => {
  const o = await play(t, { "session.answered": { continue: "go on" } })
  const input = { tool: "task", sessionID: "ses_1", callID: "call_1", args: {} }
  o.world.parents = { ses_child: "ses_1" }
  o.world.goOn = () => (fs.writeFileSync(o.log + ".answers", "{}"), { ...o.world.last, parts: [{ type: "text", text: "Second." }] })
  const output = { metadata: { sessionId: "ses_child", truncated: true }, output: "<task>\n<task_result>\nFir…" }
  await o.hooks["tool.execute.after"](input, output)
  assert.equal(output.output, "<task>\n<task_result>\nFir…\n\nThe subagent went on after that. Its answer now:\n\nSecond.")
})

test("an agent that did not come to its end is left alone", async (t) => {
  const o = await play(t, { "session.idle": { continue: "go on" } })
  await o.event(...created("ses_1"))
  await o.event(...created("ses_child", "ses_1"))
  await o.message("ses_1", "go")
  const assistant = { role: "assistant", time: { completed: 1 }, finish: "stop" }
  for (const [why, info] of Object.entries({
    "broken off, before that is known": { ...assistant, time: {}, finish: undefined },
    "broken off": { ...assistant, error: { name: "MessageAbortedError" } },
    "a failure of the provider": { ...assistant, error: { name: "APIError" } },
    "a call that a person refused": { ...assistant, finish: "tool-calls" },
    "a summary": { ...assistant, summary: true },
    "nothing was said": { role: "user", time: {} },
  })) {
    o.world.last = { info, parts: [] }
    await o.event("session.idle", { sessionID: "ses_1" })
    assert.ok(!o.names().includes("session.idle"), why)
  }
  o.world.last = undefined
  await o.event("session.idle", { sessionID: "ses_1" })
  assert.ok(!o.names().includes("session.idle"), "no message")
  o.world.last = { info: assistant, parts: [] }
  await o.event("session.idle", { sessionID: "ses_child" })
  assert.equal(o.names().at(-1), "session.idle", "that a subagent ended is told")
  await o.event("session.error", { sessionID: "ses_1", error: { name: "MessageAbortedError" } })
  assert.equal(o.names().at(-1), "session.error")
  assert.deepEqual(o.asked.prompts, [])
})

test("after a compaction the agent has the text until the next message takes it along", async (t) => {
  const o = await play(t, { "experimental.session.compacting": { context: "for the summary" }, "session.compacted": { context: "what is open" } })
  await o.event(...created("ses_1"))
  await o.message("ses_1", "go")
  const output = { context: [] }
  await o.hooks["experimental.session.compacting"]({ sessionID: "ses_1" }, output)
  assert.deepEqual(output.context, ["for the summary"])
  await o.event("session.compacted", { sessionID: "ses_1" })
  const system = async (sessionID) => {
    const output = { system: ["You are an agent."] }
    await o.hooks["experimental.chat.system.transform"]({ sessionID }, output)
    return output.system
  }
  assert.deepEqual(await system("ses_1"), ["You are an agent.", "what is open"])
  assert.deepEqual(await system("ses_1"), ["You are an agent.", "what is open"])
  assert.deepEqual(await system("ses_other"), ["You are an agent."])
  assert.deepEqual(texts(await o.message("ses_1", "and now")), ["and now", "what is open"])
  assert.deepEqual(await system("ses_1"), ["You are an agent."])
})

test("a text after a call stands where the agent reads it", async (t) => {
  const o = await play(t, { "tool.execute.after": { context: "a reminder" } })
  const input = { tool: "bash", sessionID: "ses_1", callID: "call_1", args: {} }
  const native = { title: "", output: "ok", metadata: {} }
  await o.hooks["tool.execute.after"](input, native)
  assert.equal(native.output, "ok\n\na reminder")
  const mcp = { content: [{ type: "text", text: "pong" }] }
  await o.hooks["tool.execute.after"](input, mcp)
  assert.deepEqual(mcp, { content: [{ type: "text", text: "pong" }, { type: "text", text: "a reminder" }] })
})

test("a call that failed is told once, and one that runs not at all", async (t) => {
  const o = await play(t)
  const part = { type: "tool", tool: "read", callID: "call_1", sessionID: "ses_1", state: { status: "running", input: { filePath: "/a" } } }
  await o.event("message.part.updated", { part })
  await o.event("message.part.updated", { part: { type: "text", text: "status: error", sessionID: "ses_1" } })
  assert.deepEqual(o.names(), [])
  part.state = { status: "error", input: { filePath: "/a" }, error: "File not found" }
  await o.event("message.part.updated", { part })
  await o.event("message.part.updated", { part })
  assert.deepEqual(o.names(), ["tool.execute.failed"])
  const { input, output } = o.calls()[0].stdin
  assert.deepEqual([input, output], [{ tool: "read", sessionID: "ses_1", callID: "call_1", args: { filePath: "/a" } }, { error: "File not found" }])
})

test("a command for Pawl is kept from the agent, which says what came of it", async (t) => {
  const o = await play(t, { "chat.message": { handled: "Pawl: 2 todos" }, "session.idle": { continue: "go on" } })
  const config = { command: { "pawl:todo": { template: "mine" } } }
  await o.hooks.config(config)
  assert.deepEqual(Object.keys(config.command), ["pawl:todo", "pawl:resume", "pawl:continuation", "pawl:reminders", "pawl:quiet", "pawl:panel"])
  assert.equal(config.command["pawl:todo"].template, "mine", "a user's own command stays")
  assert.equal(config.command["pawl:resume"].template, "/pawl:resume $ARGUMENTS")
  const [own, said] = await o.message("ses_1", "/pawl:todo")
  assert.deepEqual([own.text, own.ignored], ["/pawl:todo", true])
  assert.ok(said.synthetic && said.text.endsWith("\n\nPawl: 2 todos"))
  await o.event("session.idle", { sessionID: "ses_1" })
  assert.deepEqual(o.asked.prompts, [], "it is no turn of the agent's own")
})

test("what a person did not write is no prompt", async (t) => {
  const o = await play(t)
  const output = { message: {}, parts: [{ id: "prt_1", type: "text", text: "read a.go" }, { id: "prt_2", type: "file", url: "data:x" }, { id: "prt_3", type: "text", text: "package a", synthetic: true }] }
  await o.hooks["chat.message"]({ sessionID: "ses_1" }, output)
  assert.deepEqual(texts(o.calls().at(-1).stdin.output.parts), ["read a.go"])
})

test("of a long text only the beginning is passed on", async (t) => {
  const o = await play(t)
  await o.message("ses_1", "x".repeat(100_000))
  assert.equal(o.calls().at(-1).stdin.output.parts[0].text.length, 65536)
})

test("who a session belongs to is asked again when there was no answer", async (t) => {
  const o = await play(t)
  const { get } = o.client.session
  o.client.session.get = async () => Promise.reject(new Error("busy"))
  const before = () => o.hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_child", callID: "call_1" }, { args: {} })
  await before()
  o.client.session.get = get
  o.world.parents = { ses_child: "ses_1" }
  await before()
  assert.deepEqual(o.calls().map(({ stdin }) => stdin.pawl.root), ["ses_child", "ses_1"])
})

test("the end of a session is told, and that of opencode for each that is left", async (t) => {
  const o = await play(t)
  await o.event(...created("ses_1"))
  await o.event(...created("ses_2"))
  await o.event(...created("ses_child", "ses_2"))
  await o.event("session.deleted", { info: { id: "ses_child", parentID: "ses_2" } })
  await o.event("session.deleted", { info: { id: "ses_1" } })
  await o.hooks.dispose()
  await o.hooks.dispose()
  // What a start has to say is asked for beside what follows, and may be written down behind it.
  const ends = o.calls().filter((call) => call.args.at(-1) !== "session.created")
  assert.deepEqual(ends.map((call) => call.args.at(-1)), ["session.deleted", "dispose"])
  assert.equal(ends.at(-1).stdin.pawl.root, "ses_2")
})

test("nothing that goes wrong is noticed", async (t) => {
  const o = await play(t, { "chat.message": "garbage", "session.created": null })
  await o.event(...created("ses_1"))
  assert.deepEqual(texts(await o.message("ses_1", "go")), ["go"])
  process.env.PAWL_BIN = path.join(dir, "is-not-there")
  assert.deepEqual(texts(await o.message("ses_1", "go")), ["go"])
  await o.hooks.dispose()
  process.env.PAWL_BIN = self
  for (const name of Object.keys(o.client.session)) o.client.session[name] = async () => Promise.reject(new Error("no server"))
  delete o.client.tui
  await o.event("session.idle", { sessionID: "ses_9" })
  await o.event("session.created", undefined)
  await o.event("toString", {})
  await o.hooks["chat.message"]({ sessionID: "ses_9" }, {})
  await o.hooks["tool.execute.after"]({ sessionID: "ses_9", tool: "x", callID: "c" }, undefined)
  await o.hooks["tool.execute.before"]({ sessionID: "ses_9" }, undefined)
  const nowhere = await play(t, {}, "no\0folder") // spawn throws
  await nowhere.event(...created("ses_1"))
  assert.deepEqual(texts(await nowhere.message("ses_1", "go")), ["go"])
})

test("a pawl that hangs is ended", async (t) => {
  const o = await play(t, { "tool.execute.before": "hang" })
  t.mock.timers.enable({ apis: ["setTimeout"] })
  const waits = o.hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_1", callID: "call_1" }, { args: {} })
  while (o.calls().length === 0) await new Promise((resolve) => setImmediate(resolve)) // it has begun
  t.mock.timers.tick(2000)
  await waits
})
