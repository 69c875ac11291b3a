package live

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/text"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A Report is what a look has come to, fit to be sent to somebody: without
// secrets, without the user's folders.
type Report struct {
	Agent   string      `json:"agent"`           // its name
	Title   string      `json:"title"`           // as people call it
	Version string      `json:"version"`         // of its program
	Model   string      `json:"model,omitempty"` // that was asked for
	Pawl    string      `json:"pawlVersion"`     // of this program
	System  string      `json:"system"`          // linux/amd64
	Setup   string      `json:"setup"`           // whose set-up was looked at
	At      wire.Moment `json:"at"`              // when it began
	Seconds float64     `json:"seconds"`         // how long it took
	Usage   agent.Usage `json:"usage"`           // of all runs; zero: the program tells nothing
	Checks  []Check     `json:"checks"`          // what was promised and seen
	Runs    []Run       `json:"runs"`            // of the program, in their order
	Left    []string    `json:"left"`            // what stays in the user's folders, and why
}

// A Run is one of the program.
type Run struct {
	Name    string      `json:"name"`            // of the turn
	What    string      `json:"what"`            // what the agent is to do
	Seconds float64     `json:"seconds"`         // how long it took
	Events  int         `json:"events"`          // of hooks, and messages to the server
	Usage   agent.Usage `json:"usage"`           // of this run
	Fault   string      `json:"fault,omitempty"` // why it could not be judged
}

func system() string { return runtime.GOOS + "/" + runtime.GOARCH }

// Count is how many checks have a mark.
func (r *Report) Count(m Mark) (n int) {
	for _, c := range r.Checks {
		if c.Mark == m {
			n++
		}
	}
	return n
}

// Summary is one line.
func (r *Report) Summary() string {
	line := fmt.Sprintf("%d ✔, %d ✘, %d ○ in %s", r.Count(Yes), r.Count(No), r.Count(Unseen), text.FormatDuration(time.Duration(r.Seconds*float64(time.Second)).Round(time.Second)))
	if u := spent(r.Usage); u != "" {
		line += ", " + u
	}
	return line
}

// spent is what was used; empty: nobody tells.
func spent(u agent.Usage) string {
	if u.In+u.Out == 0 {
		return ""
	}
	s := fmt.Sprintf("%s tokens in (%s cached), %s out", text.Grouped(u.In), text.Grouped(u.Cached), text.Grouped(u.Out))
	if u.Money > 0 {
		s += fmt.Sprintf(", $%.2f as it says", u.Money)
	}
	return s
}

// Markdown is the report as a text.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Pawl with %s\n\n%s\n\n", r.Title, r.Summary())
	rows := [][2]string{{"Agent", r.Title + " " + r.Version}, {"Model", r.Model}, {"Pawl", r.Pawl}, {"System", r.System}, {"Set-up", r.Setup}, {"At", string(r.At)}}
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(&b, "- %s: %s\n", row[0], cell(row[1]))
		}
	}
	b.WriteString("\n✔ seen, ✘ seen to fail, ○ could not be seen: most often the model did not do what it was asked.\n\n| | check | what was seen |\n|---|---|---|\n")
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Mark.Sign(), cell(c.What), cell(c.Saw))
	}
	b.WriteString("\n| run | seconds | events | tokens |\n|---|---:|---:|---|\n")
	for _, t := range r.Runs {
		what := t.What
		if t.Fault != "" {
			what += ": " + t.Fault
		}
		fmt.Fprintf(&b, "| %s | %.1f | %d | %s |\n", cell(what), t.Seconds, t.Events, spent(t.Usage))
	}
	if len(r.Left) > 0 {
		b.WriteString("\nLeft in the user's folders:\n\n")
		for _, l := range r.Left {
			fmt.Fprintf(&b, "- %s\n", cell(l))
		}
	}
	return b.String()
}

// cell is a text in a table: an agent's text cannot leave it, nor be a link or a
// tag.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "[", `\[`, "`", "'").Replace(s)
}

func unsecret(s string) string {
	words := strings.Fields(s)
	if !slices.ContainsFunc(words, secret) {
		return s
	}
	for i, w := range words {
		if secret(w) {
			words[i] = "[masked]"
		}
	}
	return strings.Join(words, " ")
}
