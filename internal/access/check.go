package access

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/address"
)

// maxBoards bounds how many boards a token names.
const maxBoards = 100

// CheckName checks that the name of a token can be the owner of a task, and is one
// line without invisible characters.
func CheckName(name string) error {
	problem := ""
	switch {
	case !utf8.ValidString(name):
		problem = "is not valid UTF-8"
	case strings.TrimSpace(name) == "":
		problem = "is blank"
	case strings.ContainsFunc(name, unseen):
		problem = "has characters that are not seen"
	case strings.Join(strings.Fields(name), " ") != name || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) && r != ' ' }):
		problem = "has white space at an end, or more than a space in a row"
	case utf8.RuneCountInString(name) > pawl.MaxName:
		problem = fmt.Sprintf("has more than %d characters", pawl.MaxName)
	case strings.HasPrefix(name, "-"), strings.HasPrefix(name, "@"):
		problem = "begins with - or @"
	case strings.EqualFold(name, "pawl"), strings.EqualFold(name, pawl.ExternalName):
		problem = "is what Pawl calls changes that no caller asked for"
	default:
		return nil
	}
	return pawl.Errorf(pawl.Invalid, "the name of a token %s", problem)
}

// unseen reports whether a character shows nothing, or turns what follows around.
func unseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp) || r == utf8.RuneError ||
		r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' || r == '\u034f' // fillers that count as letters
}

// Check says what is wrong with a token, whatever others there are.
func (t *Token) Check() error {
	if len(t.ID) != 8 || strings.ContainsFunc(t.ID, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '2' || r > '7') }) {
		return pawl.Errorf(pawl.Invalid, "the id of a token has 8 small letters and digits")
	}
	if err := CheckName(t.Name); err != nil {
		return err
	}
	if !t.Role.valid() {
		return pawl.Errorf(pawl.Invalid, "the role of a token is read, work or admin")
	}
	if len(t.Boards) == 0 || len(t.Boards) > maxBoards {
		return pawl.Errorf(pawl.Invalid, "a token is for 1 to %d boards, or for all", maxBoards)
	}
	for i, board := range t.Boards {
		if slices.Contains(t.Boards[:i], board) {
			return pawl.Errorf(pawl.Invalid, "a token names the board %s twice", clip(board))
		}
		if board == All && len(t.Boards) == 1 {
			continue
		}
		if err := address.CheckName(board); err != nil {
			return err
		}
	}
	return nil
}

// ErrNamed is the cause of the error that says that a name has a token already.
var ErrNamed = errors.New("the name has a token")

// mayAdd says why a token cannot join those that there are.
func mayAdd(known map[string]Entry, token Token, also bool, now time.Time) error {
	if _, taken := known[token.ID]; taken {
		return pawl.Errorf(pawl.Conflict, "the id of the new token is taken: try again")
	}
	if len(known) >= MaxTokens {
		return pawl.Errorf(pawl.Invalid, "there are %d tokens already, which is the most", len(known))
	}
	for _, e := range known {
		if !strings.EqualFold(e.Name, token.Name) || !e.Live(now) {
			continue
		}
		switch {
		case e.Name != token.Name:
			return pawl.Errorf(pawl.Conflict, "%s would be taken for %s, who has a token", token.Name, e.Name)
		case e.Person != token.Person:
			return pawl.Errorf(pawl.Conflict, "%s is the name of %s's token already, and people and agents have names of their own", e.Name, e.kind())
		case !also:
			err := pawl.Errorf(pawl.Conflict, "%s has a token already, %s", e.Name, e.ID)
			err.Cause = ErrNamed
			return err
		}
	}
	return nil
}

// kind says whose a token is.
func (t *Token) kind() string {
	if t.Person {
		return "a person"
	}
	return "an agent"
}

func clip(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return s
}
