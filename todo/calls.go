package todo

import "context"

// A Call is the start of a tool call by the agent.
type Call struct {
	ToolCall
	Project   string
	Arguments bool // keep them, cut and masked
}

// CallStarted attaches a tool call to the todo, or its subtask, that is in
// progress; without one it does nothing.
func (s *Service) CallStarted(ctx context.Context, key Key, call Call) error { return nil }

// CallEnded says how a tool call ended. It is found wherever it was attached.
func (s *Service) CallEnded(ctx context.Context, key Key, id string, outcome Outcome) error {
	return nil
}

// CallsInterrupted ends the calls that still run: their ends will not come.
func (s *Service) CallsInterrupted(ctx context.Context, key Key) error { return nil }
