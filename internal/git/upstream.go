package git

import "context"

// Upstream returns the name of the remote that the checked-out branch follows; empty:
// it follows none.
func (t *Tree) Upstream(ctx context.Context) (string, error) {
	s, err := t.State(ctx)
	if err != nil || s.Branch == "" {
		return "", err
	}
	return t.ofRef(ctx, s.Branch, "upstream:remotename")
}

// UpstreamRef returns the reference that a branch follows, as the last fetch left it:
// refs/remotes/origin/main. Empty: it follows none.
func (t *Tree) UpstreamRef(ctx context.Context, branch string) (string, error) {
	return t.ofRef(ctx, branch, "upstream")
}
