package git

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"slices"
	"strings"
)

// Has reports which texts git has as files of commits, or has had. An edit that git was
// never given is not among them.
func (t *Tree) Has(ctx context.Context, texts [][]byte) ([]bool, error) {
	var names []string
	for _, text := range texts { // a repository has the ids of one kind, and may write other ends of lines than it has
		for _, text := range [][]byte{text, bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))} {
			names = append(names, objectID("blob", text, 2*sha1.Size), objectID("blob", text, 2*sha256.Size))
		}
	}
	found, err := t.lookup(ctx, names)
	has := make([]bool, len(texts))
	for i, o := range found {
		has[i/4] = has[i/4] || o.kind == "blob"
	}
	return has, err
}

// Had reports which texts files had in a commit or its history. Texts that only an
// abandoned commit has do not count.
func (r *Repo) Had(ctx context.Context, commit string, texts [][]byte) ([]bool, error) {
	had, err := r.tree.Has(ctx, texts)
	if err != nil || !slices.Contains(had, true) {
		return had, err
	}
	if err := ids(commit); err != nil {
		return nil, err
	}
	out, err := r.tree.run(ctx, call{patience: longPatience, limit: maxList}, "rev-list", "--objects", "--no-object-names", commit, "--")
	in := map[string]bool{}
	for id := range strings.Lines(out) {
		in[strings.TrimSpace(id)] = true
	}
	for i, text := range texts {
		had[i] = had[i] && (in[objectID("blob", text, 2*sha1.Size)] || in[objectID("blob", text, 2*sha256.Size)])
	}
	return had, err
}
