//go:build unix

package file_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/store/file"
	"github.com/pawl-dev/pawl/store/file/notify"
)

// BenchmarkWarm makes durable changes in a process that runs on and is told of
// other people's edits. What it must be compared with is BenchmarkAppend.
func BenchmarkWarm(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			watched := make(chan struct{})
			watches := sync.OnceFunc(func() { close(watched) })
			s := open(b, plant(b, n), file.WithWatcher(func(folders ...string) (<-chan string, func(), error) {
				defer watches()
				return notify.Watch(folders...)
			}))
			board := pawl.NewBoard(s)
			by := pawl.Actor{Name: "ada", Session: "s1"}
			must := func(b *testing.B, op pawl.Op) pawl.Result {
				r, err := board.Do(b.Context(), pawl.Request{By: by, Op: op})
				if err != nil {
					b.Fatal(err)
				}
				return r
			}
			must(b, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}) // what an agent has all the time
			<-watched
			note := func(i int) pawl.Op { return pawl.Update{ID: pawl.ID(1 + i%n), ActiveForm: new(fmt.Sprint("turn ", i))} }
			for _, w := range []struct {
				name string
				turn func(b *testing.B, i int)
			}{
				{"update", func(b *testing.B, i int) { must(b, note(i)) }},
				{"add", func(b *testing.B, i int) { must(b, pawl.Create{Tasks: []pawl.NewTask{{Subject: "another one"}}}) }},
				{"claim+done", func(b *testing.B, i int) {
					must(b, pawl.Complete{IDs: must(b, pawl.ClaimTask{Lease: pawl.Duration(time.Hour)}).IDs})
				}},
				{"ready", func(b *testing.B, i int) { ready(b, s) }},
			} {
				b.Run(w.name, func(b *testing.B) {
					must(b, note(0))
					began := cpuTime()
					for i := 0; b.Loop(); i++ {
						w.turn(b, i)
					}
					b.ReportMetric(float64((cpuTime()-began).Microseconds())/float64(b.N), "cpu-µs/op")
				})
			}
		})
	}
}

// BenchmarkAppend appends a line as long as a record of the journal to a file,
// and syncs it.
func BenchmarkAppend(b *testing.B) {
	f, err := os.OpenFile(filepath.Join(b.TempDir(), "journal"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := make([]byte, 1200)
	began := cpuTime()
	defer func() { b.ReportMetric(float64((cpuTime()-began).Microseconds())/float64(b.N), "cpu-µs/op") }()
	for b.Loop() {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := file.SyncData(f); err != nil {
			b.Fatal(err)
		}
	}
}

// cpuTime is what the process has used so far: the disk's time is everybody's.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
