package host

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestGarbagePercent(t *testing.T) {
	for kept, want := range map[uint64]int{0: 500, 8 << 20: 250, 20 << 20: 100, 40 << 20: 50, 80 << 20: 75, 1 << 40: 99} {
		if got := garbagePercent(kept); got != want {
			t.Errorf("%d bytes kept: %d%%, not %d%%", kept, got, want)
		}
	}
}

// How much garbage there may be follows from what is kept, collection by collection.
func TestLeaveRoom(t *testing.T) {
	t.Setenv("GOGC", "")
	usual := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	percent := func() uint64 {
		now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(now)
		return now[0].Value.Uint64()
	}
	becomes := func(what string, is func(percent uint64) bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !is(percent()); runtime.Gosched() {
			if runtime.GC(); time.Now().After(end) {
				t.Fatalf("%s: %d%%", what, percent())
			}
		}
	}
	leaveRoom()
	becomes("little is kept", func(p uint64) bool { return p > 100 })
	much := make([]byte, 2*roomForGarbage)
	becomes("much is kept", func(p uint64) bool { return p < 60 })
	runtime.KeepAlive(much)
	becomes("little is kept again", func(p uint64) bool { return p > 100 })
}
