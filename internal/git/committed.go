package git

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// Committed returns the texts that git has of a file: of the commit that is checked out, and
// of the index, unless they are the same. A larger one is left out. The path has no links in
// it.
func (t *Tree) Committed(ctx context.Context, file string, limit int) (texts [][]byte, err error) {
	name, err := filepath.Rel(t.Root, file)
	if err != nil || !filepath.IsLocal(name) || strings.Contains(name, "\n") {
		return nil, err
	}
	o, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	defer o.close()
	var last string
	for _, of := range []string{"HEAD:", ":0:"} {
		found, text, err := o.read(of+filepath.ToSlash(name), limit)
		switch {
		case errors.Is(err, errLarge):
			return texts, nil
		case err != nil:
			return nil, err
		case found.kind == "blob" && found.id != last:
			texts, last = append(texts, text), found.id
		}
	}
	return texts, nil
}
