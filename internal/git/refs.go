package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Ref returns what a reference is; empty: there is none.
func (t *Tree) Ref(ctx context.Context, name string) (string, error) {
	if err := refName(name); err != nil {
		return "", err
	}
	return t.ofRef(ctx, name, "objectname")
}

// ofRef is what git says of a reference; empty: there is none.
func (t *Tree) ofRef(ctx context.Context, name, field string) (string, error) {
	out, err := t.list(ctx, "for-each-ref", "--format=%(refname) %("+field+")", name)
	for line := range strings.Lines(out) { // the name may be the beginning of others
		if ref, value, _ := strings.Cut(strings.TrimSpace(line), " "); ref == name {
			return value, nil
		}
	}
	return "", err
}

// SetRef moves a reference from one commit to another one, with a reason for the log.
// Without old it must not exist, and without id it is deleted. If it is elsewhere,
// SetRef fails with [ErrMoved] and changes nothing.
func (t *Tree) SetRef(ctx context.Context, name, old, id, why string) error {
	if err := refName(name); err != nil {
		return err
	}
	for _, given := range []string{old, id} {
		if given != "" && !gitdir.IsID(given) {
			return fmt.Errorf("%q is not the id of a commit", given)
		}
	}
	if old == "" && id == "" {
		return fmt.Errorf("%s is to be moved from nothing to nothing", name)
	}
	args := []string{"update-ref", "--no-deref", "-m", reason(why)}
	if id == "" {
		args = append(args, "-d", name, old)
	} else {
		was := old
		if was == "" {
			was = strings.Repeat("0", len(id))
		}
		args = append(args, name, id, was)
	}
	_, err := t.change(ctx, nil, nil, args...)
	if isRefusal(err) {
		if at, err2 := t.Ref(ctx, name); err2 == nil && at != old {
			return ErrMoved
		}
	}
	return err
}

// reason is a line of a log of references.
func reason(why string) string {
	if why = strings.Join(strings.Fields(strings.ToValidUTF8(strings.ReplaceAll(why, "\x00", ""), "")), " "); why == "" {
		return "pawl"
	}
	return why
}
