package agent

import (
	"encoding/json"
	"strings"
)

// A Config is what a program's configuration needs so that it works with Pawl.
type Config struct {
	// Variable names the client's folder for the user; people with
	// several accounts have several; empty: there is none.
	Variable string
	// Home is the folder that shows that the program is used here, and Programs are
	// its names on PATH.
	Home     func(Place) string
	Programs []string
	// Files are what it needs in a scope.
	Files func(Place) []File
	// Steps are what only a person can do, after a setup.
	Steps func(Place) []string
	// List says in a line which todo list the models of a setup work with, where the
	// program gives its own only to some, so that Place.OwnList means something to Files.
	// Nil: it does not.
	List func(Place) string
	// Packaged returns what shows that Pawl is installed as a package already, and
	// what removes that; empty: nothing does. Nil: no packages.
	Packaged func(Place) (what, step string)
	// NoProject says why it cannot be set up for one project; empty: it can.
	NoProject string
	// Needs says why it cannot be set up now; empty: it can. Nil: it always can.
	Needs func(Place) string
	// Private says that it has settings for one project that are the user's own. Others
	// get those of the project, kept out of git.
	Private bool
	// Asks says that no file of ours can allow the tools: it asks at the first calls.
	Asks bool
	// History is the name of a file among Files in which the program keeps more than
	// settings, so that it grows; empty: there is none.
	History string
	// Brakes are values in its settings that keep Pawl from working though all
	// pieces are in their places.
	Brakes []Brake

	// Windows is the shell that runs its hooks on Windows, in the user's scope.
	Windows Shell
	// Workspace stands for the project's folder in a project's settings, for a
	// program that starts servers elsewhere; empty: it starts them in the project.
	Workspace string
	// Cleans says that servers get a cleaned environment, and that $NAME in the
	// settings stands for a variable. Server and hooks must look into the same
	// folders.
	Cleans bool
}

// A Brake is a value somewhere in a program's settings.
type Brake struct {
	Path  string // with points; an element of a list there, or the value itself
	Value string // what begins like it
	What  string // what it does, for people
}

// A Scope says whose configuration is meant.
type Scope string

// The scopes.
const (
	User    Scope = "user"    // all projects of the user
	Project Scope = "project" // files that a project shares with everybody
	Here    Scope = "here"    // one project, for the user alone: files that git does not see
)

// A File is one that an agent reads, with what is to be in it.
type File struct {
	Path   string
	Pieces []Piece
}

// A Kind is how a piece stands in a file.
type Kind string

// The kinds. Those of one file are read by the same rules.
const (
	KindMember  Kind = "member"  // of an object, in JSON
	KindElement Kind = "element" // of an array, in JSON
	KindTable   Kind = "table"   // in TOML
	KindEntry   Kind = "entry"   // of a mapping, in YAML
	KindBlock   Kind = "block"   // between two marks, in Markdown
	KindLine    Kind = "line"    // of a text, as in a file of git's
	KindSection Kind = "section" // of git's configuration
	KindWhole   Kind = "whole"   // the file itself
)

// A Piece is one thing that setup puts into a file.
type Piece struct {
	Kind  Kind            `json:"kind"`
	For   string          `json:"for"` // what it is, for people: "server", "hooks"
	Path  []string        `json:"path,omitempty"`
	Value json.RawMessage `json:"value,omitempty"` // of a member or an element
	Text  string          `json:"text,omitempty"`  // of the others

	// Only says that it goes into the object at Path, or above, only when that is
	// there: making it would change what else is in force.
	Only bool `json:"only,omitempty"`
	// Frame says that the file is nothing without it, and that it is nothing
	// alone: from a file that was made for us it goes with the file.
	Frame bool `json:"frame,omitempty"`
	// Common says that it may as well be somebody else's: it goes only where it is
	// known that we put it in.
	Common bool `json:"common,omitempty"`

	// Mark is in a whole file of ours in each version; empty: nothing tells that the
	// file is ours.
	Mark string `json:"-"`
}

// IsServer reports whether it is the entry of our server.
func (p Piece) IsServer() bool { return p.For == "server" || strings.HasPrefix(p.For, "server,") }
