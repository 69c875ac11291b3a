package web

import (
	"bytes"
	"fmt"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/show"
	"github.com/pawl-dev/pawl/internal/wire"
	"github.com/pawl-dev/pawl/query"
)

// A frame is one event of a stream, as it is sent:
//
//	id: 1790000000123
//	event: change
//	data: {"pawl":1,"kind":"change","change":{…},"line":"ada completed #1 Set up","mine":false}
//
// All streams share its text, which does not change. The text is neutral, but for
// mine, which is right for each reader.
type frame struct {
	text []byte
	rev  pawl.Revision // the place in history behind it; zero: none
	gone bool          // earlier history is not kept, or is another board's
	by   string        // who made the change
	mine int           // where text says that it is not the reader's; zero: nowhere
}

var notMine, areMine = []byte("false"), []byte("true")

// appendTo appends the frame as a reader gets it.
func (f *frame) appendTo(text []byte, me string) []byte {
	if f.mine == 0 || f.by != me {
		return append(text, f.text...)
	}
	text = append(append(text, f.text[:f.mine]...), areMine...)
	return append(text, f.text[f.mine+len(notMine):]...)
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
)

var todosFrame = frame{text: []byte("event: todos\ndata: {}\n\n")}

// awayFrame says since when the server of a board at an address does not answer; zero:
// it does.
func awayFrame(since time.Time) frame {
	if since.IsZero() {
		return frame{text: []byte("event: away\ndata: {}\n\n")}
	}
	return frame{text: fmt.Appendf(nil, "event: away\ndata: {\"since\":%q}\n\n", wire.Time(since))}
}

func goneFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: gone\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev, gone: true}
}

func helloFrame(rev pawl.Revision) frame {
	return frame{text: fmt.Appendf(nil, "id: %d\nevent: hello\ndata: {\"revision\":%d}\n\n", rev, rev), rev: rev}
}

// frameOf makes the frame of a set. A set that only
// renews leases advances a stream without an event: agents renew at each step, and
// nothing shown changes.
func frameOf(news *query.News) (frame, error) {
	set := news.Set
	if query.Renewal(set) {
		return frame{text: fmt.Appendf(nil, "id: %d\n\n", set.Revision), rev: set.Revision}, nil
	}
	told := newsJSON{
		Envelope: wire.NewEnvelope("change"), Change: wire.NewChangeSet(set, news.Names, news.Origin),
		Line: show.Telling{Names: news.Names, Words: true, Undid: news.Undid}.Line(set),
	}
	text, err := encodeFrame(&told)
	if err == nil && len(text) > maxFrame {
		told.cut()
		text, err = encodeFrame(&told)
	}
	f := frame{text: text, rev: set.Revision, by: set.By.Name}
	const key = `,"mine":` // nothing that may have the same text comes after it
	if at := bytes.LastIndex(text, append([]byte(key), notMine...)); at >= 0 {
		f.mine = at + len(key)
	}
	return f, err
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
