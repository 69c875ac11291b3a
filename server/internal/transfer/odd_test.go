package transfer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Texts that no rule of Pawl would let in are in files nevertheless, and come through.
func TestOddTexts(t *testing.T) {
	for name, text := range map[string]string{
		"half a pair": `{"id":1,"subject":"a\ud800b","labels":["\udc00"],"colour":"\ud800"}`,
		"long":        `{"id":1,"subject":"` + strings.Repeat("x", 2000) + `","labels":["` + strings.Repeat("x", 3000) + `"],"owner":"` + strings.Repeat("x", 4000) + `"}`,
		"far":         `{"id":1,"subject":"a","createdAt":"9999-12-31T23:59:59.999Z","blockedBy":[4503599627370496]}`,
		"early":       `{"id":1,"subject":"a","createdAt":"0001-01-01T00:00:01Z","updatedAt":-5}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir, back := t.TempDir(), filepath.Join(t.TempDir(), ".tasks")
			if err := os.WriteFile(filepath.Join(dir, "task_1.json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			from, between, to := open(t, dir), database(t), open(t, back)
			copied(t, from, between)
			copied(t, between, to)
			if is, was := state(t, to), state(t, from); is != was {
				t.Errorf("the copy is\n%s\nof\n%s", is, was)
			}
		})
	}
}
