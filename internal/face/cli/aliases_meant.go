package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// A hint that is typed as it stands must never write what was not meant. So a
// command line that somebody seems to have meant is proposed only if all of it makes
// sense here: its tasks are tasks, and no text is put together from two places.

// meant reports whether a line that was made of other words may be proposed.
func (a *app) meant(ctx context.Context, l *line) bool {
	v, ok := find(l.verb)
	if !ok || v.checkArgs(l.args) != nil {
		return false
	}
	if i := slices.Index(l.flags, "--priority"); i >= 0 && i+1 < len(l.flags) {
		if _, err := pawl.ParsePriority(l.flags[i+1]); err != nil {
			return false
		}
	}
	switch l.verb {
	case addVerb.name:
		if i := slices.Index(l.flags, "--parent"); i >= 0 && i+1 < len(l.flags) && !a.isTask(ctx, l.flags[i+1]) {
			return false
		}
		return l.texts == 0 || len(l.args) == 1 // add -t bug Fix it: not "bug Fix it"
	case noteVerb.name, holdVerb.name:
		return (l.texts == 0 || len(l.args) == 1+l.texts && l.texts == 1) && a.isTask(ctx, l.args[0])
	case updateVerb.name:
		return len(l.flags) > 0 && a.isTask(ctx, l.args[0])
	case assignVerb.name:
		if slices.Contains(l.flags, "--nobody") {
			return a.areTasks(ctx, l.args)
		}
		return a.isTask(ctx, l.args[0])
	case blockVerb.name, unblockVerb.name, doneVerb.name, releaseVerb.name, reopenVerb.name, liftVerb.name, rmVerb.name, startVerb.name:
		return a.areTasks(ctx, l.args)
	case claimVerb.name:
		if slices.Equal(l.args, []string{nextVerb.name}) {
			l.args = nil // which is what it does without a task
		}
		return a.areTasks(ctx, l.args)
	}
	return true
}

// areTasks reports whether each of the words names a task, or all of them together.
func (a *app) areTasks(ctx context.Context, words []string) bool {
	if !slices.ContainsFunc(words, func(word string) bool { return !isID(word) }) {
		return true
	}
	_, err := a.resolveWords(ctx, words)
	return err == nil
}

func (a *app) isTask(ctx context.Context, word string) bool { return a.areTasks(ctx, []string{word}) }

// isID reports whether a word is one number of a task or several: 12, #12, 8,11.
func isID(word string) bool {
	return !slices.ContainsFunc(namesIn(word), func(name string) bool {
		_, err := pawl.ParseID(name)
		return err != nil
	})
}

func isNumber(word string) bool { return word != "" && strings.Trim(word, "0123456789") == "" }

// children is the hint about a task that is to have several children. Words that were
// not quoted may be one subject or many.
func (a *app) children(ctx context.Context, words []string) string {
	if forms, _ := formFor(words[:1]); !strings.HasPrefix(forms, "add $2* --parent $1") || len(words) < 4 ||
		slices.ContainsFunc(words[1:], looksLikeFlag) || !a.isTask(ctx, words[1]) {
		return ""
	}
	parent := strings.TrimPrefix(words[1], "#")
	var each []string
	quoted := false
	for _, subject := range words[2:] {
		quoted = quoted || strings.ContainsAny(subject, " \t\n")
		each = append(each, a.keep(commandLine("pawl add", subject, "--parent", parent)))
	}
	all := strings.Join(each, " && ")
	switch word := strings.ToLower(words[0]); {
	case quoted:
		return all
	case !strings.HasPrefix(word, "split") && !strings.HasSuffix(word, "s"):
		return "" // subtask 3 write the tests
	}
	return "one task: " + a.keep(commandLine("pawl add", strings.Join(words[2:], " "), "--parent", parent)) + "; one for each word: " + all
}
