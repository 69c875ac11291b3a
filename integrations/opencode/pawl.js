// Pawl for opencode: passes on to `pawl hook` what happens in a session, and
// does what it answers. Put it into .opencode/plugin/ of a project, or into
// ~/.config/opencode/plugin/. It finds pawl on the PATH, or by PAWL_BIN.
//
// It is never in the way: whatever goes wrong here or in pawl is as if there
// were no plugin, and nothing waits longer than `patience`.
import { spawn, spawnSync } from "node:child_process"

const patience = 2000 // milliseconds; pawl takes a few, and ends after 1000
const longest = 1 << 16 // characters of one text that are passed on: files and images are not what Pawl reads
const commands = {
  todo: "Show or change this session's todos",
  resume: "Take over the todos of an earlier session",
  continuation: "Whether Pawl keeps the agent going: on, off",
  reminders: "Whether Pawl reminds of the todo list: on, off",
  quiet: "Silence all of Pawl's nudges: 2h, on, off",
  panel: "Whether todos are shown in a panel: on, off",
}

export const Pawl = async ({ client, directory }) => {
  const roots = new Map() // a session → the one that a person sees: for a subagent's, that of the agent above all
  const started = new Set() // of these, the ones that Pawl was told of
  const waiting = new Map() // a session → a text for its agent that the next message takes along
  const speaker = new Map() // a session → agent and model of its last message
  const sent = new Map() // a session → the continuation that was sent to it
  const turn = new Map() // a session → what began its turn: "continuation", "command" of Pawl, or neither
  const broken = new Set() // calls whose failure was told
  const pushed = new Map() // a subagent's session that goes on before its answer is handed over → the session that waits for it, and how to end that

  const args = (name) => ["hook", "--agent", "opencode", "--event", name]
  const text = (payload) => JSON.stringify(payload, (_, v) => (typeof v === "string" ? v.slice(0, longest) : v))
  const program = () => process.env.PAWL_BIN || "pawl"

  const ask = (name, payload) =>
    new Promise((resolve) => {
      let out = ""
      const child = spawn(program(), args(name), { cwd: directory, stdio: ["pipe", "pipe", "ignore"], windowsHide: true })
      const done = () => {
        clearTimeout(timer)
        try {
          resolve(JSON.parse(out) ?? {})
        } catch {
          resolve({})
        }
      }
      const timer = setTimeout(() => (child.kill("SIGKILL"), done()), patience)
      child.on("error", done).on("close", done)
      child.stdout.setEncoding("utf8").on("data", (more) => (out += more))
      child.stdin.on("error", () => {}).end(text(payload))
    })

  const root = (id) => {
    if (!roots.has(id)) roots.set(id, client.session.get({ path: { id } }).then(({ data }) => above(id, data?.parentID)))
    return roots.get(id).catch(() => (roots.delete(id), id))
  }
  const above = (id, parent) => (parent ? root(parent) : id)

  const tell = async (name, payload, id, more) => {
    const answer = await ask(name, { ...payload, pawl: { root: await root(id), directory, ...more } })
    if (answer.notice) show(answer.notice)
    return answer
  }
  const show = (message) => client.tui?.showToast({ body: { message, variant: "info" } })?.catch(() => {})
  const recall = (name, payload, id) => waiting.set(id, tell(name, payload, id).then((answer) => answer.context, () => {}))

  // The last message of a turn that came to its end: neither broken off, nor
  // refused by a person, nor a summary. A turn that is broken off is idle before
  // anything says why.
  const ended = ({ info, parts } = {}) =>
    info?.role === "assistant" && info.time?.completed && !info.error && !info.summary && info.finish !== "tool-calls"
      && { id: info.id, text: parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n") }
  const ending = async (id) => {
    const { data } = await client.session.messages({ path: { id }, query: { limit: 1 } })
    return ended(data?.at(-1))
  }
  const stopped = (name, event, id, last) => tell(name, event, id, { text: last.text, active: turn.get(id) === "continuation" })
  const continuation = (id, said) => {
    sent.set(id, said)
    return { path: { id }, body: { ...speaker.get(id), parts: [{ type: "text", text: said }] } }
  }

  // A subagent that stops is continued before the agent that called it has its
  // answer, which is the last one then. Its own session.idle is too late for that.
  const finish = async ({ tool, sessionID: parent }, output) => {
    const { sessionId: child, background } = (tool === "task" && output?.metadata) || {}
    if (!child || background || (await root(child)) === child || pushed.has(child)) return
    const over = new Promise((end) => pushed.set(child, { parent, end }))
    try {
      let last = await ending(child)
      while (last && pushed.has(child)) {
        const answer = await stopped("session.answered", { id: last.id, properties: { sessionID: child } }, child, last)
        if (!answer.continue || !pushed.has(child)) return
        const told = await Promise.race([client.session.prompt(continuation(child, answer.continue)), over])
        last = ended(told?.data)
        if (last?.text.trim()) hand(output, last.text)
      }
    } finally {
      pushed.delete(child)
    }
  }
  const hand = (output, answer) => {
    const whole = output.output.replace(/(<task_result>\n)[^]*(\n<\/task_result>)/, (_, before, after) => before + answer + after)
    output.output = whole !== output.output ? whole : whole + "\n\nThe subagent went on after that. Its answer now:\n\n" + answer
  }
  // The turn of an agent is over while a subagent of it goes on: a person broke it off.
  const release = (id) => {
    for (const [child, { parent }] of pushed) if (parent === id) drop(child)
  }
  const drop = (child) => {
    pushed.get(child)?.end()
    if (pushed.delete(child)) client.session.abort({ path: { id: child } }).catch(() => {})
  }

  const events = {
    "session.created": async (event, { info }) => {
      roots.set(info.id, Promise.resolve(above(info.id, info.parentID)))
      if (info.parentID) return tell(event.type, event, info.id)
      if (!started.has(info.id)) started.add(info.id), recall(event.type, event, info.id)
    },
    "session.compacted": (event, { sessionID }) => recall(event.type, event, sessionID),
    "session.error": (event, { sessionID, error }) => {
      if (error?.name === "MessageAbortedError") release(sessionID)
      return sessionID && tell(event.type, event, sessionID)
    },
    "session.idle": async (event, { sessionID: id }) => {
      release(id)
      if ((await root(id)) !== id) return tell(event.type, event, id)
      const last = turn.get(id) !== "command" && (await ending(id))
      if (!last) return
      const answer = await stopped(event.type, event, id, last)
      if (answer.continue) await client.session.promptAsync(continuation(id, answer.continue))
    },
    "session.deleted": async (event, { info }) => {
      drop(info.id)
      release(info.id)
      if (started.delete(info.id)) await tell(event.type, event, info.id)
      for (const known of [roots, waiting, speaker, sent, turn]) known.delete(info.id)
    },
    "todo.updated": (event, { sessionID }) => tell(event.type, event, sessionID),
    // No hook is called after a call that failed.
    "message.part.updated": (_, { part }) => {
      if (part.type !== "tool" || part.state.status !== "error" || broken.has(part.callID)) return
      if (broken.size > 1000) broken.clear()
      broken.add(part.callID)
      const { tool, sessionID, callID, state } = part
      return tell("tool.execute.failed", { input: { tool, sessionID, callID, args: state.input }, output: { error: state.error } }, sessionID)
    },
  }

  const hooks = {
    config: (config) => {
      config.command ??= {}
      for (const [name, description] of Object.entries(commands))
        config.command[`pawl:${name}`] ??= { description, template: `/pawl:${name} $ARGUMENTS` }
    },
    event: ({ event }) => events[event.type]?.(event, event.properties),
    "chat.message": async (input, output) => {
      const { parts, message } = output
      const id = input.sessionID
      speaker.set(id, { agent: message?.agent ?? input.agent, model: message?.model ?? input.model, variant: input.variant })
      const own = parts.filter((part) => part.type === "text" && !part.synthetic)
      turn.set(id, own.length && own[0].text === sent.get(id) ? "continuation" : "")
      if (!started.has(id) && (await root(id)) === id) started.add(id), recall("session.resumed", { input: { sessionID: id } }, id)
      const add = (said) => {
        const { id: before, messageID } = parts.at(-1) ?? { id: "prt_", messageID: message?.id }
        if (said) parts.push({ id: before + "pawl", sessionID: id, messageID, type: "text", text: said, synthetic: true })
      }
      add(await waiting.get(id))
      waiting.delete(id)
      const { handled, context } = await tell("chat.message", { input, output: { parts: own } }, id)
      add(context)
      if (!handled) return
      turn.set(id, "command")
      for (const part of own) part.ignored = true // a person sees it, the agent does not
      add(`A command of the user was carried out by Pawl. Answer with exactly this, and do nothing else:\n\n${handled}`)
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const said = await waiting.get(sessionID) // after a compaction: until the next message has it
      if (said) system.push(said)
    },
    "experimental.session.compacting": async (input, output) => {
      const { context } = await tell("experimental.session.compacting", { input }, input.sessionID)
      if (context) output.context.push(context)
    },
    "tool.execute.before": (input, { args }) => tell("tool.execute.before", { input, output: { args } }, input.sessionID),
    "tool.execute.after": async (input, output) => {
      await finish(input, output).catch(() => {})
      const { context } = await tell("tool.execute.after", { input, output }, input.sessionID)
      if (!context) return
      if (Array.isArray(output.content)) output.content.push({ type: "text", text: context })
      else if (typeof output.output === "string") output.output += "\n\n" + context
    },
    dispose: () => {
      // Nobody waits for what comes later.
      for (const id of started) spawnSync(program(), args("dispose"), { cwd: directory, input: text({ pawl: { root: id, directory } }), timeout: patience })
      started.clear()
    },
  }
  for (const [name, hook] of Object.entries(hooks))
    hooks[name] = async (...given) => {
      try {
        await hook(...given)
      } catch {}
    }
  return hooks
}
