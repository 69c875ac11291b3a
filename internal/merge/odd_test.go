package merge

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
)

// odd are values that files of other programs have, by key.
var odd = map[string][]string{
	"subject":     {`"a"`, `"b"`, `"see #1"`, `"see #2 and #3"`, `""`, `null`, `" a "`},
	"description": {`"d"`, `"#1"`, `null`, `"e\n#3"`},
	"status":      {`"pending"`, `"completed"`, `"in_progress"`, `"cancelled"`, `null`},
	"owner":       {`"ann"`, `"bob"`, `""`},
	"blockedBy":   {`[1]`, `["2"]`, `[3, 1]`, `[]`, `[2, 2]`, `[9]`, `null`, `[4503599627370496]`},
	"blocks":      {`[1]`, `["2"]`, `[3]`, `[]`, `[8, 1]`, `[2, 3]`},
	"parent":      {`1`, `"2"`, `3`, `7`, `0`},
	"was":         {`[1]`, `[2]`, `[3, 1]`, `["2"]`, `[1, 1]`, `[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]`, `true`},
	"createdAt":   {`"2026-01-01T00:00:00.000Z"`, `"2026-01-01T00:00:00.001Z"`, `1767225600`, `0`, `"never"`},
	"updatedAt":   {`"2026-02-01T00:00:00Z"`, `1767225600123`},
	"startedAt":   {`"2026-02-01T00:00:00Z"`, `"2026-02-02T00:00:00Z"`},
	"notes":       {`"n"`, `["n", "m"]`, `[{"text": "n"}, {"text": "n"}]`, `[{"at": 5, "by": "x", "text": "#1"}]`, `[[1], {"a": 2}]`},
	"hold":        {`"h"`, `{"reason": "r"}`, `{"reason": "see #2", "by": "x"}`, `7`},
	"labels":      {`["a"]`, `["a", "a"]`, `["b", "a"]`, `"a"`},
	"priority":    {`"high"`, `"low"`, `5`, `["x"]`},
	"metadata":    {`{"ref": "x"}`, `{"ref": "y", "k": [1, 2]}`, `{"k": {"a": 1}}`, `{"k": {"b": [{"id": 1}]}}`, `[]`},
	"x":           {`1`, `[{"name": "a"}]`, `[{"name": "a", "v": 1}, {"name": "b"}]`, `{"p": {"q": 1}}`, `{"p": {"r": 2}}`},
	"merging":     {`[{"id": 1, "subject": "z"}]`, `[]`, `true`},
}

// Boards of any files merge: it does not matter which is ours, what was made can be
// read, and a merge with a side that is in already changes nothing.
func TestOddFiles(t *testing.T) {
	for seed := range uint64(4 * *histories) {
		seed += uint64(4 * *from)
		bases, o, th := oddBoards(rand.New(rand.NewPCG(seed, 9)))
		m, r := Boards(bases, o, th)
		again, mirror := Boards(bases, th, o)
		if !sameBoard(m, again) || !untouched(bases, o, th) && !mirrored(r, mirror) {
			t.Fatalf("%d: not symmetric:\n%s\n%+v\n%+v\nours\n%s\ntheirs\n%s", seed, differ(m, again), r, mirror, all(o), all(th))
		}
		for id, text := range m.Tasks {
			if bytes.Equal(text, o.Tasks[id]) || bytes.Equal(text, th.Tasks[id]) {
				continue
			}
			if file, err := taskjson.Decode(text); err != nil || file.Task.ID != id {
				t.Fatalf("%d: %v: %v\n%s", seed, id, err, text)
			}
		}
		if m.Mark < max(o.Mark, th.Mark) {
			t.Fatalf("%d: the mark goes down", seed)
		}
	}
}

// oddBoards are two boards of any files, and what they come from.
func oddBoards(rng *rand.Rand) (bases []Board, o, th Board) {
	some := func(from Board) Board {
		b := Board{Tasks: map[pawl.ID][]byte{}, Mark: pawl.ID(rng.IntN(3) * rng.IntN(6))}
		for id := pawl.ID(1); id <= 4; id++ {
			switch text := from.Tasks[id]; {
			case text != nil && rng.IntN(3) > 0:
				b.Tasks[id] = text
			case rng.IntN(3) > 0:
				b.Tasks[id] = oddFile(rng, id)
			}
		}
		return b
	}
	root := some(Board{})
	bases = []Board{root, some(root)}[:rng.IntN(3)]
	return bases, some(root), some(root)
}

func oddFile(rng *rand.Rand, id pawl.ID) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"id": %d`, id)
	for _, key := range strings.Fields("subject description status owner blockedBy blocks parent was createdAt updatedAt startedAt notes hold labels priority metadata x merging") {
		if rng.IntN(4) == 0 && (key != "merging" || rng.IntN(8) == 0) {
			fmt.Fprintf(&b, `, %q: %s`, key, odd[key][rng.IntN(len(odd[key]))])
		}
	}
	b.WriteString("}")
	return b.Bytes()
}

func all(b Board) string {
	var s strings.Builder
	for id := pawl.ID(0); id < 20; id++ {
		if text := b.Tasks[id]; text != nil {
			fmt.Fprintf(&s, "%s\n", text)
		}
	}
	return s.String()
}
