// Packages makes the packages for package managers, from the binaries of a release:
//
//	go -C proof run ./packages -from ../dist/release -to ../dist/packages
//
// The folder -to then has
//
//	npm/pawl, npm/@pawl-dev/linux-x64, …   packages, for npm publish
//	pawl.mcpb                              the bundle for Claude Desktop, all systems in one
//	server.json                            what the MCP registry is told of both
//
// -from is goreleaser's folder: pawl_linux_amd64_v1/pawl, and so on; names without
// the _v1 are fine. The version is in packaging/version.txt: a test compares the
// manifests in the tree, and a binary that can run here must print it.
//
//	go -C proof run ./packages -links
//
// prints the links that install the MCP server in an editor.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// A platform is a system and processor that Pawl is released for.
type platform struct{ os, arch string } // in Go's words

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func (p platform) String() string { return p.os + "/" + p.arch }

// exe is the name of the program there.
func (p platform) exe() string {
	if p.os == "windows" {
		return "pawl.exe"
	}
	return "pawl"
}

// A release is what packages are made of.
type release struct {
	root     string // the tree
	version  string // 0.1.0
	binaries map[platform]string
}

func main() {
	from := flag.String("from", "", "the folder with the binaries")
	to := flag.String("to", "", "the folder for the packages; npm, pawl.mcpb and server.json in it are replaced")
	only := flag.String("platforms", "", "make packages for these only, such as linux/amd64,darwin/arm64; no bundle then")
	image := flag.String("image", "", "the container image's name without a version, for server.json; empty: it names none")
	links := flag.Bool("links", false, "print the links for editors")
	flag.Parse()
	var err error
	switch {
	case flag.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flag.Arg(0))
	case *links:
		for _, l := range editorLinks() {
			fmt.Printf("%s\n  %s\n", l.Editor, l.URL)
		}
	case *from == "" || *to == "":
		err = errors.New("-from and -to are needed")
	default:
		err = build("..", *from, *to, *only, *image)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// build makes all packages; root is the tree.
func build(root, from, to, only, image string) error {
	wanted := platforms
	if only != "" {
		wanted = nil
		for name := range strings.SplitSeq(only, ",") {
			at := slices.IndexFunc(platforms, func(p platform) bool { return p.String() == name })
			if at < 0 {
				return fmt.Errorf("%q is not one of %v", name, platforms)
			}
			wanted = append(wanted, platforms[at])
		}
	}
	version, err := treeVersion(root)
	if err != nil {
		return err
	}
	r := release{root: root, version: version}
	if r.binaries, err = findBinaries(from, wanted); err != nil {
		return err
	}
	if err := r.checkVersion(); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := r.npm(filepath.Join(to, "npm")); err != nil {
		return err
	}
	if only != "" {
		return nil
	}
	bundle := filepath.Join(to, "pawl.mcpb")
	if err := r.bundle(bundle); err != nil {
		return err
	}
	return r.server(filepath.Join(to, "server.json"), bundle, image)
}

// treeVersion is the version of the next release.
func treeVersion(root string) (string, error) {
	path := filepath.Join(root, "packaging", "version.txt")
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	version := strings.TrimSpace(string(text))
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`).MatchString(version) {
		return "", fmt.Errorf("%s: %q is not a version such as 0.1.0", path, version)
	}
	return version, nil
}

func findBinaries(from string, wanted []platform) (map[platform]string, error) {
	found := map[platform]string{}
	for _, p := range wanted {
		paths, err := filepath.Glob(filepath.Join(from, fmt.Sprintf("pawl_%s_%s*", p.os, p.arch), p.exe()))
		if err != nil {
			return nil, err
		}
		if len(paths) != 1 {
			return nil, fmt.Errorf("%s: %d binaries for %s, not one", from, len(paths), p)
		}
		found[p] = paths[0]
	}
	return found, nil
}

// checkVersion asks the binary that can run here, and so guards against packages of
// an older build.
func (r release) checkVersion() error {
	path, ok := r.binaries[platform{runtime.GOOS, runtime.GOARCH}]
	if !ok {
		return nil
	}
	out, err := exec.Command(path, "version", "--json").Output()
	if err != nil {
		return fmt.Errorf("%s version: %w", path, err)
	}
	var said struct{ Version string }
	if err := json.Unmarshal(out, &said); err != nil {
		return fmt.Errorf("%s version: %w", path, err)
	}
	if said.Version != "v"+r.version {
		return fmt.Errorf("%s says that it is %s, and packaging/version.txt %s", path, said.Version, r.version)
	}
	return nil
}

// writeJSON writes a manifest as people and programs lay them out.
func writeJSON(path string, v any) error {
	text, err := indented(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o644)
}

func indented(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return []byte(b.String()), err
}
