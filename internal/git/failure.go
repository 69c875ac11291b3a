package git

import (
	"errors"
	"strings"

	"github.com/pawl-dev/pawl/internal/text"
)

// A Kind is why a remote did not do what it was asked for.
type Kind int

// The kinds.
const (
	Odd     Kind = iota // something else
	Race                // its reference is not where it was expected
	Refused             // it does not want such a reference, or not from this person
	Login               // it wants credentials that git does not have
	Away                // it cannot be reached, or stopped to answer
	otherIDs
)

// A Failure is git's message about a remote that did not do what it was asked for.
type Failure struct {
	Kind Kind
	Said string // one line, without credentials
}

func (f *Failure) Error() string { return f.Said }

// Is lets a failure be compared with those below.
func (f *Failure) Is(target error) bool {
	o, ok := target.(*Failure)
	return ok && o.Said == "" && o.Kind == f.Kind
}

// ErrRace and the others are for errors.Is.
var (
	ErrRace    error = &Failure{Kind: Race}
	ErrRefused error = &Failure{Kind: Refused}
	ErrLogin   error = &Failure{Kind: Login}
	ErrAway    error = &Failure{Kind: Away}
)

// signs are the texts by which git, ssh and curl are understood: the first one that is
// found in what was said decides.
var signs = [...]struct {
	kind Kind
	text *text.Regexp
}{
	{otherIDs, &text.Regexp{Expr: `mismatched algorithms|does not support this repository's hash algorithm|the repository uses SHA-`}},
	{Login, &text.Regexp{Expr: `could not read (Username|Password)|terminal prompts disabled|Authentication failed|Permission denied \(|Host key verification failed|No supported authentication|Invalid username or (password|token)|returned error: 401|error: 401|user interactivity has been disabled|Too many authentication failures|passphrase`}},
	{Refused, &text.Regexp{Expr: `returned error: 403|HTTP 403|access denied|Access denied|Permission to .* denied|not allowed to|Repository not found|repository .*not found|You are not authorized|service not enabled|transport '.*' not allowed|dubious ownership`}},
	{Away, &text.Regexp{Expr: `(?i)could not resolve|unable to look up|connection (refused|reset|timed out|closed)|timed out|timeout|no route to host|network is unreachable|unable to access|unable to connect|failed to connect|could not read from remote repository|hung up|early EOF|unexpected disconnect|does not appear to be a git repository|broken pipe|the remote end|no such device|RPC failed|kex_exchange|closed by remote host|invalid index-pack output|index-pack failed|bad line length|protocol error|unexpected flush|expected flush|SSL|certificate|returned error: (404|408|429|5..)`}},
}

// failed is what went wrong with a call to a remote that git gave up.
func failed(said string) error {
	for i := range signs {
		s := &signs[i]
		for line := range strings.Lines(said) {
			if s.text.Get().MatchString(line) {
				return &Failure{s.kind, clean(line)}
			}
		}
	}
	return &Failure{Odd, telling(said)}
}

var (
	race    = &text.Regexp{Expr: `stale info|fetch first|non-fast-forward|needs force|already exists|failed to update ref|cannot lock ref|failed to lock|incorrect old value|reference already exists|remote ref updated`}
	noise   = &text.Regexp{Expr: `^(hint:|warning:|To |Done$|From |remote:\s*$|\s*$)`}
	leading = &text.Regexp{Expr: `^((fatal|error|ERROR|remote|ssh): )+`}
)

// rejected is what went wrong with a push.
//
//	!<tab>1a2b…:refs/pawl/board<tab>[remote rejected] (pre-receive hook declined)
func rejected(porcelain, said string) error {
	for line := range strings.Lines(porcelain) {
		flag, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if flag != "!" {
			continue
		}
		_, summary, _ := strings.Cut(rest, "\t")
		_, reason, _ := strings.Cut(summary, "(")
		reason = strings.TrimSuffix(reason, ")")
		switch {
		case race.Get().MatchString(reason):
			return &Failure{Race, clean(reason)}
		case strings.Contains(summary, "no match"), strings.Contains(summary, "remote failure"): // it did not say what became of it
			return &Failure{Away, clean(reason)}
		case strings.Contains(reason, "unpacker error"):
			if err := failed(said); errors.Is(err, ErrAway) { // it did not get all of it
				return err
			}
		}
		if why := remoteLine(said); why != "" && reason != "" {
			reason += ": " + why
		}
		return &Failure{Refused, clean(reason)}
	}
	err := failed(said)
	if KindOf(err) == Odd && strings.Contains(said, "failed to push some refs") {
		return &Failure{Away, "the connection ended before the remote answered"}
	}
	return err
}

// remoteLine is the first line that the other end said.
func remoteLine(said string) string {
	for line := range strings.Lines(said) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "remote: "); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// telling is the line of what was said that tells most: the first one that is not a hint.
func telling(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); !noise.Get().MatchString(line) {
			return clean(line)
		}
	}
	return "git gave up and did not say why"
}

// clean makes a line fit to be shown: it comes from another machine.
func clean(line string) string {
	return text.Clip(text.Line(Display(leading.Get().ReplaceAllString(strings.TrimSpace(line), ""))), 300)
}

// KindOf returns the kind of a failure; Odd for any other error.
func KindOf(err error) Kind {
	if f := (*Failure)(nil); errors.As(err, &f) {
		return f.Kind
	}
	return Odd
}
