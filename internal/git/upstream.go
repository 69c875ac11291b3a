package git

import (
	"context"
	"strings"
)

// Upstream returns the name of the remote that the checked-out branch follows; empty:
// it follows none.
func (t *Tree) Upstream(ctx context.Context) (string, error) {
	s, err := t.State(ctx)
	if err != nil || s.Branch == "" {
		return "", err
	}
	out, err := t.ask(ctx, nil, "for-each-ref", "--format=%(refname) %(upstream:remotename)", s.Branch)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) { // the pattern may be the beginning of others
		if name, remote, _ := strings.Cut(strings.TrimSpace(line), " "); name == s.Branch {
			return remote, nil
		}
	}
	return "", nil
}

// UpstreamRef returns the reference that a branch follows, as the last fetch left it:
// refs/remotes/origin/main. Empty: it follows none.
func (t *Tree) UpstreamRef(ctx context.Context, branch string) (string, error) {
	out, err := t.ask(ctx, nil, "for-each-ref", "--format=%(refname) %(upstream)", branch)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) { // the pattern may be the beginning of others
		if name, upstream, _ := strings.Cut(strings.TrimSpace(line), " "); name == branch {
			return upstream, nil
		}
	}
	return "", nil
}
