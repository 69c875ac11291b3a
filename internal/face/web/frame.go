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
	board *pawl.Board
	me    string       // the name in which the API acts
	names ask.Subjects // the subjects of tasks as of the last set
}

// tell makes the frame of a set. A set that only renews leases advances a stream
// without an event: agents renew at each step, and nothing shown changes.
func (t *teller) tell(ctx context.Context, set *pawl.ChangeSet) (frame, error) {
	if ask.Renewal(set) {
		return frame{text: fmt.Appendf(nil, "id: %d\n\n", set.Revision), rev: set.Revision}, nil
	}
	undid := ask.LoadUndid(ctx, t.board, set, map[pawl.Revision]pawl.ChangeSet{})
	names := t.learn(ctx, set, undid)
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

// learn returns the subjects of the tasks of a set and of the set that it undid. If
// the board cannot be read, tasks have only their ids.
func (t *teller) learn(ctx context.Context, set *pawl.ChangeSet, undid *ask.Undid) ask.Subjects {
	if set.Bulk || len(t.names) > maxNames { // a bulk set may have renamed any task
		clear(t.names)
	}
	sets := []pawl.ChangeSet{*set}
	if undid != nil {
		sets = append(sets, *undid.Set)
	}
	names := ask.Subjects{}
	unknown := false
	eachName(sets, func(id pawl.ID, told string) {
		known := told != ""
		if !known {
			told, known = t.names[id]
		}
		if known {
			names[id] = told
		} else {
			unknown = true
		}
	})
	if unknown && t.board.View(ctx, func(r pawl.Reader) error { return names.Load(r, sets...) }) != nil {
		return names
	}
	eachName(sets[:1], func(id pawl.ID, told string) {
		if told == "" {
			told = names[id]
		}
		t.names[id] = told
	})
	return names
}

// eachName visits the tasks that sets name, with their subjects if the set has
// them.
func eachName(sets []pawl.ChangeSet, do func(id pawl.ID, told string)) {
	for _, set := range sets {
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
}
