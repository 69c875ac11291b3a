package access

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"sync"
	"time"

	"github.com/pawl-dev/pawl/internal/rewrite"
)

// flushEach is how often the uses of tokens are written. What a crash loses of them
// is the last minutes of what list shows.
const flushEach = time.Minute

// uses keeps when each token was used last: in memory, and now and then in a file
// that nothing depends on:
//
//	{"k3v7q2mx": "2026-11-23T06:12:00Z"}
type uses struct {
	file rewrite.File

	mu      sync.Mutex
	at      map[string]time.Time // since the last flush
	flushed time.Time
}

func newUses(dir string) *uses {
	return &uses{
		file: rewrite.File{Dir: dir, Name: "used.json", Lock: ".used.lock", Temp: ".used.json.new", Mode: 0o600, Limit: 1 << 20},
		at:   map[string]time.Time{},
	}
}

func (u *uses) note(id string, now time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.at[id] = now.UTC().Truncate(time.Second)
}

// flushSometimes writes what was noted, if it was not written for a while.
func (u *uses) flushSometimes(now time.Time) {
	u.mu.Lock()
	due := now.Sub(u.flushed) >= flushEach && len(u.at) > 0
	if due {
		u.flushed = now
	}
	u.mu.Unlock()
	if due {
		u.flush()
	}
}

// flush writes what was noted. What cannot be written stays noted.
func (u *uses) flush() {
	u.mu.Lock()
	at := maps.Clone(u.at)
	u.mu.Unlock()
	if len(at) == 0 {
		return
	}
	_, err := u.file.Change(context.Background(), func(old []byte) ([]byte, error) {
		all := parseUses(old)
		for id, t := range at {
			if t.After(all[id]) {
				all[id] = t
			}
		}
		const most = 2 * MaxTokens // tokens that were forgotten are left out at some time
		if len(all) > most {
			all = at
		}
		return json.Marshal(all)
	})
	if err != nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.DeleteFunc(u.at, func(id string, t time.Time) bool { return !t.After(at[id]) })
}

// all is when each token was used last, as far as it is known.
func (u *uses) all() map[string]time.Time {
	text, _ := os.ReadFile(u.file.Path())
	all := parseUses(text)
	u.mu.Lock()
	defer u.mu.Unlock()
	maps.Copy(all, u.at)
	return all
}

// parseUses reads the file, of which a broken one is begun again.
func parseUses(text []byte) map[string]time.Time {
	var all map[string]time.Time
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return map[string]time.Time{}
	}
	return all
}
