//go:build unix

package todofile

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/pawl-dev/pawl/todo"
	"golang.org/x/sys/unix"
)

// A meter adds up the processor's time: what hooks may cost is said in it.
type meter struct{ spent, since time.Duration }

func processor() time.Duration {
	var use unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

func (m *meter) start() { m.since = processor() }
func (m *meter) stop()  { m.spent += processor() - m.since }

func (m *meter) report(b *testing.B) {
	b.ReportMetric(float64(m.spent.Microseconds())/float64(b.N), "cpu-µs/op")
}

// busy is a folder with the list of a session at work: twenty todos, some with
// tool calls, one in progress.
func busy(b *testing.B) *todo.Service {
	s := open(b, filepath.Join(b.TempDir(), "todos"))
	if _, err := s.Update(b.Context(), aKey, func(l *todo.List) error {
		*l = working(aKey)
		for n := range 12 {
			item := l.Items[0]
			item.ID, item.ToolCalls = fmt.Sprint("more", n), nil
			l.Items = append(l.Items, item)
		}
		l.Items[7].Status = todo.InProgress
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return todo.New(s, time.Now)
}

// long gives the list of busy all the past that it can have.
func long(b *testing.B) *todo.Service {
	lists := busy(b)
	dir := b.TempDir()
	s := open(b, filepath.Join(dir, "todos"))
	list, err := lists.Read(b.Context(), aKey)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.Update(b.Context(), aKey, func(l *todo.List) error {
		*l = list
		for n := range todo.MaxPast {
			past := list.Items[n%8]
			past.ToolCalls = nil
			for c := range 10 {
				call := list.Items[0].ToolCalls[0]
				call.ID = fmt.Sprint("past", n, ".", c)
				past.ToolCalls = append(past.ToolCalls, call)
			}
			l.Past = append(l.Past, todo.Past{Item: past, How: todo.Finished, At: list.UpdatedAt})
		}
		return nil
	}); err != nil {
		b.Fatal(err)
	}
	return todo.New(s, time.Now)
}

// BenchmarkRead is what a hook pays that reads the list, and BenchmarkLook one
// that leaves out the past.
func BenchmarkRead(b *testing.B)     { benchmarkRead(b, busy(b), (*todo.Service).Read) }
func BenchmarkLook(b *testing.B)     { benchmarkRead(b, busy(b), (*todo.Service).Look) }
func BenchmarkReadLong(b *testing.B) { benchmarkRead(b, long(b), (*todo.Service).Read) }
func BenchmarkLookLong(b *testing.B) { benchmarkRead(b, long(b), (*todo.Service).Look) }

func benchmarkRead(b *testing.B, lists *todo.Service, read func(*todo.Service, context.Context, todo.Key) (todo.List, error)) {
	b.ReportAllocs()
	var m meter
	m.start()
	for b.Loop() {
		if list, err := read(lists, b.Context(), aKey); err != nil || len(list.Items) != 20 {
			b.Fatal(err)
		}
	}
	m.stop()
	m.report(b)
}

// BenchmarkCall is the start and the end of a tool call, as two hooks tell them,
// by an agent that writes its list every twenty calls.
func BenchmarkCall(b *testing.B)     { benchmarkCall(b, busy(b), 20) }
func BenchmarkCallLong(b *testing.B) { benchmarkCall(b, long(b), 20) }

// BenchmarkCallUnplanned is the same by one that never writes it: the log fills.
func BenchmarkCallUnplanned(b *testing.B) { benchmarkCall(b, busy(b), 1<<30) }

func benchmarkCall(b *testing.B, lists *todo.Service, every int) {
	call := todo.Call{ToolCall: todo.ToolCall{Name: "Bash", Parameters: []byte(`{"command":"go test ./...","timeout":60000}`)}, Arguments: true}
	n := 0
	b.ReportAllocs()
	var m meter
	m.start()
	for b.Loop() {
		if n++; n%every == 0 {
			b.StopTimer()
			m.stop()
			if _, err := lists.Pause(b.Context(), aKey, "", fmt.Sprint(n)); err != nil {
				b.Fatal(err)
			}
			m.start()
			b.StartTimer()
		}
		call.ID = fmt.Sprint("toolu_", n)
		if err := lists.CallStarted(b.Context(), aKey, call); err != nil {
			b.Fatal(err)
		}
		if err := lists.CallEnded(b.Context(), aKey, call.ID, todo.Succeeded); err != nil {
			b.Fatal(err)
		}
	}
	m.stop()
	m.report(b)
}
