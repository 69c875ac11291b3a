package access

import "context"

type (
	key   struct{}
	board struct{}
)

// With returns a context whose request has come with a token.
func With(ctx context.Context, t Token) context.Context { return context.WithValue(ctx, key{}, t) }

// Of returns the token that a request has come with. Without one it is
// anybody's.
func Of(ctx context.Context) (t Token, ok bool) {
	t, ok = ctx.Value(key{}).(Token)
	return t, ok
}

// At returns a context whose request is below the address of a board, whether or not that
// exists and the request has a token for it.
func At(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, board{}, name)
}

// Board returns the board that a request is below the address of.
func Board(ctx context.Context) string {
	name, _ := ctx.Value(board{}).(string)
	return name
}
