package access

import "context"

type key struct{}

// With returns a context whose request has come with a token.
func With(ctx context.Context, t Token) context.Context { return context.WithValue(ctx, key{}, t) }

// Of returns the token that a request has come with. Without one it is
// anybody's.
func Of(ctx context.Context) (t Token, ok bool) {
	t, ok = ctx.Value(key{}).(Token)
	return t, ok
}
