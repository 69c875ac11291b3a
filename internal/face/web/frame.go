package web

import (
	"bytes"
	"context"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
	"github.com/pawl-dev/pawl/internal/say"
	"github.com/pawl-dev/pawl/internal/wire"
)

// A frame is one event of a stream, as it is sent:
//
//	id: 1790000000123
//	event: change
//	data: {"pawl":1,"kind":"change","change":{…},"line":"ada completed #1 Set up","mine":false}
//
// All streams share its text, which does not change.
type frame struct {
	text []byte
	rev  pawl.Revision // the place in history behind it; zero: none
	gone bool          // earlier history is not kept, or is another board's
}

// newsJSON is the event of a change set.
type newsJSON struct {
	wire.Envelope
	Change wire.ChangeSet `json:"change"`        // the change
	Line   string         `json:"line"`          // the same in words
	Mine   bool           `json:"mine"`          // made in the name in which the API acts
	Cut    bool           `json:"cut,omitempty"` // too long for a stream: before and after are left out, and tasks beyond the first 50; the log has them
}

const (
	// maxFrame bounds the event of one change, in bytes. Pages use it as a hint;
	// programs that need a large change read the log.
	maxFrame = 256 << 10
	// maxCutTasks is how many tasks of a larger change are named.
	maxCutTasks = 50
	// maxNames is how many subjects are cached.
	maxNames = 10_000
)

var todosFrame = frame{text: []byte("event: todos\ndata: {}\n\n")}

func goneFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: gone\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev, gone: true}
}

func helloFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: hello\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev}
}

// A teller makes frames of change sets, in order.
type teller struct {
	board ask.Board
	me    string       // the name in which the API acts
	names ask.Subjects // the subjects of tasks as of the last set
}

// tell makes the frame of a set. A set that only renews leases advances a stream
// without an event: agents renew at each step, and nothing shown changes.
func (t *teller) tell(ctx context.Context, set *pawl.ChangeSet) (frame, error) {
	if ask.Renewal(set) {
		return frame{text: fmt.Appendf(nil, "id: %d\n\n", set.Revision), rev: set.Revision}, nil
	}
	names, undid := t.learn(ctx, set)
	told := newsJSON{
		Envelope: wire.NewEnvelope("change"), Change: wire.NewChangeSet(set, names),
		Line: say.Telling{Names: names, Words: true, Undid: undid}.Line(set), Mine: set.By.Name == t.me,
	}
	text, err := encodeFrame(&told)
	if err == nil && len(text) > maxFrame {
		told.cut()
		text, err = encodeFrame(&told)
	}
	return frame{text: text, rev: set.Revision}, err
}

func encodeFrame(told *newsJSON) ([]byte, error) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "id: %d\nevent: change\ndata: ", told.Change.Revision)
	if err := wire.WriteJSON(&text, told); err != nil { // in one line
		return nil, err
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

func (j *newsJSON) cut() {
	j.Cut = true
	tasks := j.Change.Tasks[:min(len(j.Change.Tasks), maxCutTasks)]
	for i := range tasks {
		tasks[i].Before, tasks[i].After = nil, nil
	}
	j.Change.Tasks = tasks
	j.Change.Ready = j.Change.Ready[:min(len(j.Change.Ready), maxCutTasks)]
}

// learn returns the subjects of the tasks of a set and of the set that it undid, if
// it is an undo. If the board does not answer, tasks have only their ids.
func (t *teller) learn(ctx context.Context, set *pawl.ChangeSet) (ask.Subjects, *ask.Undid) {
	if set.Bulk || len(t.names) > maxNames { // a bulk set may have renamed any task
		clear(t.names)
	}
	names := ask.Subjects{}
	all := t.recall(names, set)
	var undid *ask.Undid
	if !all || set.Undoes != 0 {
		h, err := ask.Of(ctx, t.board, ask.Asker{}, ask.HistoryQuery{At: set.Revision})
		if err != nil {
			return names, nil
		}
		if took, ok := h.Undid[set.Revision]; ok {
			undid = &took
			all = t.recall(names, took.Set) && all
		}
		if !all {
			for id, subject := range h.Names {
				if _, known := names[id]; !known {
					names[id] = subject
				}
			}
			names = names.At(set)
		}
	}
	eachName(set, func(id pawl.ID, told string) {
		if told == "" {
			told = names[id]
		}
		t.names[id] = told
	})
	return names, undid
}

// recall adds the subjects of a set's tasks, as the set tells them or as they are
// cached. It reports whether these are all.
func (t *teller) recall(names ask.Subjects, set *pawl.ChangeSet) bool {
	all := true
	eachName(set, func(id pawl.ID, told string) {
		known := told != ""
		if !known {
			told, known = t.names[id]
		}
		if known {
			names[id] = told
		} else {
			all = false
		}
	})
	return all
}

// eachName visits the tasks that a set names, with their subjects if the set has
// them.
func eachName(set *pawl.ChangeSet, do func(id pawl.ID, told string)) {
	for _, c := range set.Changes {
		told := ""
		for _, t := range []*pawl.Task{c.Before, c.After} {
			if t != nil && t.Subject != "" {
				told = t.Subject
			}
		}
		do(c.ID, told)
	}
	for _, id := range set.Ready {
		do(id, "")
	}
}
