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
		s.Struct(t, jsonscan.Field{Name: "claim", Read: func() { // without its method: every claimed task has one
			s.Once(t.Claim == pawl.Claim{})
			s.Struct(&t.Claim, jsonscan.Field{Name: "lease", Read: func() {
				lease, err := time.ParseDuration(s.Text())
				if err != nil {
					s.GiveUp()
				}
				t.Claim.Lease = lease
			}})
		}})
	})
}

var statuses = []string{string(pawl.Pending), string(pawl.InProgress), string(pawl.Completed)}
