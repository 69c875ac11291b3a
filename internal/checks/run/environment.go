package run

import (
	"slices"
	"strings"
)

// Marker is set for a check, so that a pawl that it starts runs no checks in turn.
const Marker = "PAWL_CHECK"

// Inside reports whether this process runs in a check.
func Inside(getenv func(string) string) bool { return getenv(Marker) != "" }

// basic are the variables that each check gets: where programs, homes, temporary files
// and caches are, and the language. None of them should hold a secret: so proxies and
// registries, whose addresses may have a password in them, are not here. Nor is what
// changes what a tool does: with -run=^$ in GOFLAGS each go test would pass.
func basic() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "TMP", "TEMP",
		"LANG", "LANGUAGE", "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
		"LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS",
		// Windows
		"SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS", "USERNAME", "USERDOMAIN", "COMPUTERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH",
		"APPDATA", "LOCALAPPDATA", "PUBLIC", "ALLUSERSPROFILE", "ProgramData", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432",
		"CommonProgramFiles", "CommonProgramFiles(x86)", "CommonProgramW6432", "PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS",
		// tools: where they are, and what they have built and downloaded
		"GOPATH", "GOCACHE", "GOMODCACHE", "GOROOT", "GOTOOLCHAIN", "CARGO_HOME", "RUSTUP_HOME", "NVM_DIR", "VIRTUAL_ENV", "JAVA_HOME",
	}
}

// environment is that of the check. A variable without a value is as good as not set.
func (c *Command) environment(dir string) []string {
	env := []string{"TERM=dumb", "PWD=" + dir, Marker + "=1"}
	seen := map[string]bool{"TERM": true, "PWD": true}
	for _, name := range slices.Concat(c.Check.Env, basic()) {
		if seen[fold(name)] || !May(name) {
			continue
		}
		seen[fold(name)] = true
		if value := c.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// May reports whether a check may have a variable: nothing of Pawl's, which has tokens.
func May(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=\x00") && !strings.HasPrefix(strings.ToUpper(name), "PAWL_")
}
