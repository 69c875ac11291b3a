package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

const (
	homepage    = "https://github.com/pawl-dev/pawl"
	description = "Task memory for coding agents: plans that outlive the conversation, in plain files." // at most 100 characters, for the MCP registry
	mcpName     = "io.github.pawl-dev/pawl"
	scope       = "@pawl-dev/"
)

// packageJSON is the manifest of an npm package, in the order in which npm writes it.
type packageJSON struct {
	Name                 string            `json:"name"`
	Version              string            `json:"version"`
	Description          string            `json:"description"`
	MCPName              string            `json:"mcpName,omitempty"` // by it the MCP registry knows that the package is ours
	Keywords             []string          `json:"keywords,omitempty"`
	Homepage             string            `json:"homepage"`
	Repository           repository        `json:"repository"`
	License              string            `json:"license"`
	Bin                  map[string]string `json:"bin,omitempty"`
	Files                []string          `json:"files"`
	Engines              map[string]string `json:"engines,omitempty"`
	OS                   []string          `json:"os,omitempty"`
	CPU                  []string          `json:"cpu,omitempty"`
	PreferUnplugged      bool              `json:"preferUnplugged,omitempty"` // Yarn: not in an archive, where no program can be started
	OptionalDependencies map[string]string `json:"optionalDependencies,omitempty"`
}

type repository struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// node is the platform in Node's words, which npm uses: win32, x64.
func (p platform) node() (os, cpu string) {
	os, cpu = p.os, p.arch
	if os == "windows" {
		os = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return os, cpu
}

// npmName is the part of the package's name behind the scope.
func (p platform) npmName() string {
	os, cpu := p.node()
	return os + "-" + cpu
}

func (r release) manifest(name string) packageJSON {
	return packageJSON{
		Name: name, Version: r.version, Description: description, Homepage: homepage + "#readme",
		Repository: repository{"git", "git+" + homepage + ".git"}, License: "MIT",
	}
}

// npm writes the packages into a folder, which it replaces.
func (r release) npm(to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	launcher := r.manifest("pawl")
	launcher.MCPName = mcpName
	launcher.Keywords = []string{"mcp", "agent", "tasks", "todo", "claude-code", "codex"}
	launcher.Bin = map[string]string{"pawl": "bin/pawl.js"}
	launcher.Files = []string{"bin"}
	launcher.Engines = map[string]string{"node": ">=16"}
	launcher.OptionalDependencies = map[string]string{}
	// All platforms, also when only some are built: what npm installs must not depend on
	// where the package was made.
	for _, p := range platforms {
		launcher.OptionalDependencies[scope+p.npmName()] = r.version
	}
	readme, err := os.ReadFile(r.packaging("npm", "README.md"))
	if err != nil {
		return err
	}
	if err := r.npmPackage(filepath.Join(to, "pawl"), launcher, readme, r.packaging("npm", "pawl.js"), "pawl.js"); err != nil {
		return err
	}
	for p, binary := range r.binaries {
		m := r.manifest(scope + p.npmName())
		m.Description = fmt.Sprintf("The program of the package pawl for %s", p.npmName())
		os, cpu := p.node()
		m.OS, m.CPU, m.PreferUnplugged = []string{os}, []string{cpu}, true
		m.Files = []string{"bin"}
		readme, err := r.filled(p.npmName(), "npm", "README-platform.md")
		if err != nil {
			return err
		}
		// Not in `bin`: two packages must not both want to be the command pawl.
		if err := r.npmPackage(filepath.Join(to, filepath.FromSlash(m.Name)), m, readme, binary, p.exe()); err != nil {
			return err
		}
	}
	return nil
}

// npmPackage writes one package with a program, which is taken from a path.
func (r release) npmPackage(dir string, m packageJSON, readme []byte, program, as string) error {
	if err := os.MkdirAll(filepath.Join(dir, "bin"), 0o755); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(dir, "package.json"), m); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), readme, 0o644); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(dir, "LICENSE"), filepath.Join(r.root, "LICENSE"), 0o644); err != nil {
		return err
	}
	return copyFile(filepath.Join(dir, "bin", as), program, 0o755)
}

func (r release) packaging(parts ...string) string {
	return filepath.Join(append([]string{r.root, "packaging"}, parts...)...)
}

// filled is a template of the folder packaging with a text in it.
func (r release) filled(with string, parts ...string) ([]byte, error) {
	form, err := template.ParseFiles(r.packaging(parts...))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = form.Execute(&text, with)
	return text.Bytes(), err
}

func copyFile(to, from string, mode os.FileMode) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, mode)
}
