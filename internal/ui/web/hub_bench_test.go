package web

import (
	"fmt"
	"testing"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/query"
	"github.com/pawl-dev/pawl/store/memory"
)

// What a change costs the server for each of its streams, beside the writing.
func BenchmarkFanOut(b *testing.B) {
	for _, streams := range []int{1, 20, 200} {
		b.Run(fmt.Sprint(streams, "-streams"), func(b *testing.B) {
			f := &feed{more: make(chan struct{}), lists: true}
			f.opened(nil, 0)
			places := make([]place, streams)
			for i := range places {
				places[i], _ = f.start(0, true)
			}
			change := frame{text: make([]byte, 700)}
			var text []byte
			b.ReportAllocs()
			for b.Loop() {
				change.rev++
				f.add(change)
				for i := range places {
					if text, _, _ = f.take(&places[i], "ada", text[:0]); len(text) != 700 {
						b.Fatalf("%d bytes came", len(text))
					}
				}
			}
		})
	}
}

// What a change costs once, however many listen.
func BenchmarkTell(b *testing.B) {
	board := pawl.NewBoard(memory.New())
	add(b, board, "ada", pawl.NewTask{Subject: "Set up"}, pawl.NewTask{Subject: "Write", BlockedBy: []pawl.Ref{pawl.RefID(1)}})
	do(b, board, "ada", pawl.Complete{IDs: []pawl.ID{1}})
	var last pawl.ChangeSet
	for set, err := range board.Changes(b.Context(), pawl.Span{}) {
		if err != nil {
			b.Fatal(err)
		}
		last = set
	}
	news := query.News{Set: &last, Names: query.Subjects{1: "Set up", 2: "Write"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := frameOf(&news); err != nil {
			b.Fatal(err)
		}
	}
}
