package mcpserver

import (
	"context"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl/query"
)

// mostValues is what the protocol lets a completion have.
const mostValues = 100

// complete offers the ids of open tasks for every argument that takes one, the most
// urgent first: by their beginning, and by a part of the subject.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	ref, arg := req.Params.Ref, req.Params.Argument
	none := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	switch {
	case s.o.Board == nil:
		return nil, invalidParams("nothing here has an argument to complete")
	case ref.Type == "ref/resource" && ref.URI == taskForm && arg.Name == "id",
		ref.Type == "ref/prompt" && ref.Name == "plan-work" && arg.Name == "parent",
		ref.Type == "ref/prompt" && ref.Name == "resume-work" && arg.Name == "task":
	case ref.Type == "ref/prompt" && (ref.Name == "plan-work" || ref.Name == "resume-work"),
		ref.Type == "ref/resource" && (ref.URI == taskForm || strings.HasPrefix(ref.URI, "pawl://")):
		return none, nil // there is nothing to offer
	default:
		return nil, invalidParams("nothing here is called %s%s", ref.Name, ref.URI)
	}
	by, err := s.reader(ctx, req.Params, req)
	if err != nil {
		return nil, err
	}
	found, err := inquire(ctx, s, by, query.FindQuery{Begun: arg.Value, Limit: mostValues})
	if err != nil {
		return none, err
	}
	c := &none.Completion
	for _, row := range found.Rows {
		c.Values = append(c.Values, strconv.FormatInt(int64(row.ID), 10))
	}
	if c.HasMore = found.More; !c.HasMore {
		c.Total = len(c.Values) // else it was not counted to the end
	}
	return none, nil
}
