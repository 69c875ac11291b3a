package query

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Chances decides what else is random.
func Chances(below func(int64) int64, sleep func(context.Context, time.Duration) error) Option {
	return func(l *local) { l.chance = &chance{below, sleep} }
}

// LoadSubjects is what answers have as names.
var LoadSubjects = loadSubjects

// A Kind is a question with its answer, both empty.
type Kind struct {
	Name     string
	Question Question
	Answer   Answer
}

// Kinds are all that can be asked.
func Kinds() (all []Kind) {
	for _, name := range KindNames() {
		form, err := formFor(name)
		if err != nil {
			panic(err)
		}
		q, _ := form.question([]byte("{}"))
		a, _ := form.answer(json.NewDecoder(strings.NewReader("{}")))
		all = append(all, Kind{name, q, a})
	}
	return all
}
