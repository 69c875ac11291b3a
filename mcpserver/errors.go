package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// invalidParams is the protocol's error for arguments that cannot work.
func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}

// sendable takes out of errors what could not be sent, and would end the
// connection: the SDK quotes the address of a resource that is not there as Go
// does, which is not JSON for all of them.
func sendable(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		if e, ok := errors.AsType[*jsonrpc.Error](err); ok && e.Data != nil && !json.Valid(e.Data) {
			return nil, &jsonrpc.Error{Code: e.Code, Message: e.Message}
		}
		return result, err
	}
}
