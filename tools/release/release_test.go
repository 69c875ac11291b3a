// Package release holds .goreleaser.yaml to the rest of the repository. It has
// tests only: a release is made seldom, and what it is made from changes often.
package release

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const root = "../.."

// config is the part of the file that is looked at.
type config struct {
	Version  int
	Before   struct{ Hooks []string }
	Builds   []build
	Archives []struct {
		Formats []string
		Files   []struct {
			Src  string
			Info struct{ Mtime string }
		}
		BuildsInfo struct{ Mtime string } `yaml:"builds_info"`
	}
	Nfpms []struct {
		Formats  []string
		Mtime    string
		Contents []struct {
			Src, Dst, Packager string
			Info               struct{ Mtime string } `yaml:"file_info"`
		}
	}
	Casks []struct {
		Manpages    []string
		Completions map[string]string
	} `yaml:"homebrew_casks"`
	Images []struct {
		Dockerfile string
		Files      []string `yaml:"extra_files"`
		Labels     map[string]string
	} `yaml:"dockers_v2"`
	Checksum struct{ Algorithm string }
	Sboms    []struct{ Artifacts string }
}

type build struct {
	Dir, Main, Binary   string
	Env, Flags, Ldflags []string
	ModTimestamp        string `yaml:"mod_timestamp"`
	Goos, Goarch        []string
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func load(t *testing.T) config {
	t.Helper()
	var c config
	if err := yaml.Unmarshal([]byte(read(t, ".goreleaser.yaml")), &c); err != nil {
		t.Fatal(err)
	}
	if c.Version != 2 || len(c.Builds) != 2 || len(c.Archives) != 1 {
		t.Fatalf("version %d with %d builds and %d archives", c.Version, len(c.Builds), len(c.Archives))
	}
	return c
}

// TestBuild: what is released is what CI builds, for the systems that the nightly run
// builds for, and the linker is told of variables that are there.
func TestBuild(t *testing.T) {
	builds := load(t).Builds
	for _, build := range builds {
		t.Run(build.Binary, func(t *testing.T) { testBuild(t, build) })
	}
}

func testBuild(t *testing.T, build build) {
	ci := read(t, ".ci/lib")

	cross := regexp.MustCompile(`step_cross\(\) \{(?s:.*?)for os in ([a-z ]+); do(?s:.*?)for arch in ([a-z0-9 ]+); do`).FindStringSubmatch(read(t, ".ci/long"))
	if cross == nil {
		t.Fatal("the step cross of .ci/long is not found")
	}
	if !slices.Equal(build.Goos, strings.Fields(cross[1])) || !slices.Equal(build.Goarch, strings.Fields(cross[2])) {
		t.Errorf("released for %v on %v, the nightly run builds for %s on %s", build.Goos, build.Goarch, cross[1], cross[2])
	}

	in := ""
	if build.Dir != "" {
		in = "-C " + build.Dir + " "
	}
	line := regexp.MustCompile(`(\S+) go build ` + in + `(-trimpath.*) -ldflags='([^']*)' -o "\S+" (\S+)`).FindStringSubmatch(ci)
	if line == nil {
		t.Fatal("the build of .ci/lib is not found")
	}
	ldflags := strings.Join(build.Ldflags, " ")
	if !slices.Equal(build.Env, []string{line[1], "GOWORK=off"}) || strings.Join(build.Flags, " ") != line[2] || build.Main != line[4] {
		t.Errorf("released is %s with %v %v, CI builds %q", build.Main, build.Env, build.Flags, line[0])
	}
	if !strings.HasPrefix(ldflags, line[3]+" -X ") {
		t.Errorf("the linker is told %q, by CI %q", ldflags, line[3])
	}
	told := regexp.MustCompile(`-X main\.(\w+)=\S`).FindAllStringSubmatch(ldflags, -1)
	if len(told) != 3 {
		t.Errorf("the linker is told of %d variables, not of three", len(told))
	}
	for _, name := range told {
		if !isString(t, filepath.Join(build.Dir, build.Main, "main.go"), name[1]) {
			t.Errorf("%s has no variable %s of type string", build.Main, name[1])
		}
	}
	if build.ModTimestamp == "" {
		t.Error("the binary's time is that of the build, which differs each time")
	}
}

// isString reports whether main has this variable, without a value, for the
// linker to set.
func isString(t *testing.T, file, name string) bool {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	ast.Inspect(tree, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			kind, _ := spec.Type.(*ast.Ident)
			for _, id := range spec.Names {
				found = found || id.Name == name && kind != nil && kind.Name == "string"
			}
		}
		return true
	})
	return found
}

