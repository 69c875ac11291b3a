package cli

import (
	"cmp"
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/wire"
)

var versionVerb = verb{
	name:  "version",
	short: "print the version",
	long:  "Prints the number of a release, the commit of a build from a checkout, or the module version of go install.",
	kind:  "version",
	examples: []string{
		"pawl version",
		"pawl version --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(context.Context, []string) error {
			v := a.env.Build.read()
			if a.json {
				return a.printJSON(v)
			}
			a.print("pawl %s", v.Version)
			if v.Commit != "" {
				a.print(" (%s", v.Commit)
				if v.Modified {
					a.print(", with changes")
				}
				a.print(")")
			}
			a.print(" %s %s/%s\n", v.Go, v.OS, v.Arch)
			return nil
		}
	},
}

// A Build is what the linker was told of the program. Empty fields are taken from the
// compiler's build information.
type Build struct {
	Version string // 1.2.3
	Commit  string // of git
	Date    string // of the commit: 2026-11-21T10:00:00Z
}

// versionJSON is the envelope of version.
type versionJSON struct {
	wire.Envelope
	Version  string `json:"version"`        // such as v1.2.3; (devel): built from a checkout without git
	Commit   string `json:"commit"`         // the git commit it was built from; empty: unknown
	Date     string `json:"date,omitempty"` // when that commit was made, RFC 3339 in UTC; absent: unknown
	Modified bool   `json:"modified"`       // the checkout had changes
	Go       string `json:"go"`             // the version of Go that built it
	OS       string `json:"os"`             // the system it was built for, in Go's words
	Arch     string `json:"arch"`           // the processor it was built for, in Go's words
}

// ServerOf is the variable that tells pawl-server the release of the pawl that starts it.
const ServerOf = "PAWL_SERVER_OF"

// Release tells builds apart: by the number of a release, else by the commit.
func (b Build) Release() string { return cmp.Or(b.Version, b.read().Commit) }

func (b Build) read() versionJSON {
	v := versionJSON{
		Envelope: wire.NewEnvelope("version"), Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		v.Version = info.Main.Version
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
			case "vcs.time":
				v.Date = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	v.Version, v.Commit, v.Date = cmp.Or(b.Version, v.Version), cmp.Or(b.Commit, v.Commit), cmp.Or(b.Date, v.Date)
	return v
}
