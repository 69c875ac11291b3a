package main

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
)

// A link installs the MCP server in an editor, which asks first. All of them need
// pawl on the PATH.
type link struct {
	Editor string
	URL    string
}

type stdioServer struct {
	Name    string   `json:"name,omitempty"`
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// editorLinks are the links of docs/install.md. Pages show only links of the web, so
// each goes through the editor's own page, which hands over to the editor.
func editorLinks() []link {
	config, err := json.Marshal(stdioServer{Command: "pawl", Args: []string{"mcp"}})
	if err != nil {
		panic(err) // of strings
	}
	named, err := json.Marshal(stdioServer{Name: "pawl", Type: "stdio", Command: "pawl", Args: []string{"mcp"}})
	if err != nil {
		panic(err)
	}
	cursor := url.Values{"name": {"pawl"}, "config": {base64.StdEncoding.EncodeToString(config)}}
	code := "vscode:mcp/install?" + url.QueryEscape(string(named))
	insiders := "vscode-insiders:mcp/install?" + url.QueryEscape(string(named))
	return []link{
		{"Cursor", "https://cursor.com/install-mcp?" + cursor.Encode()},
		{"VS Code", "https://insiders.vscode.dev/redirect?url=" + url.QueryEscape(code)},
		{"VS Code Insiders", "https://insiders.vscode.dev/redirect?url=" + url.QueryEscape(insiders)},
	}
}
