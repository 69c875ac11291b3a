package taskjson

import (
	"encoding/json"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/jsonscan"
)

// DecodeTask reads a task as package json does, twice as fast if Pawl wrote it.
func DecodeTask(text []byte) (t pawl.Task, err error) {
	if decodedFast(text, &t) {
		return t, nil
	}
	t = pawl.Task{}
	err = json.Unmarshal(text, &t)
	return t, err
}

// decodedFast is false of what it does not expect; then t means nothing.
func decodedFast(text []byte, t *pawl.Task) bool {
	return jsonscan.All(text, func(s *jsonscan.Scan) {
		s.Usual = statuses
		s.Struct(t)
	})
}

var statuses = []string{string(pawl.Pending), string(pawl.InProgress), string(pawl.Completed)}
