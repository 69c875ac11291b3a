package main

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// The bundle is a zip that a desktop client installs with a double click:
//
//	manifest.json
//	server/pawl-darwin    both processors in one, because a bundle knows systems only
//	server/pawl-linux     amd64
//	server/pawl.exe       amd64, which Windows on arm64 runs, too
//
// The client starts a server in no folder of the user's, so the manifest asks for the
// project and passes it on.

const bundleSchema = "0.3" // of the manifest

type bundleManifest struct {
	Version       string                `json:"manifest_version"`
	Name          string                `json:"name"`
	DisplayName   string                `json:"display_name"`
	Release       string                `json:"version"`
	Description   string                `json:"description"`
	Long          string                `json:"long_description"`
	Author        bundleAuthor          `json:"author"`
	Repository    repository            `json:"repository"`
	Homepage      string                `json:"homepage"`
	Documentation string                `json:"documentation"`
	Support       string                `json:"support"`
	Server        bundleServer          `json:"server"`
	Generated     bool                  `json:"tools_generated"`
	Keywords      []string              `json:"keywords"`
	License       string                `json:"license"`
	Compatibility bundleCompatibility   `json:"compatibility"`
	Asked         map[string]bundleAsks `json:"user_config"`
}

type bundleAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type bundleServer struct {
	Type       string        `json:"type"`
	EntryPoint string        `json:"entry_point"`
	Config     bundleCommand `json:"mcp_config"`
}

type bundleCommand struct {
	Command   string                   `json:"command"`
	Args      []string                 `json:"args,omitempty"`
	Overrides map[string]bundleCommand `json:"platform_overrides,omitempty"`
}

type bundleCompatibility struct {
	Platforms []string `json:"platforms"`
}

type bundleAsks struct {
	Type        string `json:"type"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

func (r release) bundleManifest() bundleManifest {
	return bundleManifest{
		Version: bundleSchema, Name: "pawl", DisplayName: "Pawl", Release: r.version, Description: description,
		Long: "Keeps plans of agents and people outside of the conversation: tasks with dependencies in plain files beside the code, and todo lists of a session. " +
			"Exactly one agent or person gets each ready task. No account, no network, no telemetry.",
		Author:     bundleAuthor{"Pawl", homepage},
		Repository: repository{"git", homepage + ".git"}, Homepage: homepage, Documentation: homepage + "/blob/main/docs/mcp.md", Support: homepage + "/issues",
		Server: bundleServer{Type: "binary", EntryPoint: "server/pawl-darwin", Config: bundleCommand{
			Command: "${__dirname}/server/pawl-darwin", Args: []string{"mcp", "--project", "${user_config.project}"},
			Overrides: map[string]bundleCommand{
				"linux": {Command: "${__dirname}/server/pawl-linux"},
				"win32": {Command: "${__dirname}/server/pawl.exe"},
			},
		}},
		Generated: true, // the server lists its tools, which depend on its flags
		Keywords:  []string{"tasks", "todo", "planning", "agents"}, License: "MIT",
		Compatibility: bundleCompatibility{[]string{"darwin", "linux", "win32"}},
		Asked: map[string]bundleAsks{"project": {
			Type: "directory", Title: "Project", Description: "The folder whose tasks Claude may see and change: .tasks in it, or where its settings say", Required: true,
		}},
	}
}

// bundle writes the bundle to a path.
func (r release) bundle(path string) error {
	fat, err := universal(r.binaries[platform{"darwin", "amd64"}], r.binaries[platform{"darwin", "arm64"}])
	if err != nil {
		return err
	}
	manifest, err := indented(r.bundleManifest())
	if err != nil {
		return err
	}
	files := []bundled{{"manifest.json", 0o644, manifest}, {"server/pawl-darwin", 0o755, fat}}
	for name, from := range map[string]string{
		"LICENSE":           r.root + "/LICENSE",
		"server/pawl-linux": r.binaries[platform{"linux", "amd64"}],
		"server/pawl.exe":   r.binaries[platform{"windows", "amd64"}],
	} {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o755)
		if name == "LICENSE" {
			mode = 0o644
		}
		files = append(files, bundled{name, mode, content})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := writeZip(f, files); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

type bundled struct {
	name    string
	mode    os.FileMode
	content []byte
}

// zipTime is the time of all files in the bundle: the same binaries give the same
// bytes, whose hash the registry has.
var zipTime = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func writeZip(to io.Writer, files []bundled) error {
	slices.SortFunc(files, func(a, b bundled) int { return strings.Compare(a.name, b.name) })
	z := zip.NewWriter(to)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: zipTime}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.content); err != nil {
			return err
		}
	}
	return z.Close()
}
