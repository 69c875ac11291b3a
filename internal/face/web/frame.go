package web

import (
	"bytes"
	"context"
	"fmt"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/view"
)

// A frame is something that streams are told, as it goes over the wire:
//
//	id: 1790000000123
//	event: change
//	data: {"pawl":1,"kind":"change","change":{…},"line":"ada completed #1 Set up","mine":false}
//
// Its text belongs to all streams and is not changed any more.
type frame struct {
	text []byte
	rev  pawl.Revision // the place in history behind it; zero: it has none
	gone bool          // what was before that place is not kept, or was another board's
}

// newsJSON is what a stream is told of a change set.
type newsJSON struct {
	view.Envelope
	Change view.ChangeSet `json:"change"`        // what happened
	Line   string         `json:"line"`          // the same in words
	Mine   bool           `json:"mine"`          // by the name as whom the API acts
	Cut    bool           `json:"cut,omitempty"` // it was too long for a stream: what the tasks were before and after is left out, and of more than 50 tasks the others; the log and the tasks have it
}

const (
	// maxFrame bounds what one change says to each of many streams, in bytes. A page
	// takes it as a hint, and a program that wants all of a large one asks the log.
	maxFrame = 256 << 10
	// maxCutTasks is how many tasks of a change are named beyond that.
	maxCutTasks = 50
	// maxNames is how many subjects are remembered so as not to ask the board.
	maxNames = 10_000
)

var todosFrame = frame{text: []byte("event: todos\ndata: {}\n\n")}

func goneFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: gone\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev, gone: true}
}

func helloFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: hello\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev}
}

// A teller makes frames of change sets, in the order in which they happened.
type teller struct {
	board *pawl.Board
	me    string        // as whom the API acts
	names view.Subjects // what tasks are called as of the last set
}

// tell makes the frame of a set. One that only renews claims moves the place of
// a stream on, without an event: an agent does that at each of its steps, and
// nothing looks different for it.
func (t *teller) tell(ctx context.Context, set *pawl.ChangeSet) (frame, error) {
	if view.Renewal(set) {
		return frame{text: fmt.Appendf(nil, "id: %d\n\n", set.Revision), rev: set.Revision}, nil
	}
	undid := view.LoadUndid(ctx, t.board, set, map[pawl.Revision]pawl.ChangeSet{})
	names := t.learn(ctx, set, undid)
	told := newsJSON{
		Envelope: view.NewEnvelope("change"), Change: view.NewChangeSet(set, names),
		Line: view.Telling{Names: names, Words: true, Undid: undid}.Line(set), Mine: set.By.Name == t.me,
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
	if err := view.WriteJSON(&text, told); err != nil { // in one line
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

// learn returns what the tasks of a set are called, and of what it undid. Where
// the board cannot be read now, a task has only its number.
func (t *teller) learn(ctx context.Context, set *pawl.ChangeSet, undid *view.Undid) view.Subjects {
	if set.Bulk || len(t.names) > maxNames { // of a bulk set nobody knows what it renamed
		clear(t.names)
	}
	sets := []pawl.ChangeSet{*set}
	if undid != nil {
		sets = append(sets, *undid.Set)
	}
	names := view.Subjects{}
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

// eachName goes through the tasks that sets name, with what they are called
// where a set tells.
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
