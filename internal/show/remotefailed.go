package show

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/share"
	"github.com/pawl-dev/pawl/internal/text"
)

// RemoteFailed is the error of a sync as people read it, about a board that is shared
// as s says. Nil: it has another cause. Where its hint is empty, to try again is
// all that helps.
//
//	origin cannot be reached since 2026-11-23T09:05:07Z (Connection refused); 3 changes wait here
//	origin refuses refs/pawl/board (deny updating a hidden ref)
func RemoteFailed(err error, s *share.Status) *pawl.Error {
	if _, known := errors.AsType[*pawl.Error](err); known || err == nil {
		return nil
	}
	e := &pawl.Error{Kind: pawl.Unavailable, Cause: err}
	if renamed, ok := errors.AsType[*share.RenamedError](err); ok {
		err = fmt.Errorf("%w: %w", share.ErrAway, renamed.Why)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "if it was renamed: " + renamed.Next()}
	}
	if stop, ok := errors.AsType[*share.StopError](err); ok {
		stopped := *s
		stopped.Stopped = stop.Stop
		e.Kind, e.Message = pawl.Conflict, SharedStop(&stopped)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: stopHint(&stopped)}
		return e
	}
	ref := text.Line(text.Clip(s.Ref, 80))
	switch {
	case errors.Is(err, share.ErrRefused):
		e.Message = remote(s) + " refuses " + ref + because(err, share.ErrRefused)
		if !strings.HasPrefix(s.Ref, "refs/heads/") {
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "if you may push there, let a branch keep the board: " + onBranch(s)}
		} else {
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "ask who runs it whether you may push there"}
		}
	case errors.Is(err, share.ErrLogin):
		e.Message = remote(s) + " asks who you are, and git has no answer" + because(err, share.ErrLogin)
		e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "let git log in without a question, by an SSH agent or a credential helper; to try it: git ls-remote " + plainArgument(s.Remote)}
	case errors.Is(err, share.ErrRace):
		e.Message = "other clones were faster each time, and nothing is lost"
	case errors.Is(err, share.ErrAway), errors.Is(err, context.DeadlineExceeded):
		e.Message = remote(s) + " cannot be reached"
		if !s.Since.IsZero() {
			e.Since = s.Since
			e.Message += " since " + s.Since.UTC().Format(time.RFC3339)
		}
		e.Message += because(err, share.ErrAway)
		if s.Unsent > 0 {
			e.Message += "; " + text.Count(s.Unsent, "change waits", "changes wait") + " here"
		}
	default:
		return nil
	}
	return e
}

// because is what an error says beside its kind, in brackets.
func because(err, kind error) string {
	said := err.Error()
	if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, kind) {
		return " (no answer in time)"
	}
	_, said, _ = strings.Cut(said, kind.Error())
	said = strings.Trim(text.Line(text.Clip(said, 300)), " :.,")
	if strings.HasPrefix(said, "(") && strings.HasSuffix(said, ")") {
		said = said[1 : len(said)-1]
	}
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

// stopHint are the ways on, the usual one last.
func stopHint(s *share.Status) string {
	var ways []string
	for _, n := range SharedNext(s) {
		ways = append([]string{n.Does + ": " + n.Command}, ways...)
	}
	return strings.Join(ways, "; or ")
}

func onBranch(s *share.Status) string {
	first := ""
	if s.Clone != "" { // it is shared already, on the reference that is refused
		first = "pawl share --stop && "
	}
	if s.Remote == "" {
		return first + "pawl share --branch"
	}
	return first + "pawl share " + plainArgument(s.Remote) + " --branch"
}

// plainArgument is a word of a command line, in quotes if a shell needs them.
func plainArgument(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:@") == "" && word[0] != '-' {
		return text.Line(word)
	}
	return "'" + strings.ReplaceAll(text.Line(word), "'", `'\''`) + "'"
}
