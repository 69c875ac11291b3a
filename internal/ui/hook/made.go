package hook

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl"
)

// maxMade are remembered of the tasks that a session made, the newest. With
// those that it holds they have to fit into one glance at the board.
const maxMade = pawl.MaxGlance / 2

// remember notes the tasks that a call of task_create made, which the answer
// names. After a compaction they are what the agent has planned.
func (m *memory) remember(output json.RawMessage) {
	var answer any
	if json.Unmarshal(output, &answer) != nil {
		return
	}
	eachText(answer, func(text string) {
		for line := range strings.Lines(text) {
			if id, ok := made(line); ok && !slices.Contains(m.Made, id) {
				m.Made = append(m.Made, id)
			}
		}
	})
	m.Made = m.Made[max(0, len(m.Made)-maxMade):]
}

// made reads a line of the answer, in the words of either set of tools.
//
//	Created #12 Write tests (ready)
//	Created tests: #12 Write tests (ready)     with the name that the agent gave it for the edges
//	Task #12 created successfully: Write tests
func made(line string) (pawl.ID, bool) {
	rest, first := strings.CutPrefix(line, "Created ")
	if first {
		if _, behind, named := strings.Cut(rest, ": #"); named && !strings.HasPrefix(rest, "#") {
			rest = "#" + behind
		}
		if rest, first = strings.CutPrefix(rest, "#"); !first {
			return 0, false
		}
	} else {
		var second bool
		if rest, second = strings.CutPrefix(line, "Task #"); !second {
			return 0, false
		}
	}
	number, rest, found := strings.Cut(rest, " ")
	if !found || !first && !strings.HasPrefix(rest, "created") {
		return 0, false
	}
	id, err := pawl.ParseID(number)
	return id, err == nil
}

// eachText goes through the texts of an answer, whatever shape a program gives
// it.
func eachText(value any, do func(string)) {
	switch value := value.(type) {
	case string:
		do(value)
	case []any:
		for _, v := range value {
			eachText(v, do)
		}
	case map[string]any:
		for _, v := range value {
			eachText(v, do)
		}
	}
}
