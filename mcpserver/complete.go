package mcpserver

import (
	"context"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pawl-dev/pawl"
	"github.com/pawl-dev/pawl/ask"
)

// mostValues is what the protocol lets a completion have.
const mostValues = 100

// complete offers the ids of tasks for every argument that takes one: by their beginning,
// and by a part of the subject.
func (s *Server) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	ref, arg := req.Params.Ref, req.Params.Argument
	none := &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}
	switch {
	case s.o.Board == nil:
		return nil, invalidParams("nothing here has an argument to complete")
	case ref.Type == "ref/resource" && ref.URI == taskForm && arg.Name == "id",
		ref.Type == "ref/prompt" && ref.Name == "plan-work" && arg.Name == "parent",
		ref.Type == "ref/prompt" && ref.Name == "resume-work" && arg.Name == "task":
	case ref.Type == "ref/prompt" && (ref.Name == "plan-work" || ref.Name == "resume-work"):
		return none, nil // there is nothing to offer
	case ref.Type == "ref/resource" && (ref.URI == taskForm || strings.HasPrefix(ref.URI, "pawl://")):
		return none, nil
	default:
		return nil, invalidParams("nothing here is called %s%s", ref.Name, ref.URI)
	}
	by, err := s.reader(ctx, req.Params, req)
	if err != nil {
		return nil, err
	}
	begun := strings.TrimPrefix(strings.TrimSpace(arg.Value), "#")
	query := pawl.Query{Status: []pawl.Status{pawl.InProgress, pawl.Pending}, Brief: true, Limit: pawl.MaxPage}
	number := begun == "" || strings.Trim(begun, "0123456789") == ""
	if !number {
		query.Text = begun
	}
	c := &none.Completion
	for more := true; more; more = query.After != nil && !c.HasMore {
		answer, err := inquire(ctx, s, by, ask.TasksQuery{Query: query})
		if err != nil {
			return none, err
		}
		for i := range answer.Page.Tasks {
			id := strconv.FormatInt(int64(answer.Page.Tasks[i].ID), 10)
			if number && !strings.HasPrefix(id, begun) {
				continue
			}
			if c.Total++; len(c.Values) < mostValues {
				c.Values = append(c.Values, id)
			} else {
				c.HasMore = true
			}
		}
		query.After = answer.Page.Next
	}
	if none.Completion.HasMore {
		none.Completion.Total = 0 // it was not counted to the end
	}
	return none, nil
}
