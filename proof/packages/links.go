package main

import (
	"encoding/base64"
	"net/url"
)

// A link installs the MCP server in an editor, which asks first. All of them need
// pawl on the PATH.
type link struct {
	Editor string
	URL    string
}

// editorLinks are the links of docs/install.md. Pages show only links of the web, so
// each goes through the editor's own page, which hands over to the editor.
func editorLinks() []link {
	const config, named = `{"command":"pawl","args":["mcp"]}`, `{"name":"pawl","type":"stdio","command":"pawl","args":["mcp"]}`
	cursor := url.Values{"name": {"pawl"}, "config": {base64.StdEncoding.EncodeToString([]byte(config))}}
	code := "vscode:mcp/install?" + url.QueryEscape(named)
	insiders := "vscode-insiders:mcp/install?" + url.QueryEscape(named)
	return []link{
		{"Cursor", "https://cursor.com/install-mcp?" + cursor.Encode()},
		{"VS Code", "https://insiders.vscode.dev/redirect?url=" + url.QueryEscape(code)},
		{"VS Code Insiders", "https://insiders.vscode.dev/redirect?url=" + url.QueryEscape(insiders)},
	}
}
