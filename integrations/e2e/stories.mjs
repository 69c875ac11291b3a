// What a session with Pawl is to be like, each as the steps of the model and
// what is to be found in its next request.

const todos = (...statuses) => ({
  todos: ["Read the parser", "Write the tests", "Fix what they find"].map((content, i) => ({ content, status: statuses[i] })),
});

export const stories = {
  async continuation({ tool, run, has, lacks, check }) {
    const s = await run({
      prompts: ["First read the parser in parse.go, then write tests for it, after that fix what they find, and finally update README.md."],
      steps: [[[tool("todo_write"), todos("in_progress", "pending", "pending")]], "I have read it.", "There is more to do.", "There is still more to do."],
    });
    has("a complex prompt brings a reminder", s.news[0], "UserPromptSubmit hook additional context", "1. read the parser");
    has("the model reads the text of a result", s.news[1], "## Todo List (3 tasks)");
    has("the first stop is followed by a note", s.news[2], "Continue working on this task: Read the parser", "todo_pause");
    has("the second by a stronger one", s.news[3], "Continue working on this task: Read the parser", "Nothing has changed");
    check("the third by silence", s.news.length === 4 && s.left === 0, s.news[4]);
    check("and a line for the person", s.shown.some((line) => line.startsWith("Pawl: the agent stopped with 3 todos left")), s.shown.join("\n"));
    lacks("no note says the wrong tool", s.news[2], "TaskCreate");
  },

  async progress({ tool, run, has }) {
    const s = await run({
      prompts: ["Go on."],
      steps: [
        [[tool("todo_write"), todos("in_progress", "pending", "pending")]], "One.", "Two.",
        [[tool("todo_write"), todos("completed", "in_progress", "pending")]], "Three.",
        [[tool("todo_write"), todos("completed", "completed", "completed")]], "All is done.",
      ],
    });
    has("a todo that moves brings the first note back", s.news[5], "Continue working on this task: Write the tests", "Your turn ended");
    has("and with the last one it ends", s.results.at(-1), "All is done.");
  },

  async pause({ tool, run, check, pawl, has }) {
    const s = await run({
      prompts: ["Sign it.", "Take the old one."],
      steps: [[[tool("todo_write"), todos("in_progress", "pending", "pending")]], [[tool("todo_pause"), { reason: "which of the two keys?" }]], "I take the old one."],
    });
    check("a pause ends the turn", s.news.length >= 3 && s.news[2].includes("Take the old one."), s.news[2]);
    has("and the list stays", pawl("todo", "--session", s.session), "Read the parser");
  },

  async commands({ tool, run, check, has, lacks }) {
    const s = await run({
      prompts: ["Go on.", "/pawl:todo", "/pawl:todo add Sign it", "/pawl:continuation off", "Go on."],
      steps: [[[tool("todo_write"), todos("in_progress", "pending", "pending")]], "One.", "Two.", "Three.", "Four."],
    });
    has("/pawl:todo shows the list", s.results[1], "Read the parser");
    lacks("and not the command again", s.results[1], "Original prompt");
    has("/pawl:todo add adds to it", s.results[2], "Sign it");
    check("the model sees neither", s.news.every((text) => !text.includes("/pawl:todo")), s.news.join("\n"));
    check("with /pawl:continuation off a stop is a stop", s.left === 0 && s.results.at(-1) === "Four.", `${s.left} left, ${s.results.at(-1)}`);
  },

  async native({ run, has, pawl }) {
    const s = await run({
      prompts: ["Go on."],
      steps: [
        [["TaskCreate", { subject: "Read the parser", description: "All of it" }], ["TaskCreate", { subject: "Write the tests", description: "For it" }]],
        [["TaskUpdate", { taskId: "1", status: "in_progress" }]],
        [["Bash", { command: "true", description: "Nothing" }]],
        "I stop.", "I stop again.", "And again.",
      ],
    });
    const list = pawl("todo", "--session", s.session);
    has("the agent's own list is Pawl's too", list, "→ Read the parser", "○ Write the tests");
    has("tool calls are attached to what they were for", list, "↳ Bash");
    has("and it is continued", s.news[4], "Continue working on this task: Read the parser");
  },

  async compaction({ tool, run, has }) {
    const s = await run({
      prompts: ["Plan a compiler on the board.", "/compact", "What now?"],
      steps: [
        [[tool("task_create"), {
          tasks: [
            { ref: "lexer", subject: "Write the lexer" }, { ref: "parser", subject: "Write the parser", blockedBy: ["lexer"] },
            { ref: "emitter", subject: "Write the emitter", blockedBy: ["parser"] }, { ref: "syntax", subject: "Design the syntax" },
            { subject: "Document it all", blockedBy: ["emitter", "syntax"] },
          ],
        }]],
        "There are five tasks.", "I go on.",
      ],
    });
    const after = s.news.at(-1);
    has("the next turn names all five", after, "<pawl-recovery>", "#1 Write the lexer", "#2 Write the parser", "#3 Write the emitter", "#4 Design the syntax", "#5 Document it all");
    has("and which are ready", after, "Write the lexer: ready", "Write the parser: waits", "Write the emitter: waits", "Design the syntax: ready", "Document it all: waits");
  },

  async clear({ tool, run, has, lacks, check, pawl }) {
    const s = await run({
      prompts: ["Go on.", "/clear", "And now?"],
      steps: [
        [[tool("todo_write"), todos("completed", "in_progress", "pending")]], "One.", "Two.", "Three.",
        [[tool("todo_write"), { todos: [{ content: "Something else", status: "in_progress" }] }]], "Four.", "Five.", "Six.",
      ],
    });
    const [before, after] = s.sessions;
    check("a cleared conversation is another session", s.sessions.length === 2, s.sessions.join());
    has("which is told what the one before had", s.news[4], "<pawl-recovery>", "Write the tests");
    has("its list is its own", pawl("todo", "--session", after), "Something else");
    lacks("and not that of the session before", pawl("todo", "--session", before), "Something else");
  },

  async helper({ tool, run, has, lacks }) {
    const s = await run({
      prompts: ["Go on."],
      steps: [
        [[tool("todo_write"), todos("in_progress", "pending", "pending")]],
        [["Agent", { description: "Look at it", prompt: "Look at the parser.", subagent_type: "general-purpose", run_in_background: false }]],
        "The helper's answer.", "One.", "Two.", "Three.",
      ],
    });
    lacks("a helper is not kept going for the list of the agent that it helps", s.news[3], "Continue working");
    has("which hears of it", s.news[3], "The helper's answer.");
    has("and is kept going itself", s.news[4], "Continue working on this task: Read the parser");
  },

  async stale({ tool, run, has, lacks }) {
    const look = ["Bash", { command: "true", description: "Look" }];
    const s = await run({
      prompts: ["Go on."],
      steps: [[[tool("todo_write"), todos("in_progress", "pending", "pending")]], ...Array(12).fill([look]), "One.", "Two.", "Three."],
    });
    lacks("some calls need no word about the list", s.news.slice(2, 11).join(), "First in it");
    has("ten do", s.news.slice(11).join(), "10 tool calls", "3 todos", tool("todo_write"), "First in it: Read the parser");
  },

  // Without a terminal only the last message is printed, and the program says so to
  // hooks: a question at the end is what its user is to read, and a note asks for
  // the whole answer.
  async question({ tool, run, has, check }) {
    const steps = (...words) => [[[tool("todo_write"), todos("in_progress", "pending", "pending")]], ...words]
    const asks = await run({ prompts: ["Go on."], steps: steps("Which of the two parsers do you mean?", "I take the new one.") });
    check("an agent that ends with a question is not pushed on", asks.news.length === 2, asks.news);
    const stops = await run({ prompts: ["Go on."], steps: steps("I stop.", "I stop.", "I stop.") });
    has("one that stops is asked for the whole answer", stops.news[2], "Continue working on this task: Read the parser", "give the full answer");
  },

  async restart({ tool, run, has, check, pawl }) {
    pawl("add", "Write the lexer");
    const first = await run({
      prompts: ["Take a task."],
      steps: [[[tool("task_claim"), {}]], [[tool("todo_write"), todos("completed", "in_progress", "pending")]], "I stop.", "And again.", "And again."],
    });
    has("the end of a session gives its tasks back", pawl("list"), "[ ] #1 Write the lexer");
    const again = await run({ args: ["--resume", first.session], prompts: ["Where were we?"], steps: ["I see.", "I stop.", "I stop."] });
    has("a resumed session is told its todos", again.news[0], "<pawl-recovery>", "Write the tests", "Fix what they find");
    has("and the task that it had", again.news[0], "Write the lexer");
    const other = await run({ prompts: ["What is there to do?"], steps: ["I see.", "I stop.", "I stop."] });
    has("a new one is told what is ready", other.news[0], "<pawl-recovery>", "Write the lexer");
    check("and not the todos of another", !other.news[0].includes("Fix what they find"), other.news[0]);
  },
};
