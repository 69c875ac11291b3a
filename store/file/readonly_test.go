package file

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/pawl-dev/pawl"
)

// A board in a folder that cannot be written is read as it is, without a lock,
// and says why it does not change.
func TestReadOnly(t *testing.T) {
	for _, cause := range []error{syscall.EROFS, syscall.EACCES} {
		d := board(t, chain("a", "b"), pawl.Complete{IDs: []pawl.ID{1}})
		want := state(t, simStore(t, d.process()))
		d.edit(t, 2, `"subject": "b"`, `"subject": "B"`)
		d.before = func(_ int, op, name string) error {
			switch op {
			case "create", "mkdir", "rename", "renamenew", "exchange", "remove", "write", "truncate", "sync", "fdatasync":
				return cause
			case "lock":
				if strings.HasSuffix(name, "gate") {
					return cause
				}
			}
			return nil
		}
		if got := state(t, simStore(t, d.process())); got != strings.Replace(want, `"b"`, `"B"`, 1) {
			t.Errorf("the board is\n%s", got)
		}
		_, err := pawl.NewBoard(simStore(t, d.process())).Do(context.Background(), pawl.Request{By: by, Op: create("c")})
		if !errors.Is(err, pawl.Unavailable) || !strings.Contains(err.Error(), "cannot be written") {
			t.Errorf("writing says %v", err)
		}
		d.before = nil
		if got := see(t, d); len(got) != 2 {
			t.Errorf("afterwards there are %v", got)
		}
	}
}

// A read-only board whose last writer died shows what was committed.
func TestReadOnlyAfterCrash(t *testing.T) {
	d := board(t, chain("a", "b"))
	dieBefore(t, d, "exchange", "task_1.json", pawl.Complete{IDs: []pawl.ID{1}})
	d.before = func(_ int, op, name string) error {
		if op == "lock" || op == "create" || op == "write" {
			return syscall.EROFS
		}
		return nil
	}
	got := state(t, simStore(t, d.process()))
	if !strings.Contains(got, `"id":1,"subject":"a","description":"","status":"completed"`) {
		t.Errorf("the board is\n%s", got)
	}
}
