package git

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
)

// Has reports which texts git has as files of commits, or has had. An edit that git was
// never given is not among them.
func (t *Tree) Has(ctx context.Context, texts [][]byte) ([]bool, error) {
	var names []string
	for _, text := range texts { // a repository has the ids of one kind
		names = append(names, objectID("blob", text, 2*sha1.Size), objectID("blob", text, 2*sha256.Size))
	}
	found, err := t.lookup(ctx, names)
	has := make([]bool, len(texts))
	for i, o := range found {
		has[i/2] = has[i/2] || o.kind == "blob"
	}
	return has, err
}
