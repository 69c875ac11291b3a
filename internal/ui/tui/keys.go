package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Keys mean the same here and on the page, but for todo lists (T here, o there),
// what-if, which only the page has, and attempts of runs, for which it has buttons. Each is explained once, for the line at the
// bottom and for the help.
var (
	keyUp    = bind("move", "↑↓", "k", "up")
	keyDown  = bind("move", "↑↓", "j", "down")
	keyLeft  = bind("lane", "←→", "left")
	keyRight = bind("lane", "←→", "right")
	keyPgUp  = bind("a page up", "PgUp", "pgup", "ctrl+b")
	keyPgDn  = bind("a page down", "PgDn", "pgdown", "ctrl+f")
	keyHome  = bind("first", "Home", "home")
	keyEnd   = bind("last", "End", "end")
	keyOpen  = bind("open", "Enter", "enter")
	keyBack  = bind("back", "Esc", "esc")

	keyNext   = bind("next task", "Tab", "tab")
	keyPrev   = bind("previous task", "Shift+Tab", "shift+tab")
	keyFields = bind("fields", "v", "v")

	keyAdd      = bind("add", "a", "a")
	keyEdit     = bind("edit", "e", "e")
	keyClaim    = bind("claim", "c", "c")
	keyStart    = bind("start", "s", "s")
	keyDone     = bind("done", "d", "d")
	keyReopen   = bind("reopen", "r", "r")
	keyRelease  = bind("release", "x", "x")
	keyHold     = bind("hold", "h", "h")
	keyLink     = bind("link", "l", "l")
	keyNote     = bind("note", "n", "n")
	keyUndo     = bind("undo", "u", "u")
	keyDelete   = bind("delete", "D", "D")
	keyMove     = bind("move card", "m", "m")
	keySearch   = bind("search", "/", "/")
	keyFilter   = bind("filter", "f", "f")
	keyGraph    = bind("graph", "g", "g")
	keyWhole    = bind("whole graph", "G", "G")
	keyCentre   = bind("centre on it", "Space", "space")
	keyTick     = bind("tick", "Space", "space")
	keyPast     = bind("show completed", ".", ".")
	keyLanes    = bind("lanes", "b", "b")
	keyTimeline = bind("timeline", "t", "t")
	keyTodos    = bind("todo lists", "T", "T")
	keyHelp     = bind("help", "?", "?")
	keyQuit     = bind("quit", "q", "q", "ctrl+c")
)

// A binding is what a key does, how it is written, and which keys it is. All of it
// is there before the program starts: a library's bindings are made at each start,
// of commands without a screen too.
type binding struct {
	does, written string
	keys          []string
}

func bind(does, written string, keys ...string) binding { return binding{does, written, keys} }

// matches reports whether a key is one of some bindings.
func matches(k tea.KeyMsg, of ...binding) bool {
	name := k.String()
	return slices.ContainsFunc(of, func(b binding) bool { return slices.Contains(b.keys, name) })
}
