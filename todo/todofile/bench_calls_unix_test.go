//go:build unix

package todofile

import (
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

// BenchmarkRead is what a hook pays that looks at the list.
func BenchmarkRead(b *testing.B) {
	lists := busy(b)
	b.ReportAllocs()
	var m meter
	m.start()
	for b.Loop() {
		if list, err := lists.Read(b.Context(), aKey); err != nil || len(list.Items) != 20 {
			b.Fatal(err)
		}
	}
	m.stop()
	m.report(b)
}

// BenchmarkCall is the start and the end of a tool call, as two hooks tell them,
// by an agent that writes its list every twenty calls.
func BenchmarkCall(b *testing.B) { benchmarkCall(b, 20) }

// BenchmarkCallUnplanned is the same by one that never writes it: the log fills.
func BenchmarkCallUnplanned(b *testing.B) { benchmarkCall(b, 1<<30) }

func benchmarkCall(b *testing.B, every int) {
	lists := busy(b)
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
