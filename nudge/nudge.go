// Package nudge is the policy that keeps an agent going: it decides at each
// event of a session whether to say something to the agent, and what.
//
//	suggestion    at a complex prompt without a todo list
//	stale         after many tool calls without a word about the list
//	continuation  when the agent stops with work of its own left
//	recovery      after a start, a resume or a compaction: what it had before
//
// [Decide] is a function from values to values. The caller keeps the
// [State] between two events, and delivers the [Decision]: the command's hooks
// do, and a Go agent can.
//
//	need := nudge.Needs(state, event, settings)
//	facts := …                                  // what need asks for, nothing else
//	state, decision := nudge.Decide(state, event, facts, settings, now)
//
// It can never trap an agent: it counts nudges without effect, and stops
// (Settings.Attempts, Settings.PerPrompt).
package nudge

import (
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/todo"
)

// A Kind is what happened in an agent's session.
type Kind string

// The kinds of events. Any other one is let pass.
const (
	Start       Kind = "start"        // the conversation begins, or begins again: see Source
	Prompt      Kind = "prompt"       // somebody speaks to the agent
	CallBegins  Kind = "call_begins"  // a tool is about to run
	CallEnds    Kind = "call_ends"    // a tool has run, or failed
	Compaction  Kind = "compaction"   // the conversation is about to be summarised
	Stop        Kind = "stop"         // the agent is about to end its turn
	Interrupt   Kind = "interrupt"    // its turn was broken off: by its user, or by a failure
	HelperStart Kind = "helper_start" // a subagent begins, in the events of the agent that it helps
	HelperStop  Kind = "helper_stop"  // it has ended
	End         Kind = "end"          // the session is over
)

// A Source is how a conversation came to start.
type Source string

// The sources.
const (
	Startup Source = "startup"
	Resume  Source = "resume"
	Clear   Source = "clear"   // the user emptied the conversation
	Compact Source = "compact" // it was summarised
	Fork    Source = "fork"
)

// An Event is what happened. A subagent's events are decided with a State of
// its own, so that nobody is nudged for another one's list.
type Event struct {
	Kind   Kind
	Source Source // of a Start
	Text   string // of a Prompt: what was said; of a Stop: the agent's last words, as far as they are known
	Notice bool   // of a Prompt: no person wrote it, but the client: a background job is done, a timer went off
	Call   Call   // of CallBegins and CallEnds
	Helper string // of HelperStart and HelperStop: the subagent's name
	Jobs   int    // of a Stop: how many background jobs still run, or timers of the agent's own will wake it
	// Alone says that nobody is asked to allow a step (a permission mode).
	Alone bool
	// Nobody says that no person is there (a setting, a program that runs by
	// itself).
	Nobody bool
	// Last says of a Stop that only the agent's last words reach its caller: it is
	// a subagent, or nobody is there.
	Last bool
	// Plans says that the agent only plans, and its user decides then.
	Plans bool
	// Active says that the client continues the agent already because of a hook.
	Active bool
	// Goal says of a Stop that the client goes on by a goal of its user's, which it judges
	// at each stop.
	Goal bool
	// Silent says that this client has no event for compaction, so that recovery
	// has to come with prompts.
	Silent bool
	// CannotDeliver says that this client cannot pass text to its agent at this
	// event: the text waits for another one.
	CannotDeliver bool
}

// A Call is a tool call.
type Call struct {
	Updates bool // it changed the todo list: todo_write, or the agent's own list
	Own     bool // one of Pawl's tools, or of the agent's own for its list
	Failed  bool
}

// Tools are the names under which the agent has the tools that texts speak of.
type Tools struct {
	Write  string // makes a todo list; empty: there is none, and nothing is suggested
	Update string // changes one, where that is another tool; empty: Write
	Others string // changes todos that are not in the list which Update changes; empty: Update knows all, or see Shell
	Shell  string // a command line that completes such a todo, with N for its position; empty: Update knows all
	Pause  string // todo_pause; empty: the agent has no way to pause but to ask its user
	Off    string // how a person switches continuation off: "/pawl:continuation off"; empty: by the command line
	Quiet  string // how reminders: "/pawl:reminders off"; empty: by the command line
}

// Facts describe list and board at the moment of an event, as far as [Needs] asked.
type Facts struct {
	Tools Tools
	List  todo.List   // of this agent
	Owned []pawl.Task // in progress, and claimed by this agent of this session
	Lost  []pawl.Task // it was known to have claimed them (State.Claimed), and no longer has them
	Made  []pawl.Task // open ones that this session made, in neither of the lists above
	Ready []pawl.Task // the next ones, best first
	Free  int         // how many are ready in all
	Notes []pawl.Note // the last ones on Owned and Lost, newest last

	// Failed are checks of Owned whose last run failed; [Standing] says of a task whether
	// it has some.
	Failed []FailedCheck

	Check ListCheck // of a Stop, and with Board: what is known of the check of List

	Commit Commit // of a Stop with Owned: the last that was made where the agent works
}

// A Commit is one in the agent's work tree. The zero value is none.
type Commit struct {
	Hash    string
	Subject string
	At      time.Time
}

// Need says which facts an event needs: each costs the caller a read.
type Need struct {
	List  bool // Facts.List
	Tasks bool // Facts.Owned, and at a Stop Failed and Commit
	Board bool // Facts.Owned, Failed, Lost, Ready, Free and Notes
}

// Settings are what people decided.
type Settings struct {
	Continue      bool          // an agent that stops with open work
	Attempts      int           // how many stops in a row without progress are answered, the last for the person only
	PerPrompt     int           // how many continuations one prompt of the user gets
	Reminders     bool          // suggest a list, and remind the agent of a stale one
	Suggest       bool          // with Reminders: suggest a list; not to a model that plans without one
	Threshold     float64       // the score at which a prompt counts as complex
	Cooldown      time.Duration // between two suggestions
	EscalateAfter int           // how many complex prompts in a row make a suggestion a stronger one
	StaleAfter    int           // how many tool calls without an update make a list stale
	ModelTokens   int           // of the text that restores the plan
}

func (s *Settings) suggests() bool { return s.Reminders && s.Suggest }

// Defaults hold where nobody decided. Hooks have no setting for PerPrompt, which ends a
// continuation that makes progress for ever, and for Threshold, Cooldown and EscalateAfter,
// which are those of LLxprt Code and its prompts in testdata: a person who wants fewer
// suggestions switches reminders off.
var Defaults = Settings{
	Continue: true, Attempts: 3, PerPrompt: 12, Suggest: true, Reminders: true,
	Threshold: 0.6, Cooldown: 5 * time.Minute, EscalateAfter: 3, StaleAfter: 10, ModelTokens: 600,
}

// MostBytes is how long a nudge is at most, in bytes of English: a continuation
// that names eight todos of full length is the longest. Recovery has a budget of its
// own, Settings.ModelTokens. A test makes the longest ones.
const MostBytes = 2_000

// A Decision is the text for the agent. The zero value is silence.
type Decision struct {
	Tell     string // to the agent, beside what it gets anyway
	Continue string // to the agent, that is about to stop: keeps it going
	Show     string // to the person, one line that begins with "Pawl"
	// Spoke says that a Prompt is from the agent's user, not from the client, and
	// not a continuation that returns. It ends a pause of the list
	// (todo.Service.Prompt).
	Spoke bool
}