// TestLinuxPackages: each has the same files, all of which are there or are made, and
// none carries the time of the build.
func TestLinuxPackages(t *testing.T) {
	c := load(t)
	if len(c.Nfpms) != 1 {
		t.Fatalf("%d kinds of packages", len(c.Nfpms))
	}
	p := c.Nfpms[0]
	for _, format := range p.Formats {
		var to []string
		for _, f := range p.Contents {
			if f.Packager == "" || f.Packager == format {
				to = append(to, f.Dst)
			}
			there, err := filepath.Glob(filepath.Join(root, f.Src)) // the root, for a folder that is made
			if err != nil || len(there) == 0 && !strings.HasPrefix(f.Src, "dist/") {
				t.Errorf("%s is not there", f.Src)
			}
			if f.Info.Mtime != p.Mtime || p.Mtime == "" {
				t.Errorf("%s is of %q", f.Src, f.Info.Mtime)
			}
		}
		for _, part := range []string{"/man1/", "/bash-completion/", "/zsh/", "/fish/", "copyright", "/docs/examples/"} {
			if !slices.ContainsFunc(to, func(dst string) bool { return strings.Contains(dst, part) }) {
				t.Errorf("a %s has nothing in %s", format, part)
			}
		}
	}
}

// TestCaskAndImage: what they name is in the archive, or in the tree, and the image says
// the name by which the MCP registry knows it.
func TestCaskAndImage(t *testing.T) {
	c := load(t)
	if len(c.Casks) != 1 || len(c.Images) != 1 {
		t.Fatalf("%d casks, %d images", len(c.Casks), len(c.Images))
	}
	makefile := read(t, "Makefile")
	for _, file := range c.Casks[0].Manpages {
		if !strings.Contains(makefile, "dist/"+file) {
			t.Errorf("nothing makes %s", file)
		}
	}
	for _, file := range c.Casks[0].Completions {
		if !strings.Contains(makefile, "dist/"+file) {
			t.Errorf("nothing makes %s", file)
		}
	}
	image := c.Images[0]
	for _, file := range append(image.Files, image.Dockerfile) {
		read(t, file)
	}
	if name := image.Labels["io.modelcontextprotocol.server.name"]; name == "" || !strings.Contains(read(t, "server.json"), `"name": "`+name+`"`) {
		t.Errorf("the image is the server %q", name)
	}
}

// TestArchives: all that goes into an archive is there, or is made by the hooks,
// and none of it carries the time of the build.
func TestArchives(t *testing.T) {
	c := load(t)
	made := map[string]bool{}
	makefile := read(t, "Makefile")
	for _, hook := range c.Before.Hooks {
		hook, _, _ = strings.Cut(hook, ` "`) // a variable for make
		targets, isMake := strings.CutPrefix(hook, "make ")
		if !isMake {
			t.Errorf("hook %q is no make", hook)
		}
		for target := range strings.FieldsSeq(targets) {
			recipe := regexp.MustCompile(`(?m)^` + target + `:.*\n((?:\t.*\n)+)`).FindStringSubmatch(makefile)
			if recipe == nil {
				t.Errorf("the Makefile has no target %s", target)
				continue
			}
			for _, dir := range regexp.MustCompile(`mkdir -p (\S+)`).FindAllStringSubmatch(recipe[1], -1) {
				made[dir[1]] = true
			}
		}
	}
	archive := c.Archives[0]
	if len(archive.Files) < 5 || archive.BuildsInfo.Mtime == "" {
		t.Errorf("an archive has %d files beside the binary, which is of %q", len(archive.Files), archive.BuildsInfo.Mtime)
	}
	for _, file := range archive.Files {
		there, err := filepath.Glob(filepath.Join(root, file.Src))
		if err != nil || len(there) == 0 && !made[filepath.ToSlash(filepath.Dir(file.Src))] {
			t.Errorf("%s is not there, and nothing makes it", file.Src)
		}
		if file.Info.Mtime != archive.BuildsInfo.Mtime {
			t.Errorf("%s is of %q", file.Src, file.Info.Mtime)
		}
	}
	if c.Checksum.Algorithm != "sha256" || len(c.Sboms) == 0 {
		t.Error("checksums or the lists of parts are missing")
	}
}
