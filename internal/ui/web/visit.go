package web

import (
	"context"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/internal/access"
)

// A visitor is who asks: the user of a server of one's own, or the holder of a token
// of a server that keeps boards for others.
type visitor struct {
	By     pawl.Actor // as whom the API acts
	Token  string     // the id of the token; empty on a server of one's own
	Role   access.Role
	Person bool // may use force
}

// A visit is a request of a visitor.
type visit struct {
	*Server
	visitor
}

type visitorKey struct{}

func (v visitor) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, visitorKey{}, v)
}

// visitorOf returns the visitor that the guard has let in; to an open route nobody in
// particular may come.
func visitorOf(ctx context.Context) visitor {
	v, _ := ctx.Value(visitorKey{}).(visitor)
	return v
}

// owner is the visitor of a server of one's own.
func (s *Server) owner() visitor { return visitor{By: s.By, Role: access.Admin, Person: true} }

// holder is the visitor with a token. The session is that of no agent: claims on a
// page are its reader's.
func holder(t access.Token) visitor {
	return visitor{By: pawl.Actor{Name: t.Name, Session: pawl.PageSession}, Token: t.ID, Role: t.Role, Person: t.Person}
}
