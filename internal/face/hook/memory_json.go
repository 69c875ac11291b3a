package hook

import (
	"encoding/json"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// memoryNames are the keys of a memory.
var memoryNames = []string{"nudge", "seen", "project", "renewAt", "maker", "shown", "made", "runs", "waits"}

// readMemory reads a line of a notebook.
func readMemory(line []byte) (memory, error) {
	var m memory
	if m.scan(line) {
		return m, nil
	}
	m = memory{}
	err := json.Unmarshal(line, &m)
	return m, err
}

func (m *memory) scan(line []byte) bool {
	return jsonscan.All(line, func(s *jsonscan.Scan) {
		s.Object(func(key []byte) {
			switch string(key) {
			case "nudge":
				if text := s.Raw(); text != nil && m.Nudge.UnmarshalJSON(text) != nil {
					s.GiveUp()
				}
			case "seen":
				s.Once(m.Seen == nil)
				m.Seen = make([]seen, 0, maxSeen)
				s.Array(func() { m.Seen = append(m.Seen, scanSeen(s)) })
			case "project":
				m.Project = s.Text()
			case "renewAt":
				m.RenewAt = s.Time()
			case "maker":
				m.Maker = s.Text()
			case "shown":
				m.Shown = s.Text()
			case "made":
				s.Once(m.Made == nil)
				m.Made = []pawl.ID{}
				s.Array(func() { m.Made = append(m.Made, pawl.ID(s.Int())) })
			case "runs":
				s.Once(m.Runs == nil)
				m.Runs = []run{}
				s.Array(func() { m.Runs = append(m.Runs, scanRun(s)) })
			case "waits":
				s.Once(m.Waits == nil)
				m.Waits = map[string][]string{}
				s.Object(func(key []byte) { m.Waits[string(key)] = s.Texts() })
			default:
				s.Other(key, memoryNames...)
			}
		})
	})
}

func scanSeen(s *jsonscan.Scan) (v seen) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "k":
			v.Key = s.Uint()
		case "t":
			v.At = s.Int()
		case "c":
			v.On = s.Int()
		default:
			s.Other(key, "k", "t", "c")
		}
	})
	return v
}

func scanRun(s *jsonscan.Scan) (v run) {
	s.Object(func(key []byte) {
		switch string(key) {
		case "k":
			v.Key = s.Uint()
		case "i":
			v.ID = s.Text()
		default:
			s.Other(key, "k", "i")
		}
	})
	return v
}

// line is the memory as a notebook has it.
func (m *memory) line() ([]byte, error) {
	var o jsonscan.Object
	o.Value("nudge", m.Nudge)
	o.Objects("seen", len(m.Seen), func(o *jsonscan.Object, i int) {
		o.Uint("k", m.Seen[i].Key)
		o.Int("t", m.Seen[i].At)
		if m.Seen[i].On != 0 {
			o.Int("c", m.Seen[i].On)
		}
	})
	o.Text("project", m.Project)
	o.Time("renewAt", m.RenewAt)
	o.Text("maker", m.Maker)
	o.Text("shown", m.Shown)
	o.List("made", len(m.Made), func(text []byte, i int) []byte { return strconv.AppendInt(text, int64(m.Made[i]), 10) })
	o.Objects("runs", len(m.Runs), func(o *jsonscan.Object, i int) {
		o.Uint("k", m.Runs[i].Key)
		o.Text("i", m.Runs[i].ID)
	})
	if len(m.Waits) > 0 {
		waits, err := json.Marshal(m.Waits)
		if err != nil {
			return nil, err
		}
		o.Raw("waits", waits)
	}
	return o.End()
}
