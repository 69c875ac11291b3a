package pawl

import (
	"context"
	"errors"
	"reflect"
)

// ErrTooMuch is the cause of each error that refuses work for its size, on a board that
// has many callers.
var ErrTooMuch = errors.New("too much work at once")

type roomKey struct{}

// Within returns a context under which the requests of one call may touch about so many
// bytes of tasks: those that they change, before and after, and those that they make. The
// request that would pass it fails with Invalid and the cause [ErrTooMuch], and so do all
// after it, so that a caller may send those again. Without it nothing bounds them.
func Within(ctx context.Context, bytes int) context.Context {
	return context.WithValue(ctx, roomKey{}, bytes)
}

// Room is what [Within] gave a context; zero: nothing.
func Room(ctx context.Context) int {
	bytes, _ := ctx.Value(roomKey{}).(int)
	return bytes
}

// TooMuch is the refusal of work under [Within].
func TooMuch(format string, args ...any) *Error {
	e := invalid(format, args...)
	e.Cause = ErrTooMuch
	return e
}

// room is what is left of that of [Within], for all layers of a batch.
type room struct{ most, left int }

func roomOf(ctx context.Context) *room {
	if n := Room(ctx); n > 0 {
		return &room{n, n}
	}
	return nil
}

// take takes room for so many texts of a task; the values beside them take about as much
// as a small text.
func (r *room) take(t *Task, texts int) error {
	const values = 2 << 10
	if r == nil {
		return nil
	}
	if r.left -= values + texts*textSize(t); r.left >= 0 {
		return nil
	}
	return TooMuch("the requests of this call change more than %d KiB of tasks: send the rest in another call, or name fewer tasks in one", r.most>>10)
}

// Weight is how many tasks an op makes or names, at least one; ten edges of a new task
// count as one.
func Weight(op Op) int {
	n := 0
	if _, is := op.(Undo); is {
		return 20 // it reads history
	}
	if !byValue(op) {
		return 1
	}
	for _, field := range reflect.ValueOf(op).Fields() {
		switch list := field.Interface().(type) {
		case []Op:
			for _, one := range list {
				n += Weight(one)
			}
		case []ID:
			n += len(list)
		case []NewTask:
			for i := range list {
				n += list[i].weight()
			}
		case []ImportTask:
			for i := range list {
				n += list[i].weight()
			}
		}
	}
	return max(n, 1)
}

func (n *NewTask) weight() int { return 1 + (len(n.BlockedBy)+len(n.Blocks))/10 }
