package todo_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pawl-dev/pawl/todo"
)

// A store may note calls one by one as they start, or many when it next reads the list.
// The list is the same, also when all arguments together are too many.
func TestNotesTogetherOrOneByOne(t *testing.T) {
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		one := todo.List{Items: []todo.Item{{ID: "1", Content: "a"}, {ID: "2", Content: "b"}, {ID: "3", Content: "c"}}}
		together := one.Clone()
		var notes []todo.CallNote
		for n := range 30 {
			size := 1 + rnd.IntN(2)*rnd.IntN(todo.MaxCallText/4)
			at := one.Items[rnd.IntN(len(one.Items))]
			notes = append(notes, todo.CallNote{Todo: at.ID, Content: todo.ContentSum(at.Content), Call: todo.ToolCall{
				ID: fmt.Sprint(n), Name: "edit", Parameters: json.RawMessage(`{"n":"` + strings.Repeat("x", size) + `"}`),
			}})
		}
		for _, n := range notes {
			one.Note(n)
		}
		together.Note(notes...)
		if diff := cmp.Diff(kept(one), kept(together)); diff != "" {
			t.Fatalf("history %d (-one by one +together):\n%s", seed, diff)
		}
	}
}

// kept says of each call how many bytes of arguments it has.
func kept(l todo.List) (all []string) {
	for _, i := range l.Items {
		for _, c := range i.ToolCalls {
			all = append(all, fmt.Sprint(i.ID, " ", c.ID, " ", len(c.Parameters)))
		}
	}
	return all
}
