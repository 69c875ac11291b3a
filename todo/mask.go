package todo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The arguments of a tool call that are kept. An argument may hold anything, a secret too, so
// of those that are not listed here only the name is kept.
var (
	keptPaths = []string{
		"path", "paths", "file", "files", "filename", "filepath", "filepaths", "absolutepath", "relativepath", "directorypath", "notebookpath",
		"targetfile", "dir", "dirpath", "directory", "searchdirectory", "relativeworkspacepath", "cwd", "workdir", "workingdirectory",
	}
	keptPatterns = []string{"pattern", "patterns", "glob", "regex", "globpattern", "filepattern", "includepattern", "include", "exclude"}
	keptCounts   = []string{
		"limit", "offset", "count", "headlimit", "line", "lines", "startline", "endline", "depth", "maxdepth", "maxresults", "page", "timeout", "timeoutms", "a", "b", "c", "n",
	}
	keptCommands = []string{"command", "cmd", "shellcommand", "commandline"}
	// Programs whose next word is a subcommand.
	subcommands = []string{
		"apt", "apt-get", "aws", "az", "brew", "bun", "bundle", "cargo", "composer", "deno", "docker", "dotnet", "gcloud", "gem", "gh", "git", "go", "gradle", "helm", "just",
		"kubectl", "make", "mise", "mvn", "npm", "npx", "nx", "pawl", "pip", "pip3", "pnpm", "podman", "poetry", "rake", "ruff", "rustup", "swift", "systemctl", "terraform", "turbo", "uv", "yarn",
	}
	runners = []string{"sudo", "time", "nohup", "exec"} // of the program after them
	shells  = []string{"sh", "bash", "zsh", "dash", "fish"}
)

const (
	left     = "…" // in the place of what is left out
	keptText = 300 // bytes of a path or pattern
	keptName = 64  // bytes of a key or program
	keptMany = 5   // texts of a list
	maxCount = 12  // bytes of a number
	tooLong  = 20  // letters and digits without a mark between: no name has so many
)

// Mask makes the arguments of a tool call fit to be kept: an object on one line, its keys in
// their order, of at most [MaxArguments] bytes. It keeps paths, patterns, counts, yes and no,
// and of a command its program and subcommand, unless they have the shape of a secret; "…"
// replaces the rest. It returns nil for null and for text that is not JSON. Like package json
// it writes < as \u003c, so a store that uses that package does not change it.
func Mask(raw json.RawMessage) json.RawMessage {
	switch start := bytes.TrimSpace(raw); {
	case len(raw) > MaxInput:
		return fmt.Appendf(nil, `{"…":%d}`, len(raw))
	case !json.Valid(raw) || string(start) == "null":
		return nil
	case start[0] != '{':
		return json.RawMessage(`{"input":"…"}`)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, _ = dec.Token()
	out, more := []byte{'{'}, 0
	for dec.More() {
		key, _ := dec.Token()
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			break
		}
		name := key.(string) // or the decoder would have refused it
		value, _ := json.Marshal(argument(squash(name), v))
		if !nameLike(name, "_-.") || len(out)+len(name)+len(value) > MaxArguments-len(`"":,"…":1048576}`) {
			more++
			continue
		}
		out = fmt.Appendf(out, `"%s":%s,`, name, value)
	}
	if more > 0 {
		out = fmt.Appendf(out, `"…":%d`, more)
	}
	return append(bytes.TrimSuffix(out, []byte(",")), '}')
}

// argument returns the part of an argument that is kept.
func argument(name string, v json.RawMessage) any {
	keeps, runs := path, slices.Contains(keptCommands, name)
	switch {
	case strings.ContainsRune("tfn", rune(v[0])),
		len(v) <= maxCount && strings.ContainsRune("-0123456789", rune(v[0])) && slices.Contains(keptCounts, name):
		return v
	case runs:
		keeps = commandLine
	case slices.Contains(keptPatterns, name):
		keeps = pattern
	case !slices.Contains(keptPaths, name):
		return left
	}
	var one string
	var list []string
	switch {
	case json.Unmarshal(v, &one) == nil:
		return keeps(one)
	case json.Unmarshal(v, &list) != nil:
		return left
	case runs && runsScript(list):
		return commandLine(list[2])
	case runs:
		return command(list)
	}
	if len(list) > keptMany {
		list = append(list[:keptMany], left)
	}
	for i := range list {
		list[i] = keeps(list[i])
	}
	return list
}

