package remote

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/taskjson"
	"github.com/pawl-dev/pawl/query"
)

// Encode writes it as package json does, and several times as fast.
func (d *Done) Encode() ([]byte, error) {
	text := append(make([]byte, 0, 2048*len(d.Outcomes)+64), `{"outcomes":`...)
	text, err := appendOutcomes(text, d.Outcomes)
	if err != nil {
		return nil, err
	}
	if len(d.Errors) > 0 {
		errs, err := json.Marshal(d.Errors)
		if err != nil {
			return nil, err
		}
		text = append(append(text, `,"errors":`...), errs...)
	}
	return append(text, '}'), nil
}

// appendOutcomes appends outcomes to a text.
func appendOutcomes(text []byte, all []query.Outcome) ([]byte, error) {
	if all == nil {
		return append(text, "null"...), nil
	}
	text = append(text, '[')
	for i := range all {
		if i > 0 {
			text = append(text, ',')
		}
		var err error
		if text, err = appendOutcome(text, &all[i]); err != nil {
			return nil, err
		}
	}
	return append(text, ']'), nil
}

// appendOutcome appends one: head and result, which each has, quickly.
func appendOutcome(text []byte, o *query.Outcome) ([]byte, error) {
	head, err := encodeHead(&o.Head)
	if err != nil {
		return nil, err
	}
	result, err := taskjson.EncodeFast(o.Result)
	if err != nil {
		return nil, err
	}
	text = append(append(append(text, `{"head":`...), head...), `,"result":`...)
	text = appendForPages(text, result)
	rest := *o
	rest.Head, rest.Result = query.Head{}, pawl.Result{}
	if reflect.ValueOf(&rest).Elem().IsZero() {
		return append(text, '}'), nil
	}
	tail, err := json.Marshal(&rest)
	if err != nil {
		return nil, err
	}
	return append(text, bytes.TrimPrefix(tail, []byte(emptyOutcome))...), nil
}

// emptyOutcome is how an outcome is written without head and result.
const emptyOutcome = `{"head":{"revision":0,"now":"0001-01-01T00:00:00Z"},"result":{}`

func encodeHead(h *query.Head) ([]byte, error) {
	if !h.Until.IsZero() || h.AsDone != nil || h.Shared != nil || !h.Old.IsZero() {
		return json.Marshal(h)
	}
	text := strconv.AppendInt([]byte(`{"revision":`), int64(h.Revision), 10)
	if h.Origin != 0 {
		text = strconv.AppendInt(append(text, `,"origin":`...), int64(h.Origin), 10)
	}
	if h.LastID != 0 {
		text = strconv.AppendInt(append(text, `,"lastId":`...), int64(h.LastID), 10)
	}
	if h.Epoch != 0 {
		text = strconv.AppendInt(append(text, `,"epoch":`...), h.Epoch, 10)
	}
	text, err := h.Now.AppendText(append(text, `,"now":"`...))
	return append(text, `"}`...), err
}

// lineSeparators is how U+2028 and U+2029 begin. In a text of its own package json always
// escapes them, in JSON that was given, such as metadata, for web pages only.
var lineSeparators = []byte("\xe2\x80")

// appendForPages appends JSON with the escapes for web pages, which package json writes.
func appendForPages(text, more []byte) []byte {
	if bytes.IndexByte(more, '<') < 0 && bytes.IndexByte(more, '>') < 0 && bytes.IndexByte(more, '&') < 0 && !bytes.Contains(more, lineSeparators) {
		return append(text, more...)
	}
	b := bytes.NewBuffer(text)
	json.HTMLEscape(b, more)
	return b.Bytes()
}
