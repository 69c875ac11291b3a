package cli

import "github.com/pawl-dev/pawl"

// demoPlan returns what two agents work off while somebody looks on.
func demoPlan() []pawl.NewTask {
	return []pawl.NewTask{
		{Ref: "setup", Subject: "Set up the project", Labels: []string{"core"}},
		{
			Ref: "lexer", Subject: "Write the lexer", ActiveForm: "Writing the lexer", BlockedBy: after("setup"), Labels: []string{"core"}, Priority: pawl.High,
			Description: "Turns text into tokens: names, numbers, strings and the nine operators of [the grammar](docs/grammar.md).\n\n- [ ] positions in lines and columns\n- [ ] comments are kept for the printer\n\n```go\nfunc (l *Lexer) Next() (Token, error)\n```",
		},
		{
			Ref: "parser", Subject: "Write the parser", ActiveForm: "Writing the parser", BlockedBy: after("lexer"), Labels: []string{"core"}, Priority: pawl.High,
			Description: "Recursive descent, **without** a generator. Each error names its place and goes on behind the next semicolon.",
		},
		{Ref: "emitter", Subject: "Write the emitter", ActiveForm: "Writing the emitter", BlockedBy: after("lexer"), Labels: []string{"core"}},
		{Ref: "errors", Subject: "Show errors with the line they are in", ActiveForm: "Drawing errors", BlockedBy: after("parser"), Labels: []string{"core"}},
		{Ref: "manual", Subject: "Write the manual", Labels: []string{"text"}, Description: "Done when its chapters are."},
		{Ref: "syntax", Subject: "Chapter: syntax", ActiveForm: "Writing about syntax", Parent: pawl.RefName("manual"), BlockedBy: after("parser"), Labels: []string{"text"}},
		{Ref: "tour", Subject: "Chapter: a tour in ten minutes", ActiveForm: "Writing the tour", Parent: pawl.RefName("manual"), BlockedBy: after("emitter"), Labels: []string{"text"}},
		{Ref: "tests", Subject: "Golden tests", ActiveForm: "Recording golden tests", BlockedBy: after("parser", "emitter"), Labels: []string{"test"}},
		{Subject: "Measure the lexer", ActiveForm: "Measuring the lexer", BlockedBy: after("lexer"), Labels: []string{"speed"}, Priority: pawl.Low},
		{Ref: "licence", Subject: "Choose a licence", Labels: []string{"text"}},
		{Subject: "Release 1.0", ActiveForm: "Releasing 1.0", BlockedBy: after("errors", "manual", "tests", "licence", "name", "logo"), Priority: pawl.High},
		{Subject: "Run the tests on each push", ActiveForm: "Setting up the tests of each push", BlockedBy: after("setup"), Labels: []string{"test"}},
		{Ref: "name", Subject: "Ask whether the name is free", ActiveForm: "Asking about the name", Labels: []string{"text"}, Priority: pawl.Low},
		{Ref: "logo", Subject: "Draw a logo", ActiveForm: "Drawing a logo", Labels: []string{"text"}, Priority: pawl.Low},
	}
}

// demoPlanner makes the plan, and does nothing for it.
var demoPlanner = pawl.Actor{Name: "grace", Session: "demo"}

// The first of the plan is done when somebody comes to look, and one waits for a
// person. The last two are ready all the while, for nobody is in a hurry for them.
const (
	demoDone = pawl.ID(1)
	demoHeld = pawl.ID(11)
)

func after(names ...string) []pawl.Ref {
	var refs []pawl.Ref
	for _, name := range names {
		refs = append(refs, pawl.RefName(name))
	}
	return refs
}

// A demoStep is a part of what an agent does for a task.
type demoStep struct{ todo, doing, tool, argument string }

// demoSteps are the same for each task: it is about the order of tasks.
var demoSteps = []demoStep{
	{"read what is there", "Reading what is there", "Read", `{"file_path":"README.md"}`},
	{"write it", "Writing it", "Edit", `{"file_path":"internal/compiler/compiler.go"}`},
	{"run the tests", "Running the tests", "Bash", `{"command":"go test ./..."}`},
}
