package show

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/runs"
	"github.com/pawl-dev/pawl/internal/text"
)

// RunAttempt counts an attempt: "attempt 2 of 3".
func RunAttempt(v *runs.View) string {
	if v.Of > 0 {
		return fmt.Sprintf("attempt %d of %d", v.N, v.Of)
	}
	return fmt.Sprintf("attempt %d", v.N)
}

// RunPhase says what an attempt is doing, and for how long: "working 4m". Of one that is
// over it says for how long its agent worked.
func RunPhase(v *runs.View) string {
	took := v.Took
	if v.Phase != runs.Running && !v.Phase.Over() {
		took = v.For
	}
	if took > 0 {
		return v.Word + " " + RunSpan(took)
	}
	return v.Word
}

// RunCost says what an attempt has used and changed: "12k tokens, 3 files +80 -4".
func RunCost(v *runs.View) string {
	return strings.Join(text.Some(RunUsed(v.Usage), RunChange(v)), ", ")
}

// RunChange says what an attempt changed: "3 files +80 -4"; empty: nothing yet.
func RunChange(v *runs.View) string {
	if v.Files == 0 {
		return ""
	}
	return fmt.Sprintf("%s +%d -%d", text.Count(v.Files, "file", "files"), v.Added, v.Removed)
}

// RunStands says how an attempt stands, without its task and its last line:
//
//	attempt 2 of 3, working 4m, 12k tokens
func RunStands(v *runs.View) string {
	return strings.Join(text.Some(RunAttempt(v), RunPhase(v), RunCost(v), RunTodos(v)), ", ")
}

// RunTodos says how far an agent is with its own list: "2/5 todos"; empty: it has none.
func RunTodos(v *runs.View) string {
	if len(v.Todos) == 0 {
		return ""
	}
	done := 0
	for _, t := range v.Todos {
		if t.Status == "completed" {
			done++
		}
	}
	return fmt.Sprintf("%d/%d todos", done, len(v.Todos))
}

// RunLast is the last thing that an attempt told: what its agent does, or why it ended;
// and a limit that is near.
func RunLast(v *runs.View) string {
	line := ""
	switch {
	case v.Doing != "":
		line = text.Line(text.Clip(v.Doing, 80))
	case v.Why != "":
		line = text.Line(text.Clip(v.Why, 160))
	}
	if v.Near != "" {
		line = strings.TrimSpace(line + " (" + text.Line(v.Near) + ")")
	}
	return line
}

// RunLine is an attempt in a line.
//
//	#12 Retry hooks  attempt 2 of 3, working 4m, 12k tokens: edit hook.go
func RunLine(v *runs.View) string {
	line := fmt.Sprintf("%v %s  %s", v.ID, text.Line(text.Clip(v.Subject, 60)), RunStands(v))
	if last := RunLast(v); last != "" {
		line += ": " + last
	}
	return line
}

// RunHead says whether a run is at work, and where its commits go.
func RunHead(st *runs.Status) string {
	agent, target := text.Line(st.Agent), text.Line(st.Target)
	switch {
	case st.Running && st.Draining:
		return fmt.Sprintf("Run of %s into %s, ending: it begins nothing more", agent, target)
	case st.Running:
		return fmt.Sprintf("Run of %s into %s, since %s", agent, target, st.Began.Local().Format("15:04"))
	case st.Killed:
		return "The last run ended without order. pawl run goes on where it was"
	case st.ID == "":
		return "No run yet in this clone. pawl run starts one"
	}
	return "No run is at work"
}

// RunCounts says how many tasks of a run are where: "3 completed, 1 waits for approval".
func RunCounts(st *runs.Status) string {
	waits := text.Plural(len(st.Waiting), "waits", "wait") + " for approval"
	parts := text.Counts([]string{"completed", "to be integrated", waits, "on hold"}, st.Completed, len(st.Queue), len(st.Waiting), len(st.Held))
	return strings.Join(append(parts, text.Some(RunUsed(st.Spent))...), ", ")
}

// RunPause says what does not go on, until when, and why.
func RunPause(p *runs.Pause) string {
	who, until := cmp.Or(text.Line(p.Agent), "Integration"), ""
	if !p.Until.IsZero() {
		until = " until " + p.Until.Local().Format("15:04")
	}
	return fmt.Sprintf("%s pauses%s: %s", who, until, text.Line(p.Why))
}

// RunNothing says why ready tasks do not begin; empty: they do.
func RunNothing(st *runs.Status) string {
	if st.Why == "" {
		return ""
	}
	return "Nothing begins: " + text.Line(st.Why)
}

// RunSpan is a span of time in a word: 40s, 4m, 2h5m.
func RunSpan(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	}
	return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
}

// RunUsed says what agents have used: "12k tokens, $0.24".
func RunUsed(u runs.Usage) string {
	var parts []string
	switch {
	case u.Tokens >= 1_000_000:
		parts = append(parts, fmt.Sprintf("%.1fM tokens", float64(u.Tokens)/1e6))
	case u.Tokens >= 1000:
		parts = append(parts, fmt.Sprintf("%dk tokens", u.Tokens/1000))
	case u.Tokens > 0:
		parts = append(parts, fmt.Sprintf("%d tokens", u.Tokens))
	}
	if u.Money > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", u.Money))
	}
	return strings.Join(parts, ", ")
}
