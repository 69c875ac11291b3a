// Package userdir tells where Pawl keeps what belongs to a person and not to a
// project: settings in the config folder, and in the state folder what Pawl
// remembers for them. A [List] is a file there.
//
//	         config                                  state
//	Linux    $XDG_CONFIG_HOME/pawl, ~/.config/pawl   $XDG_STATE_HOME/pawl, ~/.local/state/pawl
//	macOS    ~/Library/Application Support/pawl      ~/Library/Application Support/pawl/state
//	Windows  %AppData%\pawl                          %LocalAppData%\pawl
//
// The XDG variables count on every system. Without a home the user has no such
// folders: a job of cron's works anyway, with the project's settings.
package userdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/pawl-dev/pawl"
)

// A place is how one of the folders is found.
type place struct {
	variable string   // of XDG
	unix     []string // below the home
	macOS    []string // below the home
	windows  string   // the variable
}

var (
	config = place{"XDG_CONFIG_HOME", []string{".config", "pawl"}, []string{"Library", "Application Support", "pawl"}, "AppData"}
	state  = place{"XDG_STATE_HOME", []string{".local", "state", "pawl"}, []string{"Library", "Application Support", "pawl", "state"}, "LocalAppData"}
)

// Config returns the folder of the user's settings. It need not be there.
func Config(getenv func(string) string) (string, error) { return config.find(getenv, runtime.GOOS) }

// State returns the folder of what Pawl remembers for the user. It need not be
// there.
func State(getenv func(string) string) (string, error) { return state.find(getenv, runtime.GOOS) }

func (p place) find(getenv func(string) string, system string) (string, error) {
	variable, below := p.variable, []string{"pawl"}
	if getenv(variable) == "" {
		switch system {
		case "windows":
			variable = p.windows
		case "darwin", "ios":
			variable, below = "HOME", p.macOS
		default:
			variable, below = "HOME", p.unix
		}
	}
	base := getenv(variable)
	switch {
	case base == "":
		return "", pawl.Errorf(pawl.NotFound, "%s is not set, so Pawl has no folder for you", variable).
			Say("set " + variable + " to a folder of yours")
	case !filepath.IsAbs(base): // it would be another one in each folder
		return "", pawl.Errorf(pawl.Invalid, "%s is %q, and must be an absolute path", variable, base).
			Say("set " + variable + " to an absolute path")
	}
	return filepath.Join(append([]string{base}, below...)...), nil
}

// Make makes one of the user's folders, or one inside of it, for the user alone. It
// refuses one that belongs to somebody else: after a sudo the user could not use
// files written there.
func Make(dir string) error {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		var info fs.FileInfo
		if info, err = os.Stat(dir); err == nil && !owned(info) {
			return pawl.Errorf(pawl.Invalid, "the folder %s belongs to another user", dir).
				Say("do this as that user, or set HOME to a folder of yours")
		}
	}
	if err != nil {
		e := pawl.Errorf(pawl.Unavailable, "cannot make Pawl's folder in your home: %w", err)
		if errors.Is(err, fs.ErrPermission) {
			e.Hint = pawl.Hint{Step: pawl.HintSay, Text: "set HOME to a folder of yours"}
		}
		return e
	}
	return nil
}
