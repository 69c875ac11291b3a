package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/pawl-dev/pawl/internal/view"
)

var versionVerb = verb{
	name:  "version",
	short: "say which pawl this is",
	kind:  "version",
	examples: []string{
		"pawl version",
		"pawl version --json",
	},
	build: func(a *app, _ *cobra.Command) func(context.Context, []string) error {
		return func(context.Context, []string) error {
			v := readVersion()
			if a.json {
				return a.printJSON(v)
			}
			a.print("pawl %s", v.Version)
			if v.Commit != "" {
				a.print(" (%s)", v.Commit)
			}
			a.print(" %s %s/%s\n", v.Go, v.OS, v.Arch)
			return nil
		}
	},
}

// versionJSON is the envelope of version.
type versionJSON struct {
	view.Envelope
	Version  string `json:"version"`  // such as v1.2.3; (devel) when it was built from a checkout
	Commit   string `json:"commit"`   // the git commit it was built from; empty: not known
	Modified bool   `json:"modified"` // the checkout had changes
	Go       string `json:"go"`       // the version of Go that built it
	OS       string `json:"os"`       // what it was built for, as Go calls it
	Arch     string `json:"arch"`     // the processor it was built for, as Go calls it
}

func readVersion() versionJSON {
	v := versionJSON{
		Envelope: view.NewEnvelope("version"), Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
