package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pawl-dev/pawl/internal/dev/must"
)

var update = flag.Bool("update", false, "write server.json, the versions of the manifests, and the links in docs/install.md")

// TestServerJSON: the file in the tree is what the program says, and the registry
// would take it.
func TestServerJSON(t *testing.T) {
	version := must.Get(treeVersion("../.."))(t)
	s := serverDescription(version)
	checkServer(t, s)
	want := must.Get(indented(s))(t)
	same(t, "../../server.json", want)
}

// TestReleasedServerJSON: of a release it also has the bundle with its hash, and the
// image.
func TestReleasedServerJSON(t *testing.T) {
	to := t.TempDir()
	must.Do(t, build("../..", allBuilt(t), to, "", "images.example/pawl"))
	var s serverJSON
	text := must.Get(os.ReadFile(filepath.Join(to, "server.json")))(t)
	must.Do(t, json.Unmarshal(text, &s))
	checkServer(t, s)
	bundle := must.Get(os.ReadFile(filepath.Join(to, "pawl.mcpb")))(t)
	if len(s.Packages) != 3 || s.Packages[1].SHA256 != fmt.Sprintf("%x", sha256.Sum256(bundle)) || s.Packages[2].Identifier != "images.example/pawl:"+s.Version {
		t.Errorf("the packages are %+v", s.Packages)
	}
}

// checkServer has the rules of the registry's schema 2025-12-11, and of its check that
// a package is ours.
func checkServer(t *testing.T, s serverJSON) {
	t.Helper()
	if !strings.HasSuffix(s.Schema, "/2025-12-11/server.schema.json") {
		t.Errorf("the rules here are not those of %s", s.Schema)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(s.Name) || len(s.Name) > 200 {
		t.Errorf("the name is %q", s.Name)
	}
	for what, text := range map[string]string{"title": s.Title, "description": s.Description} {
		if n := utf8.RuneCountInString(text); n < 1 || n > 100 {
			t.Errorf("the %s has %d characters, and may have 100", what, n)
		}
	}
	if owner := strings.TrimPrefix(s.Name, "io.github."); !strings.HasSuffix(s.Repository.URL, "/"+owner) {
		t.Errorf("%s is not the name of a server in %s", s.Name, s.Repository.URL)
	}
	if len(s.Packages) == 0 {
		t.Error("there is no package")
	}
	for _, p := range s.Packages {
		if p.Identifier == "" || p.Transport.Type != "stdio" {
			t.Errorf("package %+v", p)
		}
		switch p.Type {
		case "npm":
			if p.Version != s.Version || p.SHA256 != "" {
				t.Errorf("package %+v of version %s", p, s.Version)
			}
		case "mcpb":
			if !regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(p.SHA256) || !strings.Contains(p.Identifier, "/v"+s.Version+"/") {
				t.Errorf("package %+v", p)
			}
		case "oci":
			if !strings.HasSuffix(p.Identifier, ":"+s.Version) {
				t.Errorf("package %+v", p)
			}
		default:
			t.Errorf("the registry knows no packages of type %q", p.Type)
		}
		for _, a := range append(p.Arguments, p.Runtime...) {
			if a.Type == "positional" && a.Value == "" || a.Type == "named" && a.Name == "" {
				t.Errorf("argument %+v", a)
			}
			for name := range a.Variables {
				if !strings.Contains(a.Value, "{"+name+"}") {
					t.Errorf("argument %+v does not use %s", a, name)
				}
			}
		}
		if len(p.Runtime) > 0 && p.Hint == "" {
			t.Errorf("package %+v has arguments for a program that it does not name", p)
		}
	}
}

// TestVersions: what is in the tree says the version of the next release.
func TestVersions(t *testing.T) {
	version, err := treeVersion("../..")
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := filepath.Glob("../../integrations/*/.claude-plugin/plugin.json")
	if err != nil || len(manifests) == 0 {
		t.Fatal("no plugin found", err)
	}
	line := regexp.MustCompile(`(?m)^(  "version": )"[^"]*"`)
	for _, path := range append(manifests, "../../integrations/extension/gemini-extension.json", "../../integrations/extension/plugin.json", "../../packaging/devcontainer/src/pawl/devcontainer-feature.json") {
		text := must.Get(os.ReadFile(path))(t)
		if !line.Match(text) {
			t.Errorf("%s has no version", path)
		}
		same(t, path, line.ReplaceAll(text, []byte(`${1}"`+version+`"`)))
	}
}

// same compares a file of the tree with what it must be, and with -update makes it so.
func same(t *testing.T, path string, want []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if bytes.Equal(text, want) {
		return
	}
	if !*update {
		t.Errorf("%s is not what it must be: go -C proof test ./packages -update", path)
		return
	}
	must.Do(t, os.WriteFile(path, want, 0o644))
}
