// Package setup puts Pawl into the configuration of coding agents, and takes it
// out again.
//
// An agent needs pieces in a list of files ([agent.Config]): its server, its hooks,
// the permission to call Pawl's tools without asking, and what else it has a place
// for. A plan ([Planner.Setup], [Planner.Uninstall]) is made of the files as they
// are, shown, and then written ([Plan.Apply]).
//
// Promises:
//
//   - Only the pieces change. Comments, order, indentation and everything else in
//     a file stay as they are; a file that cannot be read is not touched.
//   - Choices of others stay: a server called pawl that is not ours, a status line,
//     a hook with another timeout.
//   - A second setup changes nothing.
//   - Uninstalling gives each file back byte for byte. When somebody has changed
//     one since, their changes stay and only the pieces go.
//
// The user's state folder remembers each piece and its place ([Record]).
package setup

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/pawl-dev/pawl/internal/agent"
	"github.com/pawl-dev/pawl/internal/jsonc"
)

// The words for what a program needs are those of package agent.
type (
	Scope = agent.Scope
	File  = agent.File
	Piece = agent.Piece
)

// The scopes.
const (
	User    = agent.User
	Project = agent.Project
	Here    = agent.Here
)

// A Setup is an agent that was set up.
type Setup struct {
	Agent   string `json:"agent"`
	Scope   Scope  `json:"scope"`
	Root    string `json:"root,omitempty"`    // of a project, without links; for Project and Here
	Profile string `json:"profile,omitempty"` // the agent's folder for the user, where a variable names it
	OwnList bool   `json:"ownList,omitempty"` // every model has the program's own todo list
	Command string `json:"command"`           // how the agent calls us
	// Brought says that it was in the files before we came: their text without it
	// is not known.
	Brought bool `json:"brought,omitempty"`
}

// Same reports whether both are of one agent in one place.
func (s Setup) Same(o Setup) bool {
	return s.Agent == o.Agent && s.Scope == o.Scope && s.Root == o.Root && s.Profile == o.Profile
}

// key names it among the owners of a piece.
func (s Setup) key() string {
	return strings.TrimSpace(s.Agent + " " + string(s.Scope) + " " + s.Root + s.Profile)
}

func equal(p, o Piece) bool {
	return p.Kind == o.Kind && slices.Equal(p.Path, o.Path) && p.Text == o.Text && (len(p.Value) == 0 && len(o.Value) == 0 || jsonc.Same(p.Value, o.Value))
}

// A state is how a file and a piece stand to one another.
type state int

const (
	missing  state = iota
	same           // it is there
	akin           // it is there in other words: it calls us
	theirs         // something else is in its place
	needless       // see Piece.Only
)

// An editor is how pieces of one kind are read and written. A nil text is that
// of a file that is not there.
type editor struct {
	look func(text []byte, p Piece) (state, error)
	// put adds a missing piece. made are the paths of what had to be made for it.
	put func(text []byte, p Piece) (after []byte, made [][]string, err error)
	// take takes a piece out that is there, in these or other words, and what was
	// made for it when that is empty.
	take func(text []byte, p Piece, made [][]string) ([]byte, error)
}

func editorOf(p Piece) editor {
	switch p.Kind {
	case agent.KindMember:
		return editor{lookMember, putMember, takeMember}
	case agent.KindElement:
		return editor{lookElement, putElement, takeElement}
	case agent.KindTable:
		return editor{lookTable, putTable, takeTable}
	case agent.KindEntry:
		return editor{lookEntry, putEntry, takeEntry}
	case agent.KindBlock:
		return editor{lookBlock, putBlock, takeBlock}
	case agent.KindLine:
		return editor{lookLine, putLine, takeLine}
	case agent.KindSection:
		return editor{lookSection, putSection, takeSection}
	default:
		return editor{lookWhole, putWhole, takeWhole}
	}
}

// sum recognises a text. It need not be safe: a forger could edit the file as well.
func sum(text []byte) string {
	if text == nil {
		return "none"
	}
	h := fnv.New128a()
	h.Write(text)
	return fmt.Sprintf("%d:%x", len(text), h.Sum(nil))
}
