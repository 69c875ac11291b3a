package git

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// Committed returns a file as the commit that is checked out has it; nil: that has no such
// file, or a larger one. The path has no links in it.
func (t *Tree) Committed(ctx context.Context, file string, limit int) ([]byte, error) {
	name, err := filepath.Rel(t.Root, file)
	if err != nil || !filepath.IsLocal(name) || strings.Contains(name, "\n") {
		return nil, err
	}
	o, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer o.close()
	found, text, err := o.read("HEAD:"+filepath.ToSlash(name), limit)
	if err != nil && !errors.Is(err, errLarge) || found.kind != "blob" {
		return nil, err
	}
	return text, nil
}
