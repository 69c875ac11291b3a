package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pawl-dev/pawl/internal/text"
)

// The parts of Times and of a Budget, which are the first three.
const (
	OfAttempt = iota
	OfTask    // all attempts at it
	OfRun
	OfIdle
)

var partNames = []string{"attempt", "task", "run", "idle"}

// Times are limits of time; zero: none.
//
//	attempt 1h, task 4h, run 0, idle 10m
type Times [4]time.Duration

// A Budget is limits of what agents use; zero: none.
//
//	attempt $2, run $20, run 900000 tokens
type Budget [3]Spending

// A Spending is what an agent's program tells that it uses.
type Spending struct {
	Money  float64 // dollars
	Tokens int
}

const (
	longest    = 365 * 24 * time.Hour
	mostTokens = 2_000_000_000 // what an int holds everywhere
	mostMoney  = 1_000_000
)

func (t Times) String() string {
	var all []string
	for i, d := range t {
		all = append(all, partNames[i]+" "+text.FormatDuration(d))
	}
	return strings.Join(all, ", ")
}

func (b Budget) String() string {
	var all []string
	for i, s := range b {
		if s.Money > 0 {
			all = append(all, partNames[i]+" $"+strconv.FormatFloat(s.Money, 'f', -1, 64))
		}
		if s.Tokens > 0 {
			all = append(all, fmt.Sprintf("%s %d tokens", partNames[i], s.Tokens))
		}
	}
	return strings.Join(all, ", ")
}

// limits gives each part of a text, with the number of its name: that of the attempt, if it
// has none. It reports whether read takes all.
// A part that is named twice is a mistake.
func limits(words string, most int, read func(i int, amount string) bool) bool {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(words, ",") {
		amount := strings.Join(strings.Fields(part), " ")
		name, rest, _ := strings.Cut(amount, " ")
		i := slices.Index(partNames[:most], name)
		if i >= 0 {
			amount = rest
		}
		limit := fmt.Sprint(max(i, 0), strings.HasSuffix(amount, " tokens"))
		if seen[limit] || !read(max(i, 0), amount) {
			return false
		}
		seen[limit] = true
	}
	return true
}

// times reads limits of time. A part that the text does not name keeps its default.
func (s *Setting) times(words string) (t Times, ok bool) {
	if words != s.Default {
		t, _ = s.times(s.Default)
	}
	return t, limits(words, len(t), func(i int, amount string) bool {
		d, err := text.ParseDuration(amount)
		t[i] = d
		return err == nil && (d == 0 || d >= time.Second && d <= longest)
	})
}

// budget reads limits of what agents use.
func budget(words string) (b Budget, ok bool) {
	if words == "" { // the default
		return b, true
	}
	return b, limits(words, len(b), func(i int, amount string) bool {
		if tokens, found := strings.CutSuffix(amount, " tokens"); found {
			n, err := strconv.Atoi(tokens)
			b[i].Tokens = n
			return err == nil && n >= 0 && n <= mostTokens
		}
		dollars, found := strings.CutPrefix(amount, "$")
		f, err := strconv.ParseFloat(dollars, 64)
		b[i].Money = f
		return found && err == nil && f >= 0 && f <= mostMoney // not so for NaN
	})
}
