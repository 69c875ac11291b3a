package host

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// roomForGarbage is how much memory a server may use between two collections, however
// little it keeps. Go collects when garbage is as much as what is kept: a server that keeps
// 8 MiB, since its boards are in a database, would spend a fifth of its time on that.
const roomForGarbage = 20 << 20

// leaveRoom has the collector leave that room from now on, unless the environment says
// how often it collects. Of a server that keeps much, garbage is as much as what is kept
// but for that room: one with a thousand clients stays below 100 MiB.
func leaveRoom() {
	if os.Getenv("GOGC") == "" {
		collected(0)
	}
}

// collected runs after each collection. The object that it makes lives until the next.
func collected(was int) {
	kept := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(kept)
	percent := garbagePercent(kept[0].Value.Uint64())
	if diff := percent - was; diff > was/10 || -diff > was/10 { // it stops the program for a moment
		debug.SetGCPercent(percent)
		was = percent
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit(kept[0].Value.Uint64()))
	}
	runtime.AddCleanup(new([4]*byte), collected, was)
}

// memoryLimit is from where on Go collects sooner, for large requests, whose garbage is as
// much as what they need.
func memoryLimit(kept uint64) int64 { return max(128<<20, int64(kept+kept/4)) }

// garbagePercent is how much garbage there may be, in percent of what is kept.
func garbagePercent(kept uint64) int {
	const least = 4 << 20 // the first collection is at this times the percentage, so of less it is not more
	kept = max(kept, least)
	return int(max(roomForGarbage, kept-min(kept, roomForGarbage)) * 100 / kept)
}
