package nudge

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// stateNames are the keys of a State.
var stateNames = []string{
	"held", "notes", "level", "left", "quiet", "spent", "worked", "interrupted", "asked", "rest", "helpers", "echo", "wordings", "calls", "complex", "ordered",
	"suggested", "stale", "compacted", "given", "commit", "inherited",
}

// UnmarshalJSON reads what an older or a newer version wrote: what it cannot
// use is as if it were not there.
func (s *State) UnmarshalJSON(data []byte) error {
	*s = State{}
	if !s.scan(data) {
		type plain State
		*s = State{}
		var syntax *json.SyntaxError
		if err := json.Unmarshal(data, (*plain)(s)); errors.As(err, &syntax) {
			return err
		}
	}
	s.Held = s.Held[:min(len(s.Held), MaxHeld)]
	s.Helpers = s.Helpers[:min(len(s.Helpers), MaxHelpers)]
	for _, n := range []*int{&s.Notes, &s.Level, &s.Calls, &s.Complex, &s.Echo.Size} {
		*n = min(max(*n, 0), maxCount)
	}
	return nil
}

// scan reads what MarshalJSON wrote: it is read and written at each step of an
// agent, in a new process.
func (s *State) scan(data []byte) bool {
	return jsonscan.All(data, func(in *jsonscan.Scan) {
		in.Object(func(key []byte) {
			switch string(key) {
			case "held":
				in.Once(s.Held == nil)
				s.Held = scanHeld(in)
			case "notes":
				s.Notes = int(in.Int())
			case "level":
				s.Level = int(in.Int())
			case "left":
				s.Left = in.Uint()
			case "quiet":
				s.Quiet = in.Bool()
			case "spent":
				s.Spent = in.Bool()
			case "worked":
				s.Worked = in.Bool()
			case "interrupted":
				s.Interrupted = in.Bool()
			case "asked":
				s.Asked = in.Bool()
			case "rest":
				s.Rest = in.Time()
			case "helpers":
				in.Once(s.Helpers == nil)
				s.Helpers = []uint32{}
				in.Array(func() { s.Helpers = append(s.Helpers, uint32(upTo(in, math.MaxUint32))) })
			case "echo":
				in.Once(s.Echo == Echo{})
				in.Object(func(key []byte) {
					switch string(key) {
					case "size":
						s.Echo.Size = int(in.Int())
					case "sum":
						s.Echo.Sum = in.Uint()
					default:
						in.Other(key, "size", "sum")
					}
				})
			case "wordings":
				s.Wordings = uint8(upTo(in, math.MaxUint8))
			case "calls":
				s.Calls = int(in.Int())
			case "complex":
				s.Complex = int(in.Int())
			case "ordered":
				s.Ordered = in.Bool()
			case "suggested":
				s.Suggested = in.Time()
			case "stale":
				s.Stale = in.Time()
			case "compacted":
				s.Compacted = in.Bool()
			case "given":
				s.Given = in.Uint()
			case "commit":
				s.Commit = in.Uint()
			case "inherited":
				s.Inherited = in.Time()
			default:
				in.Other(key, stateNames...)
			}
		})
	})
}

func scanHeld(in *jsonscan.Scan) []Held {
	all := []Held{}
	in.Array(func() {
		var h Held
		in.Object(func(key []byte) {
			switch string(key) {
			case "id":
				h.ID = pawl.ID(in.Int())
			case "createdAt":
				h.CreatedAt = in.Time()
			default:
				in.Other(key, "id", "createdAt")
			}
		})
		all = append(all, h)
	})
	return all
}

// upTo reads a number that package json would refuse above a size.
func upTo(in *jsonscan.Scan, most uint64) uint64 {
	n := in.Uint()
	if n > most {
		in.GiveUp()
	}
	return n
}

// MarshalJSON writes what is not zero.
func (s State) MarshalJSON() ([]byte, error) {
	var out jsonscan.Object
	out.Objects("held", len(s.Held), func(held *jsonscan.Object, i int) {
		held.Int("id", int64(s.Held[i].ID))
		held.Time("createdAt", s.Held[i].CreatedAt)
	})
	out.Int("notes", int64(s.Notes))
	out.Int("level", int64(s.Level))
	out.Uint("left", s.Left)
	out.Bool("quiet", s.Quiet)
	out.Bool("spent", s.Spent)
	out.Bool("worked", s.Worked)
	out.Bool("interrupted", s.Interrupted)
	out.Bool("asked", s.Asked)
	out.Time("rest", s.Rest)
	out.List("helpers", len(s.Helpers), func(text []byte, i int) []byte {
		return strconv.AppendUint(text, uint64(s.Helpers[i]), 10)
	})
	if s.Echo != (Echo{}) {
		out.Object("echo", func(echo *jsonscan.Object) {
			echo.Int("size", int64(s.Echo.Size))
			echo.Uint("sum", s.Echo.Sum)
		})
	}
	out.Uint("wordings", uint64(s.Wordings))
	out.Int("calls", int64(s.Calls))
	out.Int("complex", int64(s.Complex))
	out.Bool("ordered", s.Ordered)
	out.Time("suggested", s.Suggested)
	out.Time("stale", s.Stale)
	out.Bool("compacted", s.Compacted)
	out.Uint("given", s.Given)
	out.Uint("commit", s.Commit)
	out.Time("inherited", s.Inherited)
	return out.End()
}
