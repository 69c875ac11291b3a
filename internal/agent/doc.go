// Package agent is what Pawl has to know of an agent's program to work with it.
// Each program has a folder here that says all of it; no other package names one.
// internal/agent/known is the table of them, internal/agent/agenttest reads the
// payloads that were recorded.
//
// # How to add an agent
//
//  1. Make a folder with its name, as --agent and the board have it, and in it
//     `var Agent = agent.Agent{Name: …, Title: …}`. Add &NAME.Agent to the table in
//     known.
//  2. NAME.go: how the program shows itself. Marks and Session are variables that it
//     sets for the commands it runs (print the environment from its shell tool);
//     Clients is what it calls itself to a server (clientInfo in initialize).
//  3. hooks.go: Decode and Encode of what it writes to its hooks and reads from them.
//     An event that means nothing to Pawl gets no Kind. A program that follows
//     another one's format uses that folder's types, as codex does claude's.
//     Lists are its own tools for a todo list, if it has any.
//  4. config.go: what goes into which of its files (Files), what only a person can do
//     (Steps), and the folder that shows that it is used (Home).
//  5. headless.go, if it can work without a screen: how it is started for one
//     prompt, what its output tells or how it speaks the Agent Client Protocol (ACP), and
//     what it keeps of a session. Try it with integrations/e2e/live.mjs and run.mjs.
//  6. testdata: record what it writes, one call a line as agenttest.Line has it, into
//     testdata/recorded/*.jsonl; what only its documentation says into
//     testdata/made.jsonl. testdata/calls/*.jsonl shows who calls a server.
//  7. Run go test ./internal/agent/... : it says what is missing. With -update the
//     package known writes the golden files beside the payloads; read their diff.
//  8. Run go test ./internal/setup ./internal/ui/hook ./integrations ./docs, and add
//     the program to docs/hooks.md and docs/mcp.md.
package agent
