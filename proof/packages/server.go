package main

import (
	"crypto/sha256"
	"fmt"
	"os"
)

// serverJSON is what the MCP registry is told. The file in the tree names the npm
// package; the one of a release also the bundle, with its hash, and the image.
type serverJSON struct {
	Schema      string           `json:"$schema"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Repository  serverRepository `json:"repository"`
	Website     string           `json:"websiteUrl"`
	Version     string           `json:"version"`
	Packages    []serverPackage  `json:"packages"`
}

type serverRepository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type serverPackage struct {
	Type       string           `json:"registryType"`
	Identifier string           `json:"identifier"`
	Version    string           `json:"version,omitempty"` // absent where the identifier has it
	SHA256     string           `json:"fileSha256,omitempty"`
	Hint       string           `json:"runtimeHint,omitempty"`
	Runtime    []serverArgument `json:"runtimeArguments,omitempty"`
	Transport  serverTransport  `json:"transport"`
	Arguments  []serverArgument `json:"packageArguments,omitempty"`
}

type serverTransport struct {
	Type string `json:"type"`
}

type serverArgument struct {
	Type        string                    `json:"type"` // positional or named
	Name        string                    `json:"name,omitempty"`
	Value       string                    `json:"value,omitempty"`
	Description string                    `json:"description,omitempty"`
	Format      string                    `json:"format,omitempty"`
	Required    bool                      `json:"isRequired,omitempty"`
	Variables   map[string]serverVariable `json:"variables,omitempty"`
}

type serverVariable struct {
	Description string `json:"description"`
	Format      string `json:"format"`
	Required    bool   `json:"isRequired"`
}

func serverDescription(version string) serverJSON {
	stdio := serverTransport{"stdio"}
	return serverJSON{
		Schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		Name:   mcpName, Title: "Pawl", Description: description,
		Repository: serverRepository{homepage, "github"}, Website: homepage, Version: version,
		Packages: []serverPackage{{
			Type: "npm", Identifier: "pawl", Version: version, Hint: "npx", Transport: stdio,
			Arguments: []serverArgument{{Type: "positional", Value: "mcp"}},
		}},
	}
}

// server writes the server.json of a release.
func (r release) server(path, bundle, image string) error {
	content, err := os.ReadFile(bundle)
	if err != nil {
		return err
	}
	s := serverDescription(r.version)
	s.Packages = append(s.Packages, serverPackage{
		Type: "mcpb", Identifier: fmt.Sprintf("%s/releases/download/v%s/pawl.mcpb", homepage, r.version),
		SHA256: fmt.Sprintf("%x", sha256.Sum256(content)), Transport: serverTransport{"stdio"},
	})
	if image != "" {
		folder := map[string]serverVariable{"project": {"The project's folder, as an absolute path", "filepath", true}}
		s.Packages = append(s.Packages, serverPackage{
			Type: "oci", Identifier: image + ":" + r.version, Hint: "docker", Transport: serverTransport{"stdio"},
			Runtime:   []serverArgument{{Type: "named", Name: "--volume", Value: "{project}:/project", Variables: folder}},
			Arguments: []serverArgument{{Type: "positional", Value: "mcp"}},
		})
	}
	return writeJSON(path, s)
}
