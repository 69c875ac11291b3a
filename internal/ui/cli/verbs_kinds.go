package cli

import (
	"github.com/pawl-dev/pawl/internal/wire"
)

// A kind is one sort of envelope. Its schema is docs/schema/NAME.json, made from
// the type and the comments beside its fields.
type kind struct {
	name string
	says string // what an envelope of the kind holds
	of   any    // a value of its type
}

// kinds lists all of them, the ones that are read most first.
var kinds = []kind{
	{"task", "One task in full", taskJSON{}},
	{"tasks", "A page of tasks", tasksJSON{}},
	{"result", "What a change did", resultJSON{}},
	{"log", "A page of history", logJSON{}},
	{"agents", "Who works on what", agentsJSON{}},
	{"changes", "One change, as it happens; log --follow prints many", watchJSON{}},
	{"error", "Why a verb failed; any verb may answer with it", wire.ErrorJSON{}},
	{"todos", "The todo list of a session", todosJSON{}},
	{"sessions", "All todo lists", wire.Sessions{}},
	{"forget", "What was erased about a session", forgetJSON{}},
	{"status", "The board's status", statusJSON{}},
	{"board", "Where the board is kept", boardJSON{}},
	{"graph", "The graph of dependencies", wire.GraphJSON{}},
	{"merge", "What a merge of two branches' boards did", mergeJSON{}},
	{"share", "How the board is shared through a git remote, and what sharing it did", shareJSON{}},
	{"sync", "What was exchanged with the remote of a shared board, and with the files that tasks came from", syncJSON{}},
	{"export", "What was exported", exportJSON{}},
	{"doctor", "What is wrong with the board's files", doctorJSON{}},
	{"config", "Settings, and which file sets them", configJSON{}},
	{"quiet", "Whether nudges are silenced", quietJSON{}},
	{"setup", "What setup changes", setupJSON{}},
	{"serve", "The address of the server; serve prints it and keeps running", serveJSON{}},
	{"tokens", "Tokens of a server", tokensJSON{}},
	{"database", "What serve migrate and serve restored did with a database", databaseJSON{}},
	{"join", "The board at an address that a project joined or left", joinJSON{}},
	{"trust", "Boards that projects may name, and checks that may run", trustJSON{}},
	{"check", "What checks of tasks showed", checkJSON{}},
	{"run", "How a run of agents stands, and what its actions did", runJSON{}},
	{"demo", "What the demo ran", demoJSON{}},
	{"completion", "A script for a shell", completionJSON{}},
	{"help", "Verbs, and how to use them", helpJSON{}},
	{"version", "Which pawl this is", versionJSON{}},
}