// path returns a path without its query, unless it has the form ada:PASSWORD@host.
func path(s string) string {
	s, _, query := strings.Cut(s, "?")
	if at := strings.LastIndexByte(s, '@'); at > 0 {
		colon := strings.LastIndexByte(s[:at], ':')
		if drive := colon == len("C") && strings.IndexByte("/\\", s[colon+1]) >= 0; colon > 0 && !drive {
			return left
		}
	}
	if query {
		s += left
	}
	return unlessSecret(s)
}

// pattern returns a pattern. A long word with digits may be the secret that the agent
// searches for.
func pattern(s string) string {
	if machineMade(s) {
		return left
	}
	return unlessSecret(s)
}

// unlessSecret returns s, or "…" for several lines, an address, or the shape of a secret.
func unlessSecret(s string) string {
	if len(s) > keptText || strings.ContainsAny(s, "\r\n") || strings.Contains(s, "://") || MaskText(s) != s {
		return left
	}
	return s
}

// commandLine skips leading comments and returns the [command] of the line below them, or of
// the script that a shell runs.
func commandLine(s string) string {
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "#") {
		_, s, _ = strings.Cut(s, "\n")
		s = strings.TrimSpace(s)
	}
	if script := strings.SplitN(s, " ", 3); runsScript(script) && strings.IndexByte("\"'", script[2][0]) >= 0 {
		return commandLine(strings.Trim(script[2], "\"'"))
	}
	line, _, more := strings.Cut(s, "\n")
	words := strings.Fields(line)
	if more {
		words = append(words, left)
	}
	return command(words)
}

// runsScript reports whether the third word is a script that a shell runs: bash -lc SCRIPT.
func runsScript(words []string) bool {
	return len(words) > 2 && slices.Contains(shells, base(words[0])) && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") && words[2] != ""
}

// command returns the program of a command with its subcommand, and "…" for the words behind
// them. It passes over variables, a folder to go to, and programs that run another one.
func command(words []string) string {
	for len(words) > 0 {
		name, value, sets := strings.Cut(words[0], "=")
		switch {
		case sets && nameLike(name, "_") && oneWord(value), len(words) > 1 && slices.Contains(runners, words[0]) && programLike(words[1]):
			words = words[1:]
		case len(words) > 2 && words[0] == "cd" && oneWord(words[1]) && words[2] == "&&":
			words = words[3:]
		case !programLike(words[0]):
			return left
		default:
			kept, rest := words[0], words[1:]
			if len(rest) > 0 && slices.Contains(subcommands, base(kept)) && nameLike(rest[0], "_-:") && rest[0][0] >= 'a' && rest[0][0] <= 'z' {
				kept, rest = kept+" "+rest[0], rest[1:]
			}
			if len(rest) > 0 {
				kept += " " + left
			}
			return kept
		}
	}
	return left
}

// programLike reports whether a word can be the program of a command. Flags cannot.
func programLike(word string) bool { return nameLike(word, "_-./~+") && word[0] != '-' }

// oneWord reports whether a shell reads s as one word, too: no quote is open at its end.
func oneWord(s string) bool {
	if n := len(s); n > 1 && (s[0] == '"' || s[0] == '\'') && s[n-1] == s[0] {
		s = s[1 : n-1]
	}
	return s != "" && wordLen(s, "_-./~+:=,@%$") == len(s)
}

// nameLike reports whether s can be the name of an argument or program: letters, digits and
// the bytes of also.
func nameLike(s, also string) bool {
	return s != "" && len(s) <= keptName && wordLen(s, also) == len(s) && !machineMade(s) && MaskText(s) == s
}

// machineMade reports whether s has a word with digits that is too long to be a name.
func machineMade(s string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(s, func(r rune) bool { return r > 'z' || !alnum(byte(r)) }), func(word string) bool {
		return len(word) >= tooLong && digits(word)
	})
}

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
