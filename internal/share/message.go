package share

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/merge"
)

// saidReport is what a commit's message says of a merge, so that a clone which never
// heard that its push was accepted can tell of it later.
type saidReport struct {
	Clone string          `json:"clone"`
	Of    string          `json:"of,omitempty"` // the snapshot that was merged; empty: the commit is one itself
	Lost  []merge.Yielded `json:"lost,omitempty"`
	Merge merge.Report    `json:"merge,omitzero"`
}

// trailer begins the line of a message that Pawl reads.
const trailer = "pawl: "

// maxTrailer bounds that line. A report above it is left out: it is a courtesy.
const maxTrailer = 64 << 10

// message is the message of a commit.
func (c *cycle) message(headline, of string, r merge.Report) string {
	if headline == "" {
		headline = "Board of " + c.state.Clone
	}
	said := saidReport{Clone: c.state.Clone, Of: of, Lost: r.Yielded, Merge: r}
	said.Merge.Arrived, said.Merge.Changed, said.Merge.Deleted, said.Merge.Yielded, said.Merge.Beside = nil, nil, nil, nil, nil
	text, err := pawl.Encode(said)
	if err != nil || len(text) > maxTrailer {
		text, _ = pawl.Encode(saidReport{Clone: c.state.Clone, Of: of})
	}
	return headline + "\n\n" + trailer + strings.TrimSpace(string(text)) + "\n"
}

// readMessage returns which clone made a commit, and what it said. A message may come
// from anybody: what is not Pawl's is nothing.
func readMessage(message string) (clone string, said saidReport) {
	if len(message) > 2*maxTrailer {
		return "", said
	}
	var last string // the headline may begin so, too
	for line := range strings.Lines(message) {
		if text, ok := strings.CutPrefix(line, trailer); ok {
			last = text
		}
	}
	if json.Unmarshal([]byte(last), &said) != nil {
		return "", saidReport{}
	}
	return said.Clone, said
}

// headline says for git what a commit brings.
func headline(name string, before, after merge.Board) string {
	if name == "" {
		name = "pawl"
	}
	changed := differ(before, after)
	switch len(changed) {
	case 0:
		return name + ": renewals"
	case 1:
		return fmt.Sprintf("%s: %v %s", oneLine(name), changed[0].ID, oneLine(changed[0].Subject))
	}
	return fmt.Sprintf("%s: %d tasks", oneLine(name), len(changed))
}

// oneLine cuts a text that anybody may have written to what fits a headline.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		s = string(r[:59]) + "…"
	}
	return s
}
