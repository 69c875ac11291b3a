package setup

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/gitdir"
)

// Git is the name of what is set up in git itself, in one clone: that it calls Pawl
// when it merges a task. Like AgentsMD it is asked for by itself.
const Git = "git"

var gitItself = agent.Agent{
	Name: Git, Title: "git",
	Config: &agent.Config{
		Files: gitFiles,
		Steps: func(agent.Place) []string { return nil },
		Home:  func(p agent.Place) string { return filepath.Join(p.Root, ".git") },
	},
}

// boardOf is the board of a project that is set up.
func boardOf(root string) string { return filepath.Join(root, ".tasks") }

// gitFiles are git's own files of a clone, which git shares with nobody. Linked work
// trees have the same ones.
func gitFiles(p agent.Place) []File {
	tree, ok := gitdir.Find(p.Root)
	if !ok {
		return nil
	}
	section, ok := driverSection(p.Command, p.OS)
	if !ok {
		return nil
	}
	dir, err := filepath.Rel(tree.Root, boardOf(p.Root))
	if err != nil {
		return nil
	}
	rules, ok := gitdir.DriverRules(filepath.ToSlash(dir))
	if !ok {
		return nil
	}
	attributes := File{Path: filepath.Join(tree.Common, "info", "attributes")}
	for _, rule := range rules {
		attributes.Pieces = append(attributes.Pieces, Piece{Kind: agent.KindLine, For: "merge rules", Text: rule})
	}
	return []File{
		{Path: filepath.Join(tree.Common, "config"), Pieces: []Piece{{Kind: agent.KindSection, For: "merge driver", Path: []string{"merge", gitdir.Driver}, Text: section}}},
		attributes,
	}
}

// noGit says why git cannot be set up for a project; empty: it can.
func (d *Planner) noGit(s Setup) string {
	tree, ok := gitdir.Find(s.Root)
	if !ok {
		return "this is no git work tree"
	}
	if info, err := os.Stat(filepath.Join(tree.Common, "objects")); err != nil || !info.IsDir() {
		return tree.Common + " is no repository of git's"
	}
	if d.Git != nil {
		if rules, err := d.Git.tree.Ignored(d.Git.ctx, filepath.Join(boardOf(s.Root), "task_1.json")); err == nil && len(rules) > 0 {
			return "this board is hidden from git, so git merges nothing of it (pawl init --shared)"
		}
	}
	if gitFiles(d.place(&gitItself, s)) == nil {
		return "the name of this folder cannot stand in a file of git's"
	}
	return ""
}

// attributes plans the rules of a board, which are for everybody and stay when git is
// no longer set up.
func (w *draft) attributes(s Setup) {
	board := boardOf(s.Root)
	if info, err := os.Lstat(board); err != nil || !info.IsDir() {
		return // its first task makes them
	}
	path := filepath.Join(board, ".gitattributes")
	c, err := w.open(path, s.Root)
	if err == nil {
		if text := gitdir.BoardAttributes(c.New); string(text) != string(c.New) {
			if err = c.writable(); err == nil {
				c.New, c.For = text, []string{"merge rules for everybody"}
			}
		}
	}
	if err != nil {
		w.note(Note{Agent: s.Agent, Path: path, Text: err.Error() + ": it is left alone"})
	}
}

// driverSection is the part of git's configuration that has it call a program. Git
// passes the line to a shell, and fills in what begins with a percent sign. False:
// the program's name cannot stand there.
//
//	[merge "pawl"]
//		name = Pawl merges tasks by what they are
//		driver = pawl merge-file %O %A %B %P
func driverSection(program, system string) (string, bool) {
	if strings.ContainsAny(program, "\n\r\x00") {
		return "", false
	}
	if system == "windows" {
		program = strings.ReplaceAll(program, `\`, "/") // git brings a shell of Unix
	}
	line := strings.ReplaceAll(shellWord(program), "%", "%%") + driverArguments
	if strings.ContainsAny(line, `"\;#`) {
		line = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(line) + `"`
	}
	return "[merge \"" + gitdir.Driver + "\"]\n\tname = " + driverName + "\n\tdriver = " + line + "\n", true
}

const (
	driverName      = "Pawl merges tasks by what they are"
	driverArguments = " merge-file %O %A %B %P"
)

func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-./:@%,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
