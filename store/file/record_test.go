package file

import (
	"encoding/json"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/dev/must"
)

// History passes over records by the revisions at their beginning. What else
// stands there must not be taken for them.
func TestRevsOf(t *testing.T) {
	for _, r := range []journalRecord{
		{Kind: commitRecord, Boot: "0a467c05-2f5e", Clock: 1795235197343754925, Rev: 1795235197344, LastID: 4},
		{Kind: checkpointRecord, Format: 1, Rev: 0},
		{Kind: checkpointRecord, Format: 1, Rev: 5, Claims: []journalClaim{{ID: 1, Session: `","sets":[{"rev":9,`}}},
		{Kind: externalRecord, Boot: `,"rev":17,`, Rev: 18, Sets: []journalSet{{Rev: 18, Verb: `x","rev":3,`}}},
		{Kind: commitRecord, Boot: "0a467c05-2f5e", Rev: 1795235197344, Sets: []journalSet{{Rev: 1795235197342}, {Rev: 1795235197344}}},
		{Kind: commitRecord, Rev: 8, Sets: []journalSet{{Rev: 8, Changes: []journalChange{{Before: json.RawMessage(`{"a":1,"jumped":5,"z":2}`)}}}}},
		{Kind: checkpointRecord, Rev: 9, Jumped: 7},
	} {
		text, err := r.line()
		must.Do(t, err)
		l, ok := parseLater(text)
		if !ok || l.rev != r.Rev || l.from != r.from() || l.jumps() != (r.Jumped != 0) {
			t.Errorf("%+v: revisions %d to %d, a jump: %v, %v", r, l.from, l.rev, l.jumps(), ok)
		}
		if from, rev, found := revsOf(l.body); found && (rev != r.Rev || from != r.from()) {
			t.Errorf("%+v: at a glance, revisions %d to %d", r, from, rev)
		}
		text[len(text)-4] ^= 1
		if _, ok := parseLater(text); ok {
			t.Errorf("%+v: a wrong checksum is not seen", r)
		}
	}
	// Where they do not stand there the record is read.
	if _, _, found := revsOf([]byte(`{"kind":"commit"}`)); found {
		t.Error("a revision was found where there is none")
	}
}

// A record that may be about a task is read, whatever follows the task's id.
func TestLineNames(t *testing.T) {
	r := journalRecord{Kind: commitRecord, Rev: 2, Sets: []journalSet{{Rev: 1, Changes: []journalChange{{ID: 12}}}, {Rev: 2, Changes: []journalChange{{ID: 345, CreatedAt: 6}}}}}
	text, err := r.line()
	must.Do(t, err)
	l, _ := parseLater(text)
	for id, want := range map[pawl.ID]bool{12: true, 345: true, 1: false, 34: false, 5: false} {
		if l.names(id) != want {
			t.Errorf("%v: %v", id, !want)
		}
	}
}
