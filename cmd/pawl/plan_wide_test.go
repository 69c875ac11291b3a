package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

// The redirections of some shells write UTF-16: a plan in it is read, and a file of
// another program's tasks is still told by its beginning.
func TestPlanInUTF16(t *testing.T) {
	for name, order := range map[string]binary.AppendByteOrder{"little endian": binary.LittleEndian, "big endian": binary.BigEndian} {
		for text, want := range map[string]string{
			"- [ ] Wide é 😀\r\n- [ ] Again\r\n":                                   "Wide é 😀",
			"# Tasks: Cart\n\n## Phase 1: Setup\n\n- [ ] T001 Wide\n":             "spec-kit: 1 phase, 1 task",
			`{"tasks":[{"id":1,"title":"Wide","testStrategy":"","subtasks":[]}]}`: "Task Master: ",
		} {
			var wide []byte
			for _, unit := range utf16.Encode([]rune("\uFEFF" + text)) {
				wide = order.AppendUint16(wide, unit)
			}
			h := newHome(t)
			file := filepath.Join(h.dir, "project", "plan.md")
			must.Do(t, os.WriteFile(file, wide, 0o644))
			piped := h.pawl(t, nil, "plan", "-", "--dry-run")
			piped.Stdin = strings.NewReader(string(wide))
			for what, cmd := range map[string]interface{ CombinedOutput() ([]byte, error) }{"a file": h.pawl(t, nil, "plan", file, "--dry-run"), "stdin": piped} {
				if said, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(said), want) {
					t.Errorf("%s, %s: %v\n%s\nwant %q", name, what, err, said, want)
				}
			}
		}
	}
}
